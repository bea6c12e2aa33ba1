"""The radar holds what was handed over before it can be paid out, and lets honest winnings go."""

from datetime import timedelta

import pytest
from django.db import connection
from django.db.models import F
from django.utils import timezone

from accounts.models import User
from analysis.models import Report, ThemeSum
from fairplay import screening
from fairplay.cases import Alarm, case_open, cases_move_on
from fairplay.facts import pair_after
from fairplay.models import Case, CaseKind, Complaint, Screening, ScreeningLevel, ScreeningStage
from fairplay.procedure import CaseState
from fairplay.screening import result_screen, results_screen
from games.models import Match
from games.services.bars import Barred
from games.services.gains import result_of
from games.services.packing import tables_pack
from games.table import commands as cmd
from harness.wallets import credits_bought, handed_over, payout_asked
from kit.sweeps import FIRST, Stuck, go_round, stuck_items
from ledger.errors import CreditsHeld, ResultsUnchecked
from ledger.models import Clearance, Hold
from ledger.seals import books_seal
from ledger.selectors import held_cents
from tests.aging import rows_age

pytestmark = pytest.mark.django_db(transaction=True)

SMALL = {"mode": "prize5", "stake_cents": 250}


@pytest.mark.slow
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


@pytest.mark.slow
def test_the_two_are_kept_apart_meanwhile_and_play_others(alarm, person):
    giver, taker = (party.user for party in alarm.parties.order_by("user_id"))
    credits_bought(giver, 500)
    with pytest.raises(Barred):
        handed_over(giver, taker)
    handed_over(person("third"), person("other"))
    assert Match.objects.count() == 2


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_match_is_screened_once_a_stage(alarm):
    match = Match.objects.get()
    first = Screening.objects.get()
    assert result_screen("match", match.pk, ScreeningStage.KNOWN) == first
    assert results_screen() == 0


@pytest.mark.slow
def test_a_voided_match_is_clear(person, dice):
    dice((3, 1), (4, 2))
    match = handed_over(person("giver", 500), person("taker", 500))
    Match.objects.filter(pk=match.pk).update(ending="voided")
    match.refresh_from_db()
    assert result_screen("match", match.pk, ScreeningStage.KNOWN).level == ScreeningLevel.CLEAR


@pytest.mark.slow
def test_a_house_that_does_not_act_only_notes_what_it_finds(person, dice, settings):
    settings.FAIRPLAY_ACTS = False
    dice((3, 1), (4, 2))
    handed_over(person("giver", 500), person("taker", 500))
    results_screen()
    assert Screening.objects.get().level == ScreeningLevel.HOLD
    assert not Case.objects.exists()
    assert not Hold.objects.exists()
    assert Clearance.objects.count() == 1


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_match_that_cannot_be_screened_keeps_no_other_waiting(person, dice):
    dice((3, 1), (4, 2))
    broken = handed_over(person("giver", 500), person("taker", 500))
    Match.objects.filter(pk=broken.pk).update(paid_cents=[1])
    second = handed_over(person("third", 500), person("fourth", 500))
    assert results_screen() == 1
    assert Clearance.objects.get().reference == second.reference


@pytest.mark.slow
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


@pytest.mark.slow
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


# --- what cannot be read --------------------------------------------------------------------------
def broken_by_the_database(match: Match) -> None:
    """What reading this match makes of its figures does not fit into the database."""
    Match.objects.filter(pk=match.pk).update(paid_cents=[0, 10**30])


def broken_by_its_form(match: Match) -> None:
    Match.objects.filter(pk=match.pk).update(paid_cents=[1])


@pytest.mark.parametrize("broken", [broken_by_the_database, broken_by_its_form])
def test_whatever_the_error_is_no_other_waits(person, dice, broken):
    dice((3, 1), (4, 2))
    broken(handed_over(person("giver", 500), person("taker", 500)))
    second = handed_over(person("third", 500), person("fourth", 500))
    assert results_screen() == 1
    assert Clearance.objects.get().reference == second.reference
    assert Stuck.objects.get().sweep == "screening match known"


def test_many_that_cannot_be_screened_take_no_place(person, dice, monkeypatch):
    monkeypatch.setattr(screening, "AT_ONCE", 2)
    dice((3, 1), (4, 2))
    for number in range(3):
        broken_by_its_form(handed_over(person(f"giver{number}"), person(f"taker{number}")))
    handed_over(person("third"), person("fourth"))
    assert [results_screen() for _ in range(3)] == [0, 1, 0]


def test_what_failed_is_tried_again_later_each_time_and_forgotten_once_done(db):
    def fail(_item):
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1 / 0")

    waits = []
    for _ in range(12):
        assert go_round("test", ["a", "b"], lambda item: fail(item) if item == "a" else 1) == 1
        row = Stuck.objects.get()
        waits.append(round((row.retry_at - timezone.now()) / FIRST))
        assert stuck_items("test") == ["a"]
        assert "division by zero" in row.error
    assert waits[:5] == [1, 2, 4, 8, 16]
    assert waits[-1] == 360
    assert row.failures == 12
    assert go_round("test", ["a"], lambda _item: 1) == 1
    assert not Stuck.objects.exists()


# --- what is contested is not packed --------------------------------------------------------------
NOW = timedelta(0)


@pytest.fixture
def match(sitting, dice):
    """A match at a table that is closed."""
    dice((3, 1), (4, 2))
    sitting.turn()
    sitting.give(1, cmd.Leave())
    sitting.give(0, cmd.StandUp())
    books_seal()
    return sitting.table.matches.get()


def test_a_match_in_an_open_case_stays_in_rows(match):
    case = case_open(
        Alarm(kind=CaseKind.DUMP, accused=frozenset(match.players), evidence=[], matches=[match])
    )
    assert tables_pack(older_than=NOW) == 0
    rows_age(Case.objects.filter(pk=case.pk), waits_until=timezone.now())
    assert cases_move_on() == 1
    assert tables_pack(older_than=NOW) == 1


def test_a_match_in_an_undecided_report_stays_in_rows(match):
    made = Complaint.objects.create(
        reporter_id=match.players[0], accused_id=match.players[1], match=match, reason="engine"
    )
    assert tables_pack(older_than=NOW) == 0
    rows_age(Complaint.objects.filter(pk=made.pk), outcome="cleared", decided_at=timezone.now())
    assert tables_pack(older_than=NOW) == 1
