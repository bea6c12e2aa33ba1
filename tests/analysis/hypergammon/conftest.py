"""A table of the last positions alone: all checkers of both sides are at home, or off."""

import pytest

from analysis.hypergammon.backup import Program, Universe
from analysis.hypergammon.solving import solved
from analysis.hypergammon.writing import part_of
from games.bots.hypergammon import here
from games.bots.hypergammon.arrangements import ALL
from games.bots.hypergammon.table import Table

HOME = tuple(number for number, each in enumerate(ALL) if each[2] <= 6)


@pytest.fixture(scope="session")
def ending() -> Table:
    universe = Universe(HOME)
    return part_of(universe, solved(Program(universe), lambda name, number, change: None))


@pytest.fixture
def in_the_house(ending: Table, monkeypatch: pytest.MonkeyPatch) -> Table:
    """The house has the table."""
    monkeypatch.setattr(here, "table", lambda: ending)
    return ending
