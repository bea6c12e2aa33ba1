"""Tables by seed through the pure machine keep every promise; `bench.simulator` plays more."""

import json
import os
from collections import Counter
from typing import ClassVar

import msgspec
import pytest

from backgammon.rules.variants import KEYS
from backgammon.tests.amounts import amount
from games.modes.registry import mode_of
from games.prizes import PrizeEnding, PrizeResult, payout
from games.table import events as ev
from games.table.events import AnyEvent
from games.table.evolve import replay
from games.table.state import TableState
from games.table.view import table_view
from games.wire import encode, event_frame, event_from_payload, event_payload
from harness.simulator.driver import Evening, simulate
from harness.simulator.house import SimulatedHouse
from harness.simulator.wishes import MODES
from harness.voice import EVENT, mistakes

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


# --- replay ---------------------------------------------------------------------------------------
REPLAYED = int(os.environ.get("REPLAYED_TABLES", amount(20, long=60)))
REPLAY_SEED = 11


@pytest.fixture(scope="module")
def evenings() -> list[Evening]:
    """Play this many tables to their ends."""
    played = [Evening(f"{REPLAY_SEED}:{number}") for number in range(REPLAYED)]
    for evening in played:
        evening.play()
    return played


def test_stored_events_give_the_stored_states(evenings):
    for evening in evenings:
        stored = evening.house.stored
        events = [event_from_payload(msgspec.json.decode(text)) for text in stored]
        assert replay(events) == evening.state
        assert [msgspec.json.encode(event_payload(event)) for event in events] == stored


def test_every_prefix_of_the_events_is_a_state(evenings):
    """Wherever a client or a server stopped, the rest of the events leads to the same end."""
    for evening in evenings[:20]:
        events = evening.house.events
        for cut in range(0, len(events), max(1, len(events) // 10)):
            assert replay(events[cut:], replay(events[:cut])) == evening.state


def test_stored_results_give_the_stored_payouts(evenings):
    settled = 0
    for evening in evenings:
        ended, games = None, ()
        for event in evening.house.events:
            if isinstance(event, ev.MatchStarted):
                games = ()
            elif isinstance(event, ev.GameEnded) and evening.state.terms.contest == "session":
                games += ((event.winner, event.points),)
            elif isinstance(event, ev.MatchEnded):
                ended = event
            elif isinstance(event, ev.MatchSettled):
                assert ended is not None
                result = PrizeResult(ended.winner, PrizeEnding(ended.ending), ended.points, games)
                terms = evening.state.terms
                paid = payout(mode_of(terms).purse(terms), result)
                assert (paid.paid_cents, paid.rake_cents) == (event.paid_cents, event.rake_cents)
                ended, settled = None, settled + 1
        assert ended is None, "every match that ended is settled"
    assert settled > REPLAYED // 2


# --- the schema -----------------------------------------------------------------------------------
CHECKED = 400
#: views are large: after the first of a kind, only some are checked.
VIEWS_OF_A_KIND = 1
VIEWS_APART = 30
PERSON = {"id": 1, "name": "hilde", "elo": 1500, "strength": 3, "bot": False, "plays_as": None}


def sent(frame: dict) -> dict:
    """A frame as it arrives."""
    return json.loads(encode(frame))


class Told(SimulatedHouse):
    """A house that checks every event, and many views, against the schema."""

    told: ClassVar[Counter[str]] = Counter()

    def _store(self, event: ev.Event) -> None:
        super()._store(event)
        frame = sent(event_frame(1, event_payload(event)))
        assert mistakes(frame, EVENT) == []
        self.told[frame["type"]] += 1

    def _commit(self, before: TableState, steps: list[tuple[TableState, ev.Event]]) -> None:
        super()._commit(before, steps)
        terms = self.state.terms
        kind = f"{terms.mode} {terms.variant} {self.state.phase}"
        self.told[kind] += 1
        if self.told[kind] > VIEWS_OF_A_KIND and self.told[kind] % VIEWS_APART:
            return
        view = table_view(self.state, table="6f0c", players=(PERSON, None))
        frame = {"type": "snapshot", "seq": 1, "now_ms": 1, "view": view, "log": []}
        assert mistakes(sent(frame)) == []


@pytest.mark.slow
def test_every_event_and_view_is_of_the_schema():
    """Tables of every mode and every variant; terms that have been played already are skipped."""
    played: set[str] = set()
    for number in range(CHECKED):
        evening = Evening(f"schema:{number}", Told)
        kinds = {evening.state.terms.mode, evening.state.terms.variant}
        if kinds - played:
            evening.play()
            played |= kinds
    assert {*MODES, *KEYS} <= played
    assert Told.told["match_settled"] > 5
