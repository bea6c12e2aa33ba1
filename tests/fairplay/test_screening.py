"""The radar holds what was handed over before it can be paid out, and lets honest winnings go."""

from datetime import timedelta

import pytest
from django.db.models import F
from django.utils import timezone

from accounts.models import User
from analysis.models import Report, ThemeSum
from fairplay.facts import pair_after
from fairplay.models import Case, Screening, ScreeningLevel, ScreeningStage
from fairplay.procedure import CaseState
from fairplay.screening import result_screen, results_screen
from games.models import Match
from games.services.bars import Barred
from games.services.gains import result_of
from games.table import commands as cmd
from harness.handovers import handed_over
from harness.wallets import credits_bought, payout_asked
from ledger.errors import CreditsHeld, ResultsUnchecked
from ledger.models import Clearance, Hold
from ledger.selectors import held_cents

SMALL = {"mode": "prize5", "stake_cents": 250}

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


def test_credits_handed_over_are_held_before_a_payout_can_be_asked_for(person, dice):
    dice((3, 1), (4, 2))
    giver, taker = person("giver", 500), person("taker", 500)
    match = handed_over(giver, taker)
    with pytest.raises(ResultsUnchecked):
        payout_asked(taker, 900)
    assert results_screen() == 1
    with pytest.raises(CreditsHeld):
        payout_asked(taker, 900, key="second")
    hold = Hold.objects.get()
    assert (hold.user_id, hold.amount_cents) == (taker.pk, match.paid_cents[1] - 500)
    case = Case.objects.get()
    assert (case.kind, case.state) == ("dump", CaseState.OPEN)
    assert {fact["key"] for fact in case.evidence} >= {"net", "given_up", "share"}


def test_the_two_are_kept_apart_meanwhile_and_play_others(alarm, person):
    giver, taker = (party.user for party in alarm.parties.order_by("user_id"))
    credits_bought(giver, 500)
    with pytest.raises(Barred):
        handed_over(giver, taker)
    handed_over(person("third"), person("other"))
    assert Match.objects.count() == 2


def test_an_honest_loss_is_cleared_and_paid_out(sitting, dice, person):
    dice((3, 1), (4, 2))
    sitting.turn()
    sitting.give(1, cmd.Leave())
    Match.objects.update(started_at="2026-01-01T00:00Z")
    assert results_screen() == 1
    row = Screening.objects.get()
    assert (row.level, row.stage) == (ScreeningLevel.CLEAR, ScreeningStage.KNOWN)
    assert not Case.objects.exists()
    assert Clearance.objects.count() == 1


def test_a_match_is_screened_once_a_stage(alarm):
    match = Match.objects.get()
    first = Screening.objects.get()
    assert result_screen("match", match.pk, ScreeningStage.KNOWN) == first
    assert results_screen() == 0


def test_a_voided_match_is_clear(person, dice):
    dice((3, 1), (4, 2))
    match = handed_over(person("giver", 500), person("taker", 500))
    Match.objects.filter(pk=match.pk).update(ending="voided")
    match.refresh_from_db()
    assert result_screen("match", match.pk, ScreeningStage.KNOWN).level == ScreeningLevel.CLEAR


def test_a_house_that_does_not_act_only_notes_what_it_finds(person, dice, settings):
    settings.FAIRPLAY_ACTS = False
    dice((3, 1), (4, 2))
    handed_over(person("giver", 500), person("taker", 500))
    results_screen()
    assert Screening.objects.get().level == ScreeningLevel.HOLD
    assert not Case.objects.exists()
    assert not Hold.objects.exists()
    assert Clearance.objects.count() == 1


def test_everything_that_went_one_way_is_held_and_not_only_the_last_match(person, dice):
    dice((3, 1), (4, 2))
    giver, taker = person("giver", 20_000), person("taker", 2_000)
    giver.date_joined = timezone.now() - timedelta(days=300)
    giver.save()
    handed_over(giver, person("other", 2_000))
    Match.objects.update(started_at=timezone.now() - timedelta(hours=1))
    results_screen()
    transfers = 0
    while not Case.objects.exists():
        handed_over(giver, taker)
        results_screen()
        transfers += 1
    gains = [match.paid_cents[1] - 500 for match in Match.objects.filter(player_1=taker)]
    assert 1 < transfers == len(gains) < 5
    assert held_cents(taker.pk) == sum(gains)


def test_a_match_that_cannot_be_screened_keeps_no_other_waiting(person, dice):
    dice((3, 1), (4, 2))
    broken = handed_over(person("giver", 500), person("taker", 500))
    Match.objects.filter(pk=broken.pk).update(paid_cents=[1])
    second = handed_over(person("third", 500), person("fourth", 500))
    assert results_screen() == 1
    assert Clearance.objects.get().reference == second.reference


def test_old_accounts_that_each_give_a_little_to_one_player_are_found_together(person, dice):
    """They play others, too, so none of them stakes nearly all against this player."""
    dice((3, 1), (4, 2))
    taker = person("taker")
    for number in range(4):
        giver, other = person(f"giver{number}"), person(f"other{number}")
        User.objects.update(date_joined=timezone.now() - timedelta(days=400))
        handed_over(other, giver, **SMALL)
        handed_over(giver, taker, **SMALL)
        results_screen()
    case = Case.objects.filter(parties__user=taker).first()
    assert "ring" in {fact["key"] for fact in case.evidence}
    assert not Case.objects.exclude(parties__user=taker).exists()


def analysed(player, match, pr):
    """The full analysis of a match in which this player lost that much."""
    report = Report.objects.create(
        match=match, engine="bgsage", version="2", depth="full", figures={}
    )
    ThemeSum.objects.create(
        report=report, seat=match.players.index(player.pk), theme="opening", counted=250,
        lost=pr / 2, counted_lost=pr / 2, squares=1.0, gift=0.0, in_points=False,
    )  # fmt: skip


@pytest.mark.parametrize(("pr", "givers"), [(30.0, 1), (20.0, 0)])
def test_an_opponent_who_played_far_worse_than_elsewhere_is_a_giver(person, dice, pr, givers):
    dice((3, 1), (4, 2))
    taker, giver = person("taker"), person("giver")
    analysed(giver, handed_over(giver, person("other"), **SMALL), 6.0)
    analysed(giver, handed_over(giver, taker, **SMALL), pr)
    Match.objects.update(started_at=F("started_at") - timedelta(minutes=5))  # nobody gave up early
    last = handed_over(person("last"), taker, **SMALL)
    result = result_of(last)
    found = pair_after(result, result.passages[0])
    assert (found.facts.givers, found.facts.opponents) == (givers, 1)
