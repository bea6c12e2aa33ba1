"""The legal plays of a roll are found once, and nothing is left of them when it has been played."""

import gc
from collections.abc import Iterator
from random import Random

import pytest

from backgammon.rules.plays import LegalPlays, PlayGraph
from games.table import commands as cmd
from games.table import plays
from harness.rig import Rig, terms_for


def rolls(seed: int) -> Iterator[tuple[int, int]]:
    random = Random(seed)
    yield (3, 1)
    while True:
        yield random.randint(1, 6), random.randint(1, 6)


def kept() -> int:
    """How many objects of legal plays are alive, garbage included."""
    return sum(type(each) in (LegalPlays, PlayGraph) for each in gc.get_objects())


@pytest.fixture
def no_search_for_garbage() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.parametrize("variant", ["backgammon", "russian"])
def test_played_rolls_are_freed_without_a_search_for_garbage(variant, no_search_for_garbage):
    plays._found.clear()
    terms = terms_for(mode="normal", variant=variant)
    table = Rig(rolls(1), terms).sit()
    before, random = kept(), Random(1)
    for _ in range(40):
        if table.state.phase in ("roll", "roll_off"):
            table.give(cmd.Roll(), table.on_roll)
        elif table.state.phase == "name_double":
            table.give(cmd.NameDouble(number=1), table.on_roll)
        elif table.state.phase == "play":
            table.play_random(random)
    assert len(plays._found) <= 1, "the roll that lies on the table at most"
    assert kept() - before <= 2, "its plays and their graph"


def test_a_roll_that_lies_there_is_searched_once():
    table = Rig(rolls(1)).sit()
    table.give(cmd.Roll(), table.on_roll)
    game = table.state.game
    assert game is not None
    assert game.dice is not None
    found = plays.legal_plays(table.state, game, game.dice)
    assert plays.legal_plays(table.state, game, game.dice) is found
    plays.forget_plays(table.state)
    assert plays.legal_plays(table.state, game, game.dice) is not found


def test_the_oldest_rolls_go_first_when_there_are_too_many(monkeypatch):
    monkeypatch.setattr(plays, "_ROLLS_MAX", 3)
    plays._found.clear()
    for seed in range(6):
        table = Rig(rolls(seed)).sit()
        table.give(cmd.Roll(), table.on_roll)
        for _ in range(seed):
            table.turn()
    assert len(plays._found) <= 3
