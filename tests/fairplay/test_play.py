"""Help of an engine and habits: the rules as pure functions, and the check of players."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import User
from analysis.models import DecisionRow, Report
from analysis.reports import report_make
from backgammon.engines.sage import house_engine
from fairplay.facts import decisions_of, habits
from fairplay.models import Case
from fairplay.play import player_check, players_check
from fairplay.procedure import CaseState
from fairplay.signals.play import (
    LEAST,
    OF_A_KIND_LEAST,
    MadeDecision,
    Sample,
    habits_of,
    judged_play,
    judged_player,
    limit,
)
from games.models import Bar, Match, TableEvent
from harness.wallets import handed_over
from tests.archive.conftest import hilde, magriel, played


def exact_share(pr):
    """About how many decisions of such a player lose nothing (docs/fairplay.md)."""
    return 1 - 0.085 * pr**0.6


def sample(decisions, pr):
    """Decisions with this error rate and the usual share of those without loss."""
    return Sample(decisions, pr / 500 * decisions, round(exact_share(pr) * decisions))


def test_an_engine_is_found_and_a_world_champion_is_not():
    past = sample(3_000, 5.3)
    assert judged_play(sample(125, 0.8), sample(375, 0.8), Sample()).rule == "beyond"
    assert judged_play(sample(500, 2.8), sample(1_500, 2.8), Sample()).rule == ""
    assert judged_play(sample(500, 5.3), sample(1_500, 5.2), past).rule == ""


def test_half_of_the_help_is_found_by_the_own_past_only():
    screen, test = sample(500, 2.5), sample(1_500, 2.5)
    assert judged_play(screen, test, Sample()).rule == ""
    judged = judged_play(screen, test, sample(4_000, 5.3))
    assert judged.rule == "past"
    assert judged.odds >= 1_000


def test_what_raised_the_suspicion_is_not_what_is_tested():
    past = sample(4_000, 5.3)
    assert judged_play(sample(500, 0.5), sample(1_500, 5.3), past).rule == ""
    assert judged_play(sample(500, 5.3), sample(1_500, 1.5), past).rule == ""


def test_nobody_is_judged_by_few_decisions():
    few = sample(LEAST // 2 - 1, 0.1)
    assert judged_play(few, few, sample(9_000, 6.0)).rule == ""
    assert judged_player([few] * 2).matches == 0


def test_learners_get_better_without_suspicion():
    """From a beginner to an advanced player, the last step the largest."""
    lately, before = [sample(70, 9.0)] * 30, [sample(70, 24.0)] * 60
    found = judged_player(lately + before)
    assert found.judged.z > limit()
    assert found.judged.rule == ""


def test_the_shortest_window_that_alarms_counts():
    """Somebody who has just begun to ask is not hidden by their matches before."""
    found = judged_player([sample(70, 1.0)] * 8 + [sample(70, 6.0)] * 100)
    assert (found.judged.rule, found.matches) == ("beyond", 8)
    found = judged_player([sample(70, 3.0)] * 29 + [sample(70, 6.0)] * 100)
    assert (found.judged.rule, found.matches) == ("past", 29)


def decisions(report, pr, seat=1, many=250):
    """Counted decisions of a seat with this error rate."""
    exact = round(exact_share(pr) * many)
    loss = pr / 500 * many / (many - exact)
    return [
        DecisionRow(
            report=report, game=1, number=number, seat=seat, kind="play", counted=True,
            loss=0.0 if number < exact else loss, ply=3, line={"gap": 0.01},
        )
        for number in range(many)
    ]  # fmt: skip


@pytest.fixture
def analysed(person, dice):
    """`analysed(player, pr, matches)`: the player's full analyses, the oldest first."""
    dice((3, 1), (4, 2))
    made = iter(range(10_000))

    def make(player: User, rates: list[float]) -> None:
        for pr in rates:
            number = next(made)
            match = handed_over(person(f"other{number}"), player, mode="normal")
            ended_at = timezone.now() - timedelta(days=100) + timedelta(hours=number)
            Match.objects.filter(pk=match.pk).update(ended_at=ended_at)
            report = Report.objects.create(
                match=match, engine="bgsage", version="2", depth="full", figures={}
            )
            DecisionRow.objects.bulk_create(decisions(report, pr))

    return make


def test_a_new_account_that_plays_like_an_engine_is_asked_and_pauses(person, analysed):
    player = person("player")
    analysed(player, [0.8] * 4)
    assert players_check() == 5
    case = Case.objects.get()
    assert (case.kind, case.state) == ("engine", CaseState.OPEN)
    assert {fact["key"] for fact in case.evidence} == {"play_pr", "decisions", "hard"}
    assert case.parties.get(role="accused").user == player
    assert Bar.objects.get().kind == "stakes"
    players_check()
    assert Case.objects.count() == 1


@pytest.mark.slow
def test_an_established_player_goes_on_while_people_decide(person, analysed):
    player = person("player")
    player.date_joined = timezone.now() - timedelta(days=200)
    player.save()
    analysed(player, [6.0] * 8 + [1.5] * 4)
    judged = player_check(player)
    assert judged.rule == "past"
    assert not Bar.objects.exists()
    evidence = {fact["key"]: fact for fact in Case.objects.get().evidence}
    assert "odds" in evidence["exact"]
    assert "odds" not in evidence["play_pr"]
    # the last 500 decisions alarm: of the ten matches before, two were played like that already
    assert Case.objects.get().evidence[0]["elsewhere"] == pytest.approx(5.1)


def test_nobody_who_plays_as_always_gets_a_case(person, analysed):
    player = person("player")
    analysed(player, [6.0] * 8)
    assert player_check(player).rule == ""
    assert not Case.objects.exists()


def test_a_match_that_was_analysed_twice_counts_once(person, analysed):
    player = person("player")
    analysed(player, [0.8])
    report = Report.objects.get(match__player_1=player, depth="full")
    again = Report.objects.create(
        match=report.match, engine="bgsage", version="3", depth="full", figures={}
    )
    DecisionRow.objects.bulk_create(decisions(again, 6.0))
    analysed(player, [0.8])
    assert player_check(player).rule == ""  # 500 decisions, not 750, and half of them human


# --- habits ---------------------------------------------------------------------------------------
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
