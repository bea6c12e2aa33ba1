"""Prizes that the house adds to a pool: who may, where the credits come from, and where they go."""

from datetime import timedelta
from functools import partial

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from accounts.roles import Role, role_give
from harness.tournaments import called, entered, escrow_cents, knockout, played
from harness.wallets import credits_bought, mailbox_proved
from ledger.audit import run as audit
from ledger.errors import BooksGuarded, NotAllowed, SecondFactorStale
from ledger.models import JournalEntry, Proposal
from ledger.postings import PostingLine
from ledger.selectors import account_balance, rake_balance, wallet_balance
from ledger.services.books import transfer_post
from ledger.services.database import refusals_told
from ledger.services.proposals import proposal_confirm
from ledger.templatetags.credits import credits_text
from tests.aging import guards_off
from tests.racing import racers, tries
from tests.tournaments.test_audit import found
from tests.tournaments.test_money import decided
from tests.tournaments.test_pages import client_of, page
from tournaments import settlement
from tournaments.engine.terms import TournamentTerms
from tournaments.errors import AddedByYou, NothingToAdd
from tournaments.models import Phase, Tournament
from tournaments.pools import Pool
from tournaments.services.adding import prizes_add
from tournaments.services.entering import tournament_enter, tournament_withdraw
from tournaments.services.holding import tournament_hold
from tournaments.services.running import tournament_move_on

HOUSE = "promo_issue:tournaments"


@pytest.fixture
def anna(transactional_db) -> User:
    return administrator("anna")


@pytest.fixture
def bert(transactional_db) -> User:
    return administrator("bert")


def administrator(name: str) -> User:
    user = User.objects.create_user(name)
    role_give(user, Role.ADMINISTRATOR)
    return user


def added(actor: User, tournament: Tournament, cents: int = 2_000):
    made = prizes_add(
        actor=actor,
        tournament_id=tournament.pk,
        cents=cents,
        reason="the club is one year old",
        verified_at=timezone.now(),
    )
    tournament.refresh_from_db()
    return made


def confirmed(actor: User, proposal: Proposal):
    return proposal_confirm(proposal_id=proposal.pk, actor=actor, verified_at=timezone.now())


def test_the_example_of_the_rules():
    pool = Pool(500, 1_000, (4_000, 2_200, 1_100, 1_100, 400, 400, 400, 400), 24, added_cents=2_000)
    assert (pool.total_cents, pool.rake_cents, pool.prizes_cents) == (14_000, 1_200, 12_800)
    assert sum(pool.of_places()) == 12_800


def test_added_credits_are_won_without_a_rake(people, dice, anna):
    tournament = knockout(4, 250)
    added(anna, tournament)
    assert (tournament.added_cents, escrow_cents(tournament)) == (2_000, 2_000)
    assert account_balance(HOUSE) == -2_000
    entered(tournament, people(4))
    while meetings := called(tournament):
        for meeting in meetings:
            played(meeting, meeting.player_0)
    prizes = sorted(tournament.entries.values_list("prize_cents", flat=True))
    assert prizes == [0, 0, 870, 2_030]  # 30 % and 70 % of 10.00 - 1.00 + 20.00
    assert (escrow_cents(tournament), rake_balance()) == (0, 100)
    assert audit().finding_count == 0


def test_without_enough_players_everything_goes_back(people, anna, monkeypatch):
    (one,) = people(1)
    for players in ([], [one]):
        terms = TournamentTerms("knockout", length=1, least=2, most=8)
        starts_at = timezone.now() + timedelta(minutes=5)
        tournament = tournament_hold(
            founder=None, name="Early", terms=terms, fee_cents=250, starts_at=starts_at
        )
        added(anna, tournament, 700)
        for player in players:
            tournament_enter(user=player, tournament_id=tournament.pk)
        with guards_off():
            Tournament.objects.filter(pk=tournament.pk).update(starts_at=timezone.now())
        tournament_move_on(tournament.pk)
        tournament.refresh_from_db()
        assert tournament.phase == Phase.CALLED_OFF
        assert (escrow_cents(tournament), account_balance(HOUSE)) == (0, 0)
    assert wallet_balance(one.pk) == 1_000
    assert audit().finding_count == 0


def test_more_than_one_person_moves_alone_needs_a_second_one(anna, bert):
    tournament = knockout(4, 250)
    proposal = added(anna, tournament, 2_001)
    assert isinstance(proposal, Proposal)
    assert (tournament.added_cents, escrow_cents(tournament)) == (0, 0)
    with pytest.raises(NotAllowed):
        confirmed(anna, proposal)
    confirmed(bert, proposal)
    tournament.refresh_from_db()
    assert (tournament.added_cents, escrow_cents(tournament)) == (2_001, 2_001)
    confirmed(bert, proposal)  # again: nothing
    assert account_balance(HOUSE) == -2_001
    journal = JournalEntry.objects.filter(subject=tournament.reference).order_by("id")
    told = list(journal.values_list("verb", "actor__username"))
    assert told == [
        ("proposal.make", "anna"), ("tournament.add", "bert"), ("proposal.confirm", "bert"),
    ]  # fmt: skip
    assert audit().finding_count == 0


def test_what_is_added_alone_counts_towards_the_limit_of_the_day(anna):
    assert isinstance(added(anna, knockout(4, 250), 1_500), Tournament)
    assert isinstance(added(anna, knockout(4, 250), 501), Proposal)


def test_players_have_no_right_and_an_old_factor_is_not_enough(people, anna):
    (one,) = people(1)
    tournament = knockout(4, 250)
    with pytest.raises(NotAllowed):
        added(one, tournament)
    with pytest.raises(SecondFactorStale):
        prizes_add(actor=anna, tournament_id=tournament.pk, cents=1, reason="old", verified_at=None)
    assert escrow_cents(tournament) == 0


def test_nobody_adds_to_a_tournament_of_their_own(people, anna, bert):
    tournament, other = knockout(4, 250), knockout(4, 250)
    paid_up(anna)
    paid_up(bert)
    tournament_enter(user=anna, tournament_id=tournament.pk)
    with pytest.raises(NotAllowed):
        added(anna, tournament)
    proposal = added(bert, tournament, 5_000)
    with pytest.raises(NotAllowed):
        confirmed(anna, proposal)
    added(anna, other)
    with pytest.raises(AddedByYou):
        tournament_enter(user=anna, tournament_id=other.pk)
    assert audit().finding_count == 0


def paid_up(user: User) -> None:
    mailbox_proved(user)
    credits_bought(user, 1_000)


def test_credits_are_added_once_before_the_draw_and_to_fees_alone(people, anna, bert):
    free, running, twice = knockout(4), knockout(4, 250), knockout(4, 250)
    waiting = added(bert, running, 5_000)
    entered(running, people(4))
    added(anna, twice, 500)
    for tournament in (free, running, twice):
        with pytest.raises(NothingToAdd):
            added(anna, tournament, 500)
    with pytest.raises(NothingToAdd):
        confirmed(anna, waiting)
    assert account_balance(HOUSE) == -500


def test_the_database_refuses_what_no_decision_added(anna, people):
    tournament, other = knockout(4, 250), knockout(4, 250)
    added(anna, tournament, 500)
    entered(other, people(4))
    books = {"kind": "add", "reference": other.reference, "actor": anna, "memo": "mine"}
    lines = (PostingLine(HOUSE, -500), PostingLine(f"escrow:{other.reference}", 500))
    with pytest.raises(BooksGuarded, match="added"), refusals_told(), transaction.atomic():
        transfer_post(key=f"{other.reference}:add", lines=lines, **books)
    for row, cents in ((other, 500), (tournament, 0)):
        with pytest.raises(IntegrityError, match="what was agreed"), transaction.atomic():
            Tournament.objects.filter(pk=row.pk).update(added_cents=cents)
    assert audit().finding_count == 0


def test_nothing_is_added_to_a_match(anna):
    reference = "match:00000000-0000-4000-8000-000000000000"
    lines = (PostingLine(HOUSE, -500), PostingLine(f"escrow:{reference}", 500))
    with pytest.raises(BooksGuarded), refusals_told(), transaction.atomic():
        transfer_post(
            key=f"{reference}:add", kind="add", reference=reference, lines=lines, actor=anna,
            memo="mine",
        )  # fmt: skip


@pytest.mark.slow
def test_a_forged_addition_is_found(people, anna):
    tournament = knockout(4, 250)
    added(anna, tournament, 500)
    assert found() == set()
    with guards_off():
        Tournament.objects.filter(pk=tournament.pk).update(added_cents=900)
    assert found() == {"T2", "T3"}
    with guards_off():
        Tournament.objects.filter(pk=tournament.pk).update(added_cents=500)
        JournalEntry.objects.filter(verb="tournament.add").delete()
    assert found() == {"T3"}


@pytest.mark.parametrize("broken", ["prizes_add", "prizes_pay", "all_go_back"])
def test_what_breaks_on_the_way_leaves_nothing_behind(people, anna, monkeypatch, broken):
    def fail(*_args, **_more):
        raise RuntimeError("the power is gone")

    tournament = knockout(4, 250)
    if broken == "prizes_add":
        with monkeypatch.context() as patched:
            patched.setattr(settlement, broken, fail)
            with pytest.raises(RuntimeError):
                added(anna, tournament)
        tournament.refresh_from_db()
        assert (tournament.added_cents, escrow_cents(tournament)) == (0, 0)
        assert not JournalEntry.objects.filter(verb="tournament.add").exists()
    added(anna, tournament)
    if broken == "prizes_pay":
        entered(tournament, people(4))
        decided(tournament, lambda meeting: meeting.player_0_id)
        with monkeypatch.context() as patched:
            patched.setattr(settlement, broken, fail)
            with pytest.raises(RuntimeError):
                decided(tournament, lambda meeting: meeting.player_0_id)
        assert escrow_cents(tournament) == 3_000
        decided(tournament, lambda meeting: meeting.player_0_id)
        assert escrow_cents(tournament) == 0
    assert audit().finding_count == 0


def test_adding_and_drawing_at_once_keep_the_pool_whole(people, anna):
    players = people(4, 100_000)
    with racers(5) as race:
        for _ in range(tries(2, long=50)):
            tournament = knockout(4, 250)
            for player in players:
                tournament_enter(user=player, tournament_id=tournament.pk)
            add = partial(
                prizes_add, actor=anna, tournament_id=tournament.pk, cents=1, reason="late",
                verified_at=timezone.now(),
            )  # fmt: skip
            leave = partial(tournament_withdraw, user=players[0], tournament_id=tournament.pk)
            race([add, add, partial(tournament_move_on, tournament.pk), leave, add])
            tournament.refresh_from_db()
            standing = tournament.entries.filter(withdrawn_at=None).count()
            assert tournament.added_cents in (0, 1)
            assert escrow_cents(tournament) == 250 * standing + tournament.added_cents
            for player in players if tournament.phase == Phase.REGISTERING else ():
                if tournament.entries.filter(withdrawn_at=None, user=player).exists():
                    tournament_withdraw(user=player, tournament_id=tournament.pk)
    assert audit().finding_count == 0


def test_everybody_sees_what_was_added(people, anna):
    (one,) = people(1)
    tournament = knockout(4, 250)
    added(anna, tournament)
    client = client_of(one)
    assert f"{credits_text(2_000)} added" in client.get("/tournaments/").content.decode()
    text = page(client, tournament)
    assert "Added by the house" in text
    assert "29.00" in text  # the prizes together
    answer = client.get(reverse("tournament_file", args=[tournament.pk, "json"])).json()
    assert answer["added_cents"] == 2_000
