"""Ratings by simultaneous connections: no match is lost, and none is rated twice."""

import threading
from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import pytest
from django.contrib.auth import get_user_model
from django.db import connections

from harness.waiting import WAIT_SECONDS
from ratings.models import RatingChange
from ratings.replay import check
from ratings.selectors import rating_of
from ratings.services import rating_settle, rating_void
from tests.racing import tries

pytestmark = pytest.mark.django_db(transaction=True)

CONNECTIONS = 8
TRIES = tries(4, long=20)


@pytest.fixture
def cast():
    make = get_user_model().objects.create_user
    return [make(f"player{number}").pk for number in range(4)]


def at_once(calls):
    """Run the calls on connections of their own, released by one barrier."""
    barrier = threading.Barrier(len(calls))

    def run(call):
        try:
            barrier.wait(timeout=WAIT_SECONDS)
            return call()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


def settle(winner: int, loser: int, reference: str):
    return rating_settle(reference=reference, pool="prize", winner_id=winner, loser_id=loser, n=5)


@pytest.mark.slow
def test_one_match_settled_eight_times_at_once_counts_once(cast) -> None:
    for _ in range(TRIES):
        reference = f"match:{uuid4()}"
        told = at_once([lambda r=reference: settle(cast[0], cast[1], r)] * CONNECTIONS)
        assert len({won.pk for won, _ in told}) == 1
    assert rating_of(cast[0], "prize").games == TRIES
    assert check() == []


@pytest.mark.slow
def test_crossing_matches_lose_no_change_and_never_deadlock(cast) -> None:
    pairs = [(a, b) for a in cast for b in cast if a != b][:CONNECTIONS]
    for _ in range(TRIES):
        at_once([lambda a=a, b=b: settle(a, b, f"match:{uuid4()}") for a, b in pairs])
    assert RatingChange.objects.count() == TRIES * 2 * CONNECTIONS
    assert check() == []


@pytest.mark.slow
def test_void_at_once_happens_once(cast) -> None:
    for _ in range(TRIES):
        reference = f"match:{uuid4()}"
        settle(cast[0], cast[1], reference)
        at_once([lambda r=reference: rating_void(reference=r)] * CONNECTIONS)
    view = rating_of(cast[0], "prize")
    assert (view.whole, view.experience, view.games) == (1500, 0, 0)
    assert check() == []
