"""The machine's cache of its last answer is never used for another table or another question."""

from itertools import chain, cycle, repeat
from random import Random

import msgspec
import pytest

from games.table import commands as cmd
from games.table.evolve import evolve, replay
from games.table.offerable import why_no_double
from harness.rig import Rig
from kit.events import remembers_last

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
