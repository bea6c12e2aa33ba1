"""Help of an engine: the rules as pure functions, and the check of players with real rows."""

import random
from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import User
from analysis.models import Report, ThemeSum
from fairplay.models import Case
from fairplay.play import player_check, players_check
from fairplay.procedure import State
from fairplay.signals.play import LEAST, Sample, judged_play
from games.models import Bar, Match
from tests.fairplay.conftest import handed_over

SPREAD = 0.04


def sample(decisions, pr):
    """Decisions with this error rate and a usual spread of losses."""
    mean = pr / 500
    return Sample(decisions, mean * decisions, (SPREAD**2 + mean**2) * decisions)


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
    assert judged_play(few, few, sample(9_000, 6.0)).looks == 0


def test_few_honest_players_are_suspected():
    alarms, chance = 0, random.Random(1)
    for _ in range(2_000):
        own = chance.uniform(2.9, 12)
        parts = [
            sample(size, max(own + chance.gauss(0, 1) * 500 * SPREAD / size**0.5, 0.1))
            for size in (250, 750, 3_000)
        ]
        alarms += bool(judged_play(*parts).rule)
    assert alarms <= 4


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
            counted = sample(250, pr)
            ThemeSum.objects.create(
                report=report, seat=1, theme="opening", counted=counted.decisions,
                lost=counted.lost, counted_lost=counted.lost, squares=counted.squares, gift=0,
                in_points=False,
            )  # fmt: skip

    return make


@pytest.mark.django_db(transaction=True)
def test_a_new_account_that_plays_like_an_engine_is_asked_and_pauses(person, analysed):
    player = person("player")
    analysed(player, [0.8] * 4)
    assert players_check() == 5
    case = Case.objects.get()
    assert (case.kind, case.state) == ("engine", State.OPEN)
    assert {fact["key"] for fact in case.evidence} == {"play_pr", "decisions"}
    assert case.parties.get(role="accused").user == player
    assert Bar.objects.get().kind == "stakes"
    players_check()
    assert Case.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_an_established_player_goes_on_while_people_decide(person, analysed):
    player = person("player")
    player.date_joined = timezone.now() - timedelta(days=200)
    player.save()
    analysed(player, [6.0] * 8 + [1.5] * 4)
    judged = player_check(player)
    assert judged.rule == "past"
    assert not Bar.objects.exists()
    assert Case.objects.get().evidence[0]["elsewhere"] == pytest.approx(6.0)


@pytest.mark.django_db(transaction=True)
def test_nobody_who_plays_as_always_gets_a_case(person, analysed):
    player = person("player")
    analysed(player, [6.0] * 8)
    assert player_check(player).rule == ""
    assert not Case.objects.exists()
