"""Finished matches between people: the one of the archive's tests, and one with many errors."""

from collections.abc import Callable

import pytest

from games.models import Match
from games.table import commands as cmd
from harness.sitting import Sitting
from tests.archive.conftest import hilde, magriel, played, tilo

__all__ = ["hilde", "magriel", "played", "tilo"]


@pytest.fixture
def many(sitting: Sitting, dice: Callable[..., None]) -> Match:
    """A match of five turns, most of them played badly."""
    dice((3, 1), (6, 5), (4, 2), (6, 4), (2, 1))
    for _ in range(5):
        sitting.turn()
    sitting.give(1, cmd.Leave())
    return Match.objects.get(table=sitting.pk)
