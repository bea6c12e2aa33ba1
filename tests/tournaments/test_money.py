"""Every order of entries, withdrawals and ends: pool = prizes + rake + refunds, to the cent."""

import random
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.login_marks import marks_note
from accounts.models import User
from backgammon.tests.amounts import amount
from games.kinds import kind_move_on
from games.models import BarKind
from games.services.bars import BarredForGood, Linked, bar_place
from games.services.people import Paused
from games.table import commands as cmd
from harness.sitting import Sitting
from harness.tournaments import called, knockout
from harness.wallets import credits_bought, mailbox_proved
from ledger.audit import run as audit
from ledger.selectors import account_balance, rake_balance, wallet_balance
from ledger.services.limits import break_start
from tournaments.engine.errors import TournamentError
from tournaments.models import Entry, Meeting, Phase
from tournaments.services import running
from tournaments.services.entering import meeting_ready, tournament_enter, tournament_withdraw
from tournaments.services.running import tournament_move_on
from tournaments.services.store import JOURNAL

HELD = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]


@pytest.fixture
def crowd(transactional_db, settings) -> list[User]:
    """Ten people who can pay as often as they like."""
    settings.LEDGER_WELCOME_CENTS = 0
    made = []
    for number in range(10):
        user = User.objects.create_user(f"crowd{number}")
        mailbox_proved(user)
        credits_bought(user, 10_000_000)
        made.append(user)
    return made


def decided(tournament, winner_of) -> None:
    """Play every called pairing at its table, unless it was: one roll, and the loser leaves."""
    meetings = called(tournament)
    Meeting.objects.filter(pk__in=[each.pk for each in meetings]).update(ready_0=True, ready_1=True)
    tournament_move_on(tournament.pk)
    for meeting in meetings:
        winner = winner_of(meeting)
        meeting.refresh_from_db()
        if meeting.match.ended_at is not None:
            continue
        sitting = Sitting(meeting.table, (meeting.player_0, meeting.player_1))
        sitting.give(sitting.state.game.on_roll, cmd.Roll())
        sitting.give(1 - meeting.players.index(winner), cmd.Leave())
    tournament_move_on(tournament.pk)


@pytest.mark.slow
@given(seed=st.integers(0, 2**32), fee_cents=st.sampled_from([1, 7, 250, 999, 12_345]))
@settings(max_examples=amount(2, long=15), deadline=None, suppress_health_check=HELD)
def test_no_cent_is_lost_or_made(crowd, seed, fee_cents):
    chance = random.Random(seed)
    before = {user.pk: wallet_balance(user.pk) for user in crowd}
    rake_before = rake_balance()
    sides = chance.choice([(), (2_000, 500)])
    format_key = "consolation" if sides else "knockout"
    tournament = knockout(chance.choice([4, 8]), fee_cents, format_key, sides_bps=sides)
    for _ in range(40):
        user = chance.choice(crowd)
        act = chance.choice([tournament_enter, tournament_enter, tournament_withdraw])
        with suppress(TournamentError):  # full, not entered, or too late
            act(user=user, tournament_id=tournament.pk)
        kind_move_on("tournament")
        tournament.refresh_from_db()
        standing = Entry.objects.filter(tournament=tournament, withdrawn_at=None).count()
        held = account_balance(f"escrow:{tournament.reference}")
        assert held == (standing * fee_cents if tournament.is_open else 0)
        if tournament.phase == Phase.RUNNING and chance.random() < 0.5:
            decided(tournament, lambda meeting: chance.choice(meeting.players))
    if tournament.phase == Phase.REGISTERING:  # what is left gets its fees back
        for entry in Entry.objects.filter(tournament=tournament, withdrawn_at=None):
            tournament_withdraw(user=entry.user, tournament_id=tournament.pk)
    while tournament.phase == Phase.RUNNING:
        decided(tournament, lambda meeting: chance.choice(meeting.players))
        tournament.refresh_from_db()
    after = {user.pk: wallet_balance(user.pk) for user in crowd}
    assert sum(before.values()) - sum(after.values()) == rake_balance() - rake_before
    assert account_balance(f"escrow:{tournament.reference}") == 0
    if tournament.phase == Phase.OVER:
        entries = Entry.objects.filter(tournament=tournament, withdrawn_at=None)
        prizes_cents = sum(entries.values_list("prize_cents", flat=True))
        assert prizes_cents + tournament.rake_cents == fee_cents * entries.count()
        ranks = [player for group in JOURNAL.replayed(tournament).ranks for player in group]
        assert sorted(ranks) == sorted(JOURNAL.replayed(tournament).entrants)
    assert not [each for each in audit(only=("T1", "T2", "T3", "A8")).results if each.findings]


@pytest.mark.slow
@pytest.mark.parametrize("broken", ["prizes_pay", "fee_take", "fee_back"])
def test_what_breaks_on_the_way_leaves_nothing_behind(people, monkeypatch, broken):
    players = people(4)
    tournament = knockout(4, 250)
    for player in players[:3]:
        tournament_enter(user=player, tournament_id=tournament.pk)

    def fail(*_args):
        raise RuntimeError("the power is gone")

    with monkeypatch.context() as patched:
        patched.setattr(running.settlement, broken, fail)
        if broken == "fee_take":
            with pytest.raises(RuntimeError):
                tournament_enter(user=players[3], tournament_id=tournament.pk)
        elif broken == "fee_back":
            with pytest.raises(RuntimeError):
                tournament_withdraw(user=players[0], tournament_id=tournament.pk)
    assert Entry.objects.filter(tournament=tournament, withdrawn_at=None).count() == 3
    assert account_balance(f"escrow:{tournament.reference}") == 750
    tournament_enter(user=players[3], tournament_id=tournament.pk)
    kind_move_on("tournament")
    decided(tournament, lambda meeting: meeting.player_0_id)
    if broken == "prizes_pay":
        with monkeypatch.context() as patched:
            patched.setattr(running.settlement, broken, fail)
            with pytest.raises(RuntimeError):
                decided(tournament, lambda meeting: meeting.player_0_id)
        tournament.refresh_from_db()
        assert tournament.phase == Phase.RUNNING
        assert account_balance(f"escrow:{tournament.reference}") == 1_000
    decided(tournament, lambda meeting: meeting.player_0_id)
    tournament.refresh_from_db()
    assert tournament.phase == Phase.OVER
    assert audit().finding_count == 0


def test_linked_accounts_meet_in_no_tournament_for_credits(people):
    one, two, three = people(3)
    for user in (one, two):
        marks_note(user.pk, browser="kitchen", address="")
    paid, free = knockout(4, 250), knockout(4)
    tournament_enter(user=one, tournament_id=paid.pk)
    with pytest.raises(Linked):
        tournament_enter(user=two, tournament_id=paid.pk)
    tournament_enter(user=three, tournament_id=paid.pk)
    for user in (one, two):
        tournament_enter(user=user, tournament_id=free.pk)
    assert wallet_balance(two.pk) == 1_000


def test_a_player_under_a_bar_enters_no_tournament_for_credits(people):
    (one,) = people(1)
    bar_place(user_id=one.pk, kind=BarKind.STAKES, reference="case:1")
    with pytest.raises(BarredForGood):
        tournament_enter(user=one, tournament_id=knockout(4, 250).pk)
    assert tournament_enter(user=one, tournament_id=knockout(4).pk).number == 1


def test_a_pause_keeps_from_fees(people):
    (one,) = people(1)
    break_start(user=one)
    with pytest.raises(Paused):
        tournament_enter(user=one, tournament_id=knockout(4, 250).pk)
    assert wallet_balance(one.pk) == 1_000


def test_a_match_of_two_who_are_kept_apart_is_not_rated(people, dice):
    players = people(4, 0)
    tournament = knockout(4)
    for player in players:
        tournament_enter(user=player, tournament_id=tournament.pk)
    kind_move_on("tournament")
    apart, usual = called(tournament)
    one, two = sorted(apart.players)
    bar_place(user_id=one, other_id=two, kind=BarKind.MEETING, reference="case:1")
    for meeting in (apart, usual):
        for player in (meeting.player_0, meeting.player_1):
            meeting_ready(user=player, tournament_id=tournament.pk)
        meeting.refresh_from_db()
    assert (apart.match.rated, usual.match.rated) == (False, True)
