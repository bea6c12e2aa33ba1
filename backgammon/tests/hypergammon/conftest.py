"""A table of the last positions alone: all checkers of both sides are at home, or off."""

import pytest

from backgammon.evaluation.hypergammon import table as kept
from backgammon.evaluation.hypergammon.arrangements import ALL
from backgammon.evaluation.hypergammon.table import HypergammonTable
from backgammon.train.hypergammon.backup import Program, Universe
from backgammon.train.hypergammon.solving import part_of, solved

HOME = tuple(number for number, each in enumerate(ALL) if each[2] <= 6)


@pytest.fixture(scope="session")
def ending() -> HypergammonTable:
    universe = Universe(HOME)
    return part_of(universe, solved(Program(universe), lambda name, number, change: None))


@pytest.fixture
def in_the_house(ending: HypergammonTable, monkeypatch: pytest.MonkeyPatch) -> HypergammonTable:
    """The house has the table."""
    monkeypatch.setattr(kept._Place, "found", ending)
    return ending
