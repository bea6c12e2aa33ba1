"""Satellites: their first prizes are seats in a later tournament, and no cent is lost."""

import random
from contextlib import suppress
from datetime import timedelta
from functools import partial

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.models import User
from backgammon.tests.amounts import amount
from fairplay.cases import Alarm, case_open
from fairplay.models import CaseKind
from games.kinds import kind_move_on
from games.table.errors import BadTerms, Busy
from harness.tournaments import entered, escrow_cents, knockout
from ledger.audit import run as audit
from ledger.selectors import rake_balance, wallet_balance
from ledger.services.limits import break_start, limit_set
from tests.aging import guards_off
from tests.racing import racers, tries
from tests.tournaments.test_audit import found
from tests.tournaments.test_money import crowd, decided
from tournaments.engine.draws import part_of_seat
from tournaments.engine.errors import TournamentError
from tournaments.engine.terms import TournamentTerms
from tournaments.models import Entry, Phase, Tournament
from tournaments.services import admission
from tournaments.services.entering import tournament_enter, tournament_withdraw
from tournaments.services.holding import tournament_hold
from tournaments.services.running import tournament_move_on

pytestmark = pytest.mark.slow

__all__ = ["crowd"]

HELD = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]


def target_of(fee_cents: int = 400, most: int = 8, **more) -> Tournament:
    starts_at = timezone.now() + timedelta(hours=2)
    terms = TournamentTerms("knockout", length=1, least=2, most=most)
    return tournament_hold(
        founder=None, name="Sunday", terms=terms, fee_cents=fee_cents, starts_at=starts_at, **more
    )


def won_by_the_first(tournament: Tournament) -> None:
    """Who entered earlier wins every match; who meets whom is drawn."""
    order = {entry.user_id: entry.number for entry in tournament.entries.all()}
    tournament.refresh_from_db()
    while tournament.phase == Phase.RUNNING:
        decided(tournament, lambda meeting: min(meeting.players, key=order.__getitem__))
        tournament.refresh_from_db()


def over(target: Tournament, players: list[User], fee_cents: int = 250) -> Tournament:
    """A satellite of this tournament that is over, won by the first of the players."""
    satellite = knockout(len(players), fee_cents, satellite_of=target)
    entered(satellite, players)
    won_by_the_first(satellite)
    return satellite


def by_place(satellite: Tournament) -> list[User]:
    """The players of a tournament that is over, the best first."""
    return [entry.user for entry in satellite.entries.order_by("first_place", "number")]


def seated(target: Tournament) -> set[int]:
    standing = Entry.objects.filter(tournament=target, withdrawn_at=None)
    return set(standing.values_list("user_id", flat=True))


# --- seats ------------------------------------------------------------------------------------


def test_winners_sit_in_the_target_and_the_others_have_their_credits(people):
    target = target_of()
    satellite = over(target, people(4))
    one, two, *_others = players = by_place(satellite)
    assert seated(target) == {one.pk, two.pk}
    assert (escrow_cents(satellite), escrow_cents(target), rake_balance()) == (0, 800, 100)
    assert [wallet_balance(each.pk) for each in players] == [750, 750, 800, 800]
    entry = Entry.objects.get(tournament=target, user=one)
    part = Entry.objects.get(tournament=satellite, user=one).part
    assert (entry.won_in_id, entry.part) == (satellite.pk, part_of_seat(part, str(target.pk)))
    assert audit().finding_count == 0
    tournament_withdraw(user=one, tournament_id=target.pk)  # as any entry
    assert wallet_balance(one.pk) == 1_150
    assert audit().finding_count == 0


def test_a_winner_can_still_give_a_part_once(people):
    one, *_others = players = people(4)
    target = target_of()
    over(target, players)
    first, second = "ab" * 16, "cd" * 16
    tournament_enter(user=one, tournament_id=target.pk)
    assert Entry.objects.get(tournament=target, user=one).part_given_at is None
    for part in (first, second):
        tournament_enter(user=one, tournament_id=target.pk, part=part)
        assert Entry.objects.get(tournament=target, user=one).part == first
    assert escrow_cents(target) == 800
    assert found() == set()


def test_nobody_changes_the_part_of_a_usual_entry(people):
    (one,) = people(1)
    target = target_of()
    tournament_enter(user=one, tournament_id=target.pk, part="ab" * 16)
    tournament_enter(user=one, tournament_id=target.pk, part="cd" * 16)
    entry = Entry.objects.get(tournament=target)
    assert entry.part == "ab" * 16
    with pytest.raises(IntegrityError, match="as it was made"), transaction.atomic():
        Entry.objects.filter(pk=entry.pk).update(part="cd" * 16, part_given_at=timezone.now())


ALONE = ("entered", "barred", "pause", "limit")


@pytest.mark.parametrize("why", ["full", "running", "called_off", *ALONE])
def test_without_a_seat_its_credits_are_in_the_wallet(people, why):
    one, two, three, four, five = people(5)  # the first one wins
    target = target_of(most=2)
    satellite = knockout(4, 250, satellite_of=target)
    entered(satellite, [one, two, three, four])
    if why in ("full", "running"):
        for player in (four, five):
            tournament_enter(user=player, tournament_id=target.pk)
    if why == "entered":
        tournament_enter(user=one, tournament_id=target.pk)
    if why in ("running", "called_off"):
        with guards_off():
            Tournament.objects.filter(pk=target.pk).update(starts_at=timezone.now())
        tournament_move_on(target.pk)
    if why == "barred":
        accused = frozenset({one.pk})
        case_open(Alarm(kind=CaseKind.EVASION, accused=accused, evidence=[], pausing=one.pk))
    if why == "pause":
        break_start(user=one)
    if why == "limit":
        limit_set(user=one, measure="stake", period="day", amount_cents=600)
    before = wallet_balance(one.pk)
    won_by_the_first(satellite)
    assert wallet_balance(one.pk) == before + 400
    assert not Entry.objects.filter(tournament=target, user=one, won_in=satellite).exists()
    assert escrow_cents(target) == 400 * len(seated(target))
    second = by_place(satellite)[1]
    assert (second.pk in seated(target)) == (why in ALONE)
    assert escrow_cents(satellite) == 0
    assert audit().finding_count == 0


def test_a_target_that_is_called_off_gives_the_fee_to_the_winner(people):
    players = people(4)
    target = target_of(fee_cents=900)
    over(target, players)
    assert (wallet_balance(players[0].pk), escrow_cents(target)) == (750, 900)
    with guards_off():
        Tournament.objects.filter(pk=target.pk).update(starts_at=timezone.now())
    tournament_move_on(target.pk)
    assert (wallet_balance(players[0].pk), escrow_cents(target)) == (1_650, 0)
    assert audit().finding_count == 0


def test_a_satellite_of_a_satellite(people):
    players = people(4)
    starts_at = timezone.now() + timedelta(hours=1)
    middle = tournament_hold(
        founder=None, name="Saturday", terms=TournamentTerms("knockout", length=1, least=2, most=4),
        fee_cents=400, starts_at=starts_at, satellite_of=target_of(700),
    )  # fmt: skip
    seconds = by_place(over(middle, players))[:2]
    assert seated(middle) == {each.pk for each in seconds}
    with guards_off():
        Tournament.objects.filter(pk=middle.pk).update(starts_at=timezone.now())
    tournament_move_on(middle.pk)
    won_by_the_first(middle)
    target = middle.satellite_of
    assert seated(target) == {players[0].pk}
    assert (escrow_cents(middle), escrow_cents(target)) == (0, 700)
    assert found() == set()


def test_a_satellite_needs_a_later_target_with_a_fee_that_is_open(people):
    no_fee, sit_and_go, begun = target_of(0), knockout(4, 250), target_of()
    entered(begun, people(4))
    with guards_off():
        Tournament.objects.filter(pk=begun.pk).update(starts_at=timezone.now())
    tournament_move_on(begun.pk)
    begun.refresh_from_db()
    for wrong in (no_fee, sit_and_go, begun):
        with pytest.raises(BadTerms):
            knockout(4, 250, satellite_of=wrong)
    with pytest.raises(BadTerms):  # itself without a fee
        knockout(4, 0, satellite_of=target_of())
    later = target_of()
    with pytest.raises(BadTerms):  # it begins earlier
        target_of(satellite_of=later)
    with pytest.raises(BadTerms):  # four fees buy no seat
        knockout(4, 250, satellite_of=target_of(901))


# --- what breaks, and what happens at once ----------------------------------------------------


@pytest.mark.parametrize("step", ["target_lock", "seat_take", "prizes_pay", "fee_take"])
def test_what_breaks_on_the_way_leaves_nothing_behind(people, monkeypatch, step):
    players = people(4)
    target = target_of()
    satellite = knockout(4, 250, satellite_of=target)
    entered(satellite, players)
    decided(satellite, lambda meeting: min(meeting.players))
    calls = 0
    module = admission if step in ("target_lock", "seat_take") else admission.settlement
    right = getattr(module, step)

    def fail(*args, **more):
        nonlocal calls
        calls += 1
        if step == "target_lock" or calls == 2 or step == "prizes_pay":
            raise RuntimeError("the power is gone")
        return right(*args, **more)

    with monkeypatch.context() as patched:
        patched.setattr(module, step, fail)
        with pytest.raises(RuntimeError):
            decided(satellite, lambda meeting: min(meeting.players))
    satellite.refresh_from_db()
    assert satellite.phase == Phase.RUNNING
    assert (escrow_cents(satellite), escrow_cents(target), seated(target)) == (1_000, 0, set())
    decided(satellite, lambda meeting: min(meeting.players))
    assert (escrow_cents(satellite), escrow_cents(target)) == (0, 800)
    assert audit().finding_count == 0


def test_the_last_seat_goes_to_one(people):
    players = people(8, 100_000)
    with racers(4) as race:
        for _ in range(tries(2, long=12)):
            target = target_of(most=2)
            satellite = knockout(4, 250, satellite_of=target)
            entered(satellite, players[:4])
            tournament_enter(user=players[4], tournament_id=target.pk)
            decided(satellite, lambda meeting: min(meeting.players))
            before = sum(wallet_balance(each.pk) for each in players)
            enter = partial(tournament_enter, tournament_id=target.pk)
            end = partial(decided, satellite, lambda meeting: min(meeting.players))
            race([end, partial(enter, user=players[5]), partial(enter, user=players[0])])
            satellite.refresh_from_db()
            if satellite.phase == Phase.RUNNING:
                end()  # the target was busy for too long
            assert len(seated(target)) == 2
            assert (escrow_cents(satellite), escrow_cents(target)) == (0, 800)
            assert sum(wallet_balance(each.pk) for each in players) == before + 900 - 400
    assert audit().finding_count == 0


def test_two_satellites_end_at_once(people):
    players = people(8, 100_000)
    with racers(3) as race:
        for _ in range(tries(2, long=12)):
            target = target_of(most=3)
            both = [knockout(4, 250, satellite_of=target) for _ in range(2)]
            ends = []
            for satellite, group in zip(both, (players[:4], players[4:]), strict=True):
                entered(satellite, group)
                decided(satellite, lambda meeting: min(meeting.players))
                ends.append(partial(decided, satellite, lambda meeting: min(meeting.players)))
            outcomes = race(
                [*ends, partial(tournament_enter, user=players[3], tournament_id=target.pk)]
            )
            for satellite, outcome, end in zip(both, outcomes, ends, strict=False):
                satellite.refresh_from_db()
                if satellite.phase == Phase.RUNNING:
                    assert isinstance(outcome, Busy)
                    end()
                assert escrow_cents(satellite) == 0
            assert len(seated(target)) == 3
            assert escrow_cents(target) == 1_200
    assert audit().finding_count == 0


@given(
    seed=st.integers(0, 2**32),
    cents=st.sampled_from([(1, 1), (1, 3), (7, 13), (250, 400), (250, 899), (999, 1_199)]),
)
@settings(max_examples=amount(2, long=12), deadline=None, suppress_health_check=HELD)
def test_no_cent_is_lost_or_made(crowd, seed, cents):
    fee_cents, seat_cents = cents
    chance = random.Random(seed)
    before, rake_before = sum(wallet_balance(user.pk) for user in crowd), rake_balance()
    target = target_of(seat_cents, most=4)
    both = [knockout(4, fee_cents, satellite_of=target) for _ in range(2)]
    for _ in range(60):
        tournament, user = chance.choice([*both, *both, target]), chance.choice(crowd)
        act_on = chance.choice([tournament_enter, tournament_enter, tournament_withdraw])
        with suppress(TournamentError):
            act_on(user=user, tournament_id=tournament.pk)
        kind_move_on("tournament")
        tournament.refresh_from_db()
        if tournament.phase == Phase.RUNNING:
            decided(tournament, lambda meeting: chance.choice(meeting.players))
    after = sum(wallet_balance(user.pk) for user in crowd)
    held = sum(map(escrow_cents, [*both, target]))
    assert before == after + held + rake_balance() - rake_before
    assert escrow_cents(target) == seat_cents * len(seated(target))
    assert not [each for each in audit(only=("T1", "T2", "T3", "A8")).results if each.findings]
    for tournament in [*both, target]:  # what is left gets its fees back
        tournament.refresh_from_db()
        for entry in Entry.objects.filter(tournament=tournament, withdrawn_at=None):
            if tournament.phase == Phase.REGISTERING:
                tournament_withdraw(user=entry.user, tournament_id=tournament.pk)
        while tournament.phase == Phase.RUNNING:
            decided(tournament, lambda meeting: chance.choice(meeting.players))
            tournament.refresh_from_db()


# --- audit --------------------------------------------------------------------------


def test_a_seat_that_nobody_won_is_refused_and_found(people):
    target = target_of()
    satellite = over(target, people(4))
    *players, loser = by_place(satellite)
    tournament_enter(user=loser, tournament_id=target.pk)
    entry = Entry.objects.get(tournament=target, user=loser)
    with pytest.raises(IntegrityError, match="as it was made"), transaction.atomic():
        Entry.objects.filter(pk=entry.pk).update(won_in=satellite)
    with pytest.raises(IntegrityError, match="nobody won"), transaction.atomic():
        Entry.objects.create(
            tournament=target_of(), user=players[0], number=1, part="00" * 16, won_in=satellite
        )
    assert found() == set()
    with guards_off():
        Entry.objects.filter(pk=entry.pk).update(won_in=satellite)
    assert found() == {"T1"}


def test_a_part_that_does_not_follow_is_found(people):
    players = people(4)
    target = target_of()
    over(target, players)
    with guards_off():
        Entry.objects.filter(tournament=target, user=players[0]).update(part="00" * 16)
    assert found() == {"T1"}
