"""Administrators void and decide matches; bars keep people from tables."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.contrib.auth.models import Permission
from django.db import IntegrityError
from django.utils import timezone

from accounts.models import User
from games.models import Match
from games.services.administration import (
    MayNotDecide,
    ReasonMissing,
)
from games.services.bars import Barred, BarredForGood, OpenerBarred, bar_lift, bar_place, bars_of
from games.services.challenges import challenge_accept, challenge_make
from games.services.lobby import quick_pair, tables_close_unpayable
from games.services.match_decisions import match_void_decided
from games.services.practice import practice_open
from games.services.tables import table_join, table_open
from games.table import commands as cmd
from games.table.errors import MatchOver
from harness.decisions import adjudicate_shown, void_shown
from harness.decisions import administrator as administrator_named
from ledger.audit import run
from ledger.errors import InsufficientCredits
from ledger.models import JournalEntry, Transfer
from ledger.selectors import house_totals
from ledger.services.books import stakes_escrow
from ratings.selectors import rating_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def administrator(transactional_db) -> User:
    return administrator_named("ida")


@pytest.fixture
def match(sitting, dice) -> Match:
    """A running match with dice on the board."""
    dice((3, 1), (4, 2))
    sitting.turn()
    return Match.objects.get()


def audit_is_clean() -> bool:
    return not [result for result in run().results if result.findings]


@pytest.mark.slow
def test_voiding_a_running_match_gives_the_stakes_back(sitting, match, administrator):
    void_shown(match.pk, administrator, "a broken table")
    match.refresh_from_db()
    assert (match.ending, match.winner_seat, match.rake_cents) == ("voided", None, 0)
    assert sitting.balances() == (10_000, 10_000)
    assert sitting.state.phase == "closed"
    assert audit_is_clean()


@pytest.mark.slow
def test_voiding_a_settled_match_takes_everything_back(sitting, match, administrator):
    sitting.give(1, cmd.Leave())
    assert sitting.balances() == (10_200, 9_750)
    void_shown(match.pk, administrator, "engine use")
    assert sitting.balances() == (10_000, 10_000)
    assert house_totals().rake_cents == 0
    for user in sitting.players:
        rating = rating_of(user.pk, "prize")
        assert (rating.elo, rating.experience) == (Decimal(1500), 0)
    assert audit_is_clean()
    with pytest.raises(MatchOver):
        void_shown(match.pk, administrator, "once more")


@pytest.mark.slow
def test_a_settled_match_can_be_voided_after_a_rematch_has_begun(sitting, match, administrator):
    sitting.give(1, cmd.Leave())
    sitting.give(0, cmd.Rematch())
    sitting.give(1, cmd.Rematch())
    assert sitting.balances() == (10_200 - 250, 9_750 - 250)
    void_shown(match.pk, administrator, "engine use")
    assert sitting.balances() == (10_000 - 250, 10_000 - 250)
    assert sitting.state.before_first_roll  # the second match is not affected
    assert audit_is_clean()
    with pytest.raises(MatchOver):
        void_shown(match.pk, administrator, "once more")
    with pytest.raises(MatchOver):
        adjudicate_shown(match.pk, administrator, 1, "no")


def test_a_settled_match_can_be_voided_after_its_table_was_closed(sitting, match, administrator):
    sitting.give(1, cmd.Leave())
    sitting.give(0, cmd.StandUp())
    assert sitting.state.phase == "closed"
    void_shown(match.pk, administrator, "engine use")
    assert sitting.balances() == (10_000, 10_000)
    match.refresh_from_db()
    assert (match.ending, match.winner_seat) == ("voided", None)
    assert audit_is_clean()
    with pytest.raises(MatchOver):
        void_shown(match.pk, administrator, "once more")
    with pytest.raises(MatchOver):
        adjudicate_shown(match.pk, administrator, 1, "no")


def test_a_prize_that_is_spent_cannot_be_taken_back(sitting, match, administrator, tilo):
    sitting.give(1, cmd.Leave())
    winner = sitting.players[0]
    stakes_escrow(reference="match:elsewhere", stakes={winner.pk: 10_100, tilo.pk: 100})
    with pytest.raises(InsufficientCredits):
        void_shown(match.pk, administrator, "engine use")
    match.refresh_from_db()
    assert match.ending == "left"
    assert rating_of(winner.pk, "prize").experience == 5


def test_a_running_match_can_be_decided(sitting, match, administrator):
    adjudicate_shown(match.pk, administrator, 1, "no way on")
    match.refresh_from_db()
    assert (match.ending, match.winner_seat) == ("adjudicated", 1)
    assert sitting.balances() == (9_750, 10_200)
    assert audit_is_clean()
    with pytest.raises(MatchOver):
        adjudicate_shown(match.pk, administrator, 0, "no")


def test_every_decision_is_in_the_journal(match, administrator):
    void_shown(match.pk, administrator, "a broken table")
    entry = JournalEntry.objects.get()
    assert (entry.verb, entry.subject) == ("match.void", match.reference)
    assert entry.before == {
        "ending": "",
        "winner_seat": None,
        "paid_cents": None,
        "rake_cents": None,
    }
    assert entry.after == {
        "ending": "voided",
        "winner_seat": None,
        "stake_cents": 250,
        "paid_cents": [250, 250],
        "rake_cents": 0,
        "alone_cents": 250,
    }
    assert (entry.actor, entry.reason) == (administrator, "a broken table")


def test_only_who_may_decides_and_never_his_own(sitting, match, tilo, administrator):
    with pytest.raises(MayNotDecide):
        void_shown(match.pk, tilo, "please")
    player = sitting.players[0]
    player.user_permissions.add(Permission.objects.get(codename="decide_match"))
    player = User.objects.get(pk=player.pk)
    with pytest.raises(MayNotDecide):
        adjudicate_shown(match.pk, player, 0, "mine")
    with pytest.raises(ReasonMissing):
        void_shown(match.pk, administrator, "  ")
    assert sitting.state.phase in ("roll", "play")


# --- bars -----------------------------------------------------------------------------------------
STAKED = {"mode": "prize5", "stake_cents": 250}
FREE = {"mode": "normal"}


def soon(hours=1):
    return timezone.now() + timedelta(hours=hours)


def barred(user, kind, **wish):
    return bar_place(user_id=user.pk, kind=kind, reference="case:1", **wish)


@pytest.mark.parametrize(
    ("kind", "refused"),
    [("stakes", [STAKED]), ("rated", [STAKED, FREE]), ("lobby", [STAKED, FREE])],
)
def test_a_bar_keeps_from_the_tables_that_it_names(magriel, kind, refused):
    barred(magriel, kind, ends_at=soon())
    for terms in (STAKED, FREE):
        if terms in refused:
            with pytest.raises(Barred) as found:
                table_open(user=magriel, **terms)
            assert found.value.fields["until_ms"] > timezone.now().timestamp() * 1000
    allowed = [terms for terms in (FREE, STAKED) if terms not in refused]
    for terms in allowed[:1]:
        table_open(user=magriel, **terms)
    assert len(bars_of(magriel.pk)) == 1


def test_practice_is_always_possible(magriel):
    barred(magriel, "lobby")
    practice_open(user=magriel)


def test_a_bar_without_an_end_stays_until_it_is_lifted(magriel):
    barred(magriel, "lobby")
    barred(magriel, "lobby", ends_at=soon())
    with pytest.raises(BarredForGood):
        table_open(user=magriel, **FREE)
    assert bar_lift(reference="case:1") == 1
    assert bar_lift(reference="case:1") == 0
    table_open(user=magriel, **FREE)


def test_a_bar_ends_by_itself(magriel):
    barred(magriel, "lobby", ends_at=timezone.now() - timedelta(seconds=1))
    table_open(user=magriel, **FREE)
    assert bars_of(magriel.pk) == []


def test_two_who_are_kept_apart_do_not_meet_by_any_way(magriel, hilde, tilo):
    one, other = sorted((magriel, hilde), key=lambda user: user.pk)
    barred(one, "meeting", other_id=other.pk, ends_at=soon())
    table = table_open(user=magriel, **STAKED)
    for attempt in (
        lambda: table_join(user=hilde, table_id=table.pk),
        lambda: challenge_make(user=hilde, opponent_id=magriel.pk, **STAKED),
    ):
        with pytest.raises(Barred):
            attempt()
    assert quick_pair(user=hilde, **STAKED).table.pk != table.pk
    table_join(user=tilo, table_id=table.pk)
    assert Match.objects.get().players == (magriel.pk, tilo.pk)


def test_an_accepted_challenge_is_checked_again(magriel, hilde):
    challenge = challenge_make(user=magriel, opponent_id=hilde.pk, **STAKED)
    one, other = sorted((magriel, hilde), key=lambda user: user.pk)
    barred(one, "meeting", other_id=other.pk, ends_at=soon())
    with pytest.raises(Barred):
        challenge_accept(user=hilde, challenge_id=challenge.pk)
    assert not Match.objects.exists()


def test_a_bar_of_two_needs_two_and_one_of_one_takes_no_other(magriel, hilde):
    with pytest.raises(IntegrityError):
        barred(magriel, "meeting")
    with pytest.raises(IntegrityError):
        barred(hilde, "lobby", other_id=magriel.pk)


def test_a_match_of_a_decided_case_is_taken_back_once_by_two_people(sitting, dice):
    dice((3, 1), (4, 2))
    sitting.turn()
    sitting.give(1, cmd.Leave())
    match = Match.objects.get()
    actor, approver = administrator_named("ida"), administrator_named("otto")
    wish = {"match_id": match.pk, "actor": actor, "approver": approver, "reason": "case 1"}
    assert match_void_decided(**wish) is True
    assert match_void_decided(**wish) is False
    assert sitting.balances() == (10_000, 10_000)
    booked = Transfer.objects.get(kind="correct")
    assert (booked.actor, booked.approver) == (actor, approver)
    assert JournalEntry.objects.get(verb="match.void").actor == actor
    assert not [result for result in run().results if result.findings]
    with pytest.raises(MayNotDecide):
        match_void_decided(**wish | {"actor": sitting.players[0]})


def test_nobody_sits_down_with_an_opener_who_was_barred_since(magriel, hilde, tilo):
    table = table_open(user=magriel, **STAKED)
    challenge = challenge_make(user=magriel, opponent_id=tilo.pk, **STAKED)
    barred(magriel, "stakes", ends_at=soon())
    with pytest.raises(OpenerBarred):
        table_join(user=hilde, table_id=table.pk)
    with pytest.raises(OpenerBarred):
        challenge_accept(user=tilo, challenge_id=challenge.pk)
    assert not Match.objects.exists()
    assert tables_close_unpayable() == 1
