"""A match that was played: three turns, then somebody left."""

import pytest

from games.models import Match
from games.table import commands as cmd
from tests.services.conftest import Sitting, dice, hilde, magriel, sitting, tilo

__all__ = ["dice", "hilde", "magriel", "sitting", "tilo"]


@pytest.fixture
def played(sitting: Sitting, dice) -> Match:
    """hilde has left a match for 2.50 after three turns."""
    dice((3, 1), (6, 5), (4, 2))
    for _ in range(3):
        sitting.turn()
    sitting.give(1, cmd.Leave())
    return Match.objects.get(table=sitting.pk)
