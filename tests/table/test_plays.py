"""The legal plays of a roll are found once, and nothing is left of them when it has been played."""

import gc
from collections.abc import Iterator
from itertools import chain, cycle, repeat
from random import Random

import msgspec
import pytest

from backgammon.rules.plays import LegalPlays, PlayGraph
from backgammon.rules.variants import ALL
from games.table import commands as cmd
from games.table import turn
from games.table.evolve import evolve, replay
from games.table.turn import why_no_double
from games.table.view import table_view
from harness.rig import Rig, terms_for
from kit.events import remembers_last


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
    turn._found.clear()
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
    assert len(turn._found) <= 1, "the roll that lies on the table at most"
    assert kept() - before <= 2, "its plays and their graph"


def test_a_roll_that_lies_there_is_searched_once():
    table = Rig(rolls(1)).sit()
    table.give(cmd.Roll(), table.on_roll)
    game = table.state.game
    assert game is not None
    assert game.dice is not None
    found = turn.legal_plays(table.state, game, game.dice)
    assert turn.legal_plays(table.state, game, game.dice) is found
    turn.forget_plays(table.state)
    assert turn.legal_plays(table.state, game, game.dice) is not found


def test_the_oldest_rolls_go_first_when_there_are_too_many(monkeypatch):
    monkeypatch.setattr(turn, "_ROLLS_MAX", 3)
    turn._found.clear()
    for seed in range(6):
        table = Rig(rolls(seed)).sit()
        table.give(cmd.Roll(), table.on_roll)
        for _ in range(seed):
            table.turn()
    assert len(turn._found) <= 3


# --- pip counts -----------------------------------------------------------------------------------
@pytest.mark.parametrize("variant", ALL, ids=lambda variant: variant.key)
def test_nobody_is_ahead_at_the_start(variant):
    table = Rig(iter([(3, 1)] * 4), terms_for(mode="normal", variant=variant.key)).sit()
    mine, his = table_view(table.state).pips
    assert mine == his == variant.start.pips(variant.way)[0]


# --- what is remembered ---------------------------------------------------------------------------
OPENING = [(3, 1)]


def rig(seed: int) -> Rig:
    random = Random(seed)
    dice = chain(OPENING, iter(lambda: (random.randint(1, 6), random.randint(1, 6)), None))
    table = Rig(dice).sit()
    table.give(cmd.Roll(), table.on_roll)
    return table


@pytest.mark.parametrize("seed", range(5))
def test_two_tables_in_turns_stay_two_tables(seed):
    tables = [rig(seed), rig(seed)]  # equal in everything, so only identity tells them apart
    random = Random(seed)
    for table in (tables[random.randrange(2)] for _ in range(60)):
        if table.state.phase in ("roll", "play"):
            table.play_random(random) if table.state.phase == "play" else table.turn()
    for table in tables:
        assert table.state == replay(table.events)


def test_the_same_question_gets_the_same_object():
    table = rig(1)
    (event,) = table.events[-1:]
    before = replay(table.events[:-1])
    assert evolve(before, event) is evolve(before, event)


def test_equal_values_that_are_not_the_same_are_asked_anew():
    asked = []

    @remembers_last
    def both(left: list[int], right: int) -> int:
        asked.append((left, right))
        return left[0] + right

    left = [1]
    assert [both(left, 5), both(left, 5), both(left, 6), both(left, 5), both([1], 5)] == [
        6, 6, 7, 6, 6,
    ]  # fmt: skip
    assert len(asked) == 4


def test_each_seat_has_its_own_answer():
    table = rig(1)
    while table.state.phase != "roll":
        table.play_first()
    state = msgspec.structs.replace(table.state)
    answers = {seat: why_no_double.__wrapped__(state, seat) for seat in (0, 1)}
    for seat, _ in zip(cycle((0, 1)), repeat(None, 6), strict=False):
        assert why_no_double(state, seat) == answers[seat]
