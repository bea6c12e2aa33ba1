"""Tables by seed through the pure machine keep every promise; `bench.simulator` plays more."""

import os
from collections import Counter

import pytest

from backgammon.rules.variants import KEYS
from backgammon.tests.amounts import amount
from games.table.events import AnyEvent
from harness.simulator.driver import simulate
from harness.simulator.wishes import MODES

TABLES = int(os.environ.get("SIMULATED_TABLES", amount(25, long=220)))
#: short tables with rare events: some variants, a win by absence, a beaver, a raccoon
#: while the rules are what they are; with a new variant all tables differ, and more are played
RARE = {121, 126, 444, 679, 709, 728, 762}
TABLES_MAX = 1_000
SEED = int(os.environ.get("SIMULATED_SEED", "1"))
EVENT_TYPES = {event.__struct_config__.tag for event in AnyEvent.__args__}

#: every reason for which the machine refuses a command of a player.
REFUSALS = {
    "illegal_play",
    "match_over",
    "may_not_double",
    "may_not_resign",
    "not_seated",
    "not_your_turn",
    "only_in_practice",
    "own_table",
    "table_full",
    "too_early",
    "wrong_phase",
}
PLAYED = {f"mode {mode}" for mode in MODES} | {f"variant {key}" for key in KEYS}
EXPECTED = EVENT_TYPES | PLAYED | {f"refused {code}" for code in REFUSALS}


@pytest.fixture(scope="module")
def seen() -> Counter[str]:
    """What happened at all the tables; an error has the number of the table that fails."""
    total: Counter[str] = Counter()
    for number in sorted({*range(TABLES), *RARE}):
        total.update(table(number))
    for number in range(TABLES, TABLES_MAX):
        if total.keys() >= EXPECTED:
            break
        total.update(table(number))
    return total


def table(number: int) -> Counter[str]:
    """What happened at a table; an error names the command that repeats it."""
    try:
        return simulate(SEED, number)
    except Exception as error:
        error.add_note(f"python -m bench.simulator --seed {SEED} --only {number}")
        raise


@pytest.mark.slow
def test_every_event_happens(seen):
    assert EVENT_TYPES - set(seen) == set()


def test_every_mode_and_every_variant_is_played(seen):
    assert PLAYED - set(seen) == set()


def test_every_refusal_is_met(seen):
    assert {code for code in REFUSALS if not seen[f"refused {code}"]} == set()


def test_the_same_seed_plays_the_same_table():
    assert [simulate(SEED, 5) for _ in range(2)] == [simulate(SEED, 5)] * 2
