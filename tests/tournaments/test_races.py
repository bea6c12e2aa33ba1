"""What happens at the same instant, and tournaments that cannot move on."""

from functools import partial

from django.utils import timezone

from accounts.models import User
from games import kinds
from games.kinds import kind_move_on
from games.models import Table
from games.table.errors import Busy
from harness.tournaments import called, entered, knockout
from kit.sweeps import Stuck
from ledger.audit import run as audit
from ledger.selectors import account_balance, wallet_balance
from tests.racing import racers, tries
from tournaments.engine.errors import TournamentError
from tournaments.models import Entry, Meeting, Phase, Tournament
from tournaments.services import running
from tournaments.services.entering import meeting_ready, tournament_enter, tournament_withdraw
from tournaments.services.running import tournament_move_on


def test_one_of_many_gets_the_last_seat(people):
    players = people(11, 100_000)
    with racers(8) as race:
        for _ in range(tries(1, long=20)):
            tournament = knockout(4, 250)
            for player in players[:3]:
                tournament_enter(user=player, tournament_id=tournament.pk)
            enter = partial(tournament_enter, tournament_id=tournament.pk)
            outcomes = race([partial(enter, user=each) for each in players[3:]])
            seated = [each for each in outcomes if isinstance(each, Entry)]
            refused = [each for each in outcomes if isinstance(each, TournamentError | Busy)]
            assert (len(seated), len(refused)) == (1, 7)
            assert account_balance(f"escrow:{tournament.reference}") == 1_000
            kind_move_on("tournament")
            tournament.refresh_from_db()
            assert tournament.phase == Phase.RUNNING
    assert audit().finding_count == 0


def test_a_player_who_enters_and_withdraws_at_once_pays_once_or_nothing(people):
    (one,) = people(1, 100_000)
    with racers(4) as race:
        for _ in range(tries(2, long=50)):
            tournament = knockout(4, 250)
            before = wallet_balance(one.pk)
            enter = partial(tournament_enter, user=one, tournament_id=tournament.pk)
            leave = partial(tournament_withdraw, user=one, tournament_id=tournament.pk)
            race([enter, enter, leave, enter])
            standing = Entry.objects.filter(tournament=tournament, withdrawn_at=None).count()
            assert standing in (0, 1)
            assert before - wallet_balance(one.pk) == 250 * standing
            assert account_balance(f"escrow:{tournament.reference}") == 250 * standing
            if standing:
                leave()
    assert audit().finding_count == 0


def test_many_autopilots_draw_once_and_open_one_table_for_each_match(people, dice):
    players = people(4, 100_000)
    with racers(6) as race:
        for _ in range(tries(1, long=30)):
            tournament = knockout(4, 250)
            for player in players:
                tournament_enter(user=player, tournament_id=tournament.pk)
            race([partial(tournament_move_on, tournament.pk)] * 6)
            tournament_move_on(tournament.pk)
            assert Meeting.objects.filter(tournament=tournament).count() == 2
            meeting = called(tournament)[0]
            tables = Table.objects.count()
            come = [
                partial(meeting_ready, user=user, tournament_id=tournament.pk)
                for user in (meeting.player_0, meeting.player_1)
            ]
            race([*come, *come, *[partial(tournament_move_on, tournament.pk)] * 2])
            for ready in come:
                ready()
            assert Table.objects.count() == tables + 1
    assert audit().finding_count == 0


def test_a_draw_and_a_withdrawal_at_once_keep_the_pool_whole(people):
    players = people(4, 100_000)
    with racers(3) as race:
        for _ in range(tries(2, long=50)):
            tournament = knockout(4, 250)
            for player in players:
                tournament_enter(user=player, tournament_id=tournament.pk)
            leave = partial(tournament_withdraw, tournament_id=tournament.pk)
            race(
                [
                    partial(tournament_move_on, tournament.pk),
                    partial(leave, user=players[0]),
                    partial(leave, user=players[1]),
                ]
            )
            standing = Entry.objects.filter(tournament=tournament, withdrawn_at=None).count()
            assert account_balance(f"escrow:{tournament.reference}") == 250 * standing
            assert standing == 4 or not Meeting.objects.filter(tournament=tournament).exists()
            if standing < 4:
                for player in players[2:]:
                    tournament_withdraw(user=player, tournament_id=tournament.pk)
    assert audit().finding_count == 0


def test_all_at_once_end_in_one_state(people):
    players = people(4, 100_000)
    tournament = knockout(4, 250)
    entered(tournament, players)
    with racers(4) as race:
        leave = partial(tournament_withdraw, tournament_id=tournament.pk)
        race([partial(leave, user=each) for each in players])
    tournament_move_on(tournament.pk)
    tournament.refresh_from_db()
    assert tournament.phase == Phase.OVER
    assert account_balance(f"escrow:{tournament.reference}") == 0
    assert audit().finding_count == 0


# --- what cannot move on --------------------------------------------------------------------------
def test_one_tournament_that_is_stuck_keeps_no_other_waiting(people, monkeypatch):
    stuck, other = knockout(4), knockout(4)
    for tournament in (stuck, other):
        for player in people(4, 0) if tournament is stuck else User.objects.all():
            tournament_enter(user=player, tournament_id=tournament.pk)
    with monkeypatch.context() as patched:
        right = running.move_on

        def fail(work):
            if work.tournament.pk == stuck.pk:
                raise ValueError("a fault")
            right(work)

        patched.setattr(running, "move_on", fail)
        assert kind_move_on("tournament") == 1
    other.refresh_from_db()
    assert other.phase == "running"
    assert Stuck.objects.get().item == str(stuck.pk)
    Stuck.objects.update(retry_at=timezone.now())
    assert kind_move_on("tournament") == 1
    assert not Stuck.objects.exists()


def test_many_that_are_stuck_keep_no_other_waiting(people, monkeypatch):
    monkeypatch.setattr(kinds, "AT_ONCE", 2)
    stuck, other = [knockout(2).pk for _ in range(4)], knockout(2)
    Tournament.objects.filter(pk__in=[*stuck, other.pk]).update(wake_at=timezone.now())

    def fail(work):
        if work.tournament.pk in stuck:
            raise ValueError("a fault")
        Tournament.objects.filter(pk=other.pk).update(wake_at=None)

    monkeypatch.setattr(running, "move_on", fail)
    tries = 0
    while kind_move_on("tournament") == 0:
        tries += 1
        assert tries < 100  # two of five by chance: (3/5)^100 is nothing
