"""Administrators void and decide matches: credits, rake, ratings and the journal follow."""

from decimal import Decimal

import pytest
from django.contrib.auth.models import Permission

from accounts.models import User
from games.models import Match
from games.services.administration import (
    MayNotDecide,
    ReasonMissing,
)
from games.table import commands as cmd
from games.table.errors import MatchOver
from harness.decisions import adjudicate_shown, void_shown
from harness.decisions import administrator as administrator_named
from ledger.audit import run
from ledger.errors import InsufficientCredits
from ledger.models import JournalEntry
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
