"""The stored JSON of random tables gives back their states, results and payouts."""

import os

import msgspec
import pytest

from backgammon.tests.amounts import amount
from games.modes.registry import mode_of
from games.prizes.payout import PrizeEnding, PrizeResult, payout
from games.table import events as ev
from games.table.evolve import replay
from games.wire import event_from_payload, event_payload
from harness.simulator.driver import Evening

TABLES = int(os.environ.get("REPLAYED_TABLES", amount(20, long=60)))
SEED = 11


@pytest.fixture(scope="module")
def evenings() -> list[Evening]:
    """Play this many tables to their ends."""
    played = [Evening(f"{SEED}:{number}") for number in range(TABLES)]
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
    assert settled > TABLES // 2
