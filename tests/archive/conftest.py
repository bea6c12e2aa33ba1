"""A match of three turns, which a player then left."""

import pytest

from accounts.models import User
from games.models import Match
from games.table import commands as cmd
from harness.sitting import Sitting


@pytest.fixture
def magriel(db: None) -> User:
    return User.objects.create_user("magriel")


@pytest.fixture
def hilde(db: None) -> User:
    return User.objects.create_user("hilde")


@pytest.fixture
def tilo(db: None) -> User:
    return User.objects.create_user("tilo")


@pytest.fixture
def played(sitting: Sitting, dice) -> Match:
    """hilde has left a match for 2.50 after three turns."""
    dice((3, 1), (6, 5), (4, 2))
    for _ in range(3):
        sitting.turn()
    sitting.give(1, cmd.Leave())
    return Match.objects.get(table=sitting.pk)
