"""Chouettes at which people sit, and hands that play them."""

import random

import pytest

from tests.tournaments.conftest import people

__all__ = ["people"]


@pytest.fixture
def chance() -> random.Random:
    return random.Random(7)
