"""How somebody decides: easy and hard decisions, and how long they take."""

import pytest

from analysis.queue import report_make
from backgammon.engines.sage import house_engine
from fairplay.habits import decisions_of, habits
from fairplay.signals.play import OF_A_KIND_LEAST, MadeDecision, habits_of
from games.models import TableEvent
from tests.archive.conftest import hilde, magriel, played

__all__ = ["hilde", "magriel", "played"]


def made(gap, *, exact, of, seconds):
    return [MadeDecision(gap, 0.0 if number < exact else 0.08, seconds) for number in range(of)]


def test_hard_and_easy_decisions_are_counted_apart():
    found = habits_of(
        made(0.01, exact=12, of=24, seconds=14.0)
        + made(0.2, exact=36, of=40, seconds=3.0)
        + made(0.07, exact=0, of=50, seconds=99.0)  # neither
    )
    assert (found.hard, found.easy) == (0.5, 0.9)
    assert (found.hard_seconds, found.easy_seconds) == (14.0, 3.0)


def test_few_decisions_say_nothing():
    found = habits_of(made(0.01, exact=5, of=OF_A_KIND_LEAST - 1, seconds=4.0))
    assert (found.hard, found.hard_seconds) == (None, None)
    assert habits_of(made(0.01, exact=5, of=OF_A_KIND_LEAST, seconds=None)).hard_seconds is None


@pytest.mark.django_db(transaction=True)
def test_each_counted_play_has_the_time_from_its_dice(played):
    report = report_make(played, house_engine(), "full")
    times = {}
    since = 0
    for event in TableEvent.objects.filter(table=played.table).order_by("seq"):
        if event.type in ("game_started", "dice_rolled"):
            since = event.payload["at_ms"]
        elif event.type == "play_made":
            seat = event.payload["seat"]
            times.setdefault(seat, []).append((event.payload["at_ms"] - since) / 1000)
            since = event.payload["at_ms"]
    assert sum(map(len, times.values())) == 3
    for seat, user_id in enumerate(played.players):
        found = [each.seconds for each in decisions_of(user_id, played, report)]
        plays = [seconds for seconds in found if seconds is not None]
        assert plays
        assert set(plays) <= set(times[seat])
        assert habits(user_id, [played]).hard is None  # three turns are too few
