"""Whatever can be played here comes back the same from a file, in every format.

The matches are played by the machine, in every mode that the house offers (a long run: in every
third combination with a variant and with random rules) and to every kind of end. `bench.everything`
plays all of them.
"""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from backgammon.formats.record import MatchRecord
from backgammon.formats.registry import by_key
from backgammon.tests.amounts import LONG
from backgammon.tests.formats.outline import outline
from bench.everything.cases import Case, cases
from games.records import record_of
from games.table import commands as cmd
from games.table.state import TableState
from games.table.view import table_view
from harness.hands import decide
from harness.player import RESIGNS, Plan
from harness.simulator.house import GUEST, SimulatedHouse

STEPS_MAX = 20_000
NAMES = ("magriel", "hilde maria")

WHOLE = cases(15, short=False)
WAYS = list({case.way: case for case in WHOLE}.values())
CASES = WAYS + [case for case in WHOLE[::3] if case not in WAYS] if LONG else WAYS


def played(case: Case) -> SimulatedHouse:
    """A table on the terms of the case, whose match two random players have ended."""
    rng = Random(case.text)
    house = SimulatedHouse(rng, case.terms)
    house.give(cmd.Sit(player=GUEST, match=house.new_match_id()))
    kind = "leave" if rng.random() < 0.2 else "stop"
    plan = Plan(kind, rng.randrange(2), rng.randint(2, 40) if kind == "leave" else 2)
    for _ in range(STEPS_MAX):
        if house.state.phase in ("over", "closed"):
            return house
        house.answer()
        house.now_ms += 1
        for seat in (0, 1):
            command = _command(house.state, seat, plan, rng)
            if command is not None:
                house.give(command, seat)
                break
    raise AssertionError(f"{case.text} does not end")


def _command(state: TableState, seat: int, plan: Plan, rng: Random) -> cmd.PlayerCommand | None:
    view: dict[str, Any] = msgspec.to_builtins(table_view(state))
    if state.decider == seat:
        plan.decisions[seat] += 1
    wish = plan.wish(view, seat) or decide(view, seat, rng, resigns=RESIGNS)
    return None if wish is None else msgspec.convert(wish, cmd.PlayerCommand)


def recorded(case: Case) -> MatchRecord:
    """The record of the match of a case."""
    house = played(case)
    return record_of(house.events, terms=case.terms, players=NAMES, site="example.test")


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=[f"{case.way}-{case.game}" for case in CASES])
def test_what_was_played_comes_back_the_same(case: Case) -> None:
    record = recorded(case)
    assert record.games
    assert (record.rules, record.options) == (case.terms.cube_rules, case.terms.options)
    for key in ("json", "sgf", "mat"):
        file_format = by_key(key)
        text = file_format.format(record)
        read = file_format.parse(text)
        if key == "json":
            assert read == record
        # .mat has no place for refused resignations and the order of the moves of a play.
        told = key != "mat"
        assert not told or file_format.format(read) == text, key
        assert outline(read, resignations=told) == outline(record, resignations=told), key
