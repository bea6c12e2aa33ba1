"""From opening a table to the end of a match: events, credits and ratings move as promised."""

from decimal import Decimal
from uuid import uuid4

import pytest
from django.db import connection, transaction
from django.db.utils import IntegrityError

from games.kinds import clocks_sweep
from games.models import CommandRecord, Deadline, Match, Table, TableEvent
from games.selectors import table_state
from games.services.tables import (
    OneOpenTable,
    Stale,
    table_close,
    table_command,
    table_join,
    table_open,
    table_wake,
)
from games.settlement import StakeNotPossible
from games.table import commands as cmd
from games.table.errors import BadTerms, MatchOver, NotSeated, OwnTable, TableFull, TimeOver
from games.table.evolve import replay
from games.table.machine import due_ms
from games.table.state import REST_MS
from games.wire import event_from_payload
from kit.database import moment
from ledger.errors import KeyConflict
from ledger.selectors import escrow_balance, house_totals, wallet_balance
from ledger.services.books import credits_issue, escrow_resolve, stakes_escrow
from ratings.selectors import rating_of

pytestmark = pytest.mark.django_db(transaction=True)


def match_of(sitting) -> Match:
    return Match.objects.get(table_id=sitting.pk)


def test_opening_a_table_costs_nothing(magriel):
    table = table_open(user=magriel, mode="prize5", stake_cents=500)
    assert table.phase == "open"
    assert wallet_balance(magriel.pk) == 10_000
    assert table.people[0]["name"] == "magriel"
    assert table.people[0]["elo"] == 1500


def test_sitting_down_moves_both_stakes_in_one_transfer(sitting):
    assert sitting.balances() == (9_750, 9_750)
    assert escrow_balance(match_of(sitting).reference) == 500


def test_a_guest_without_credits_changes_nothing(magriel, hilde):
    table = table_open(user=magriel, mode="prize5", stake_cents=500)
    _spend(hilde, 9_900)
    with pytest.raises(StakeNotPossible) as refused:
        table_join(user=hilde, table_id=table.pk)
    assert refused.value.fields["who"] == "you"
    table.refresh_from_db()
    assert (table.phase, table.seq, table.guest_id) == ("open", 1, None)
    assert not Match.objects.exists()
    assert wallet_balance(magriel.pk) == 10_000


def test_an_opener_who_spent_his_credits_meanwhile_is_named(magriel, hilde):
    table = table_open(user=magriel, mode="prize5", stake_cents=500)
    _spend(magriel, 9_900)
    with pytest.raises(StakeNotPossible) as refused:
        table_join(user=hilde, table_id=table.pk)
    assert refused.value.fields["who"] == "opponent"


def test_who_cannot_pay_does_not_open(magriel):
    _spend(magriel, 9_900)
    with pytest.raises(StakeNotPossible):
        table_open(user=magriel, mode="prize5", stake_cents=250)
    assert not Table.objects.exists()


def test_a_player_holds_one_open_table(magriel):
    table_open(user=magriel, mode="prize5", stake_cents=250)
    with pytest.raises(OneOpenTable):
        table_open(user=magriel, mode="prize5", stake_cents=250)


@pytest.mark.parametrize(
    "terms",
    [
        {"mode": "prize5", "stake_cents": 251},
        {"mode": "prize5", "stake_cents": -250},
        {"mode": "prize9", "stake_cents": 250},
        {"mode": "prize5", "stake_cents": 250, "clock": "endless"},
    ],
)
def test_only_terms_that_the_house_offers(magriel, terms):
    with pytest.raises(BadTerms):
        table_open(user=magriel, **terms)


def test_nobody_plays_himself_and_nobody_sits_third(sitting, magriel, hilde, tilo):
    with pytest.raises(TableFull):
        table_join(user=tilo, table_id=sitting.pk)
    table = table_open(user=magriel, mode="prize5", stake_cents=250)
    with pytest.raises(OwnTable):
        table_join(user=magriel, table_id=table.pk)


def test_sitting_down_again_is_sitting_down_once(magriel, hilde, tilo):
    table = table_open(user=magriel, mode="prize5", stake_cents=250)
    once = table_join(user=hilde, table_id=table.pk)
    balance_cents = wallet_balance(hilde.pk)
    again = table_join(user=hilde, table_id=table.pk)
    assert (again.seq, again.phase) == (once.seq, once.phase)
    assert wallet_balance(hilde.pk) == balance_cents
    with pytest.raises(TableFull):
        table_join(user=tilo, table_id=table.pk)


def test_an_own_table_can_be_closed_and_only_by_its_opener(magriel, hilde):
    table = table_open(user=magriel, mode="prize5", stake_cents=250)
    with pytest.raises(NotSeated):
        table_close(user=hilde, table_id=table.pk)
    table_close(user=magriel, table_id=table.pk)
    table.refresh_from_db()
    assert table.phase == "closed"
    with pytest.raises(TableFull):
        table_join(user=hilde, table_id=table.pk)


@pytest.mark.parametrize("seat", [0, 1])
def test_standing_up_before_the_first_roll_gives_the_stakes_back(sitting, seat):
    sitting.give(seat, cmd.StandUp())
    assert sitting.balances() == (10_000, 10_000)
    match = match_of(sitting)
    assert (match.winner_seat, match.ending, match.rake_cents) == (None, "stood_up", 0)
    assert escrow_balance(match.reference) == 0
    assert rating_of(sitting.players[0].pk, "prize").experience == 0


@pytest.mark.parametrize("leaver", [0, 1])
def test_leaving_pays_the_prize_to_the_other(sitting, dice, leaver):
    dice((3, 1), (4, 2))
    sitting.turn()
    sitting.give(leaver, cmd.Leave())
    winner = 1 - leaver
    expected = {winner: 9_750 + 450, leaver: 9_750}
    assert sitting.balances() == (expected[0], expected[1])
    assert house_totals().rake_cents == 50
    match = match_of(sitting)
    assert (match.winner_seat, match.ending) == (winner, "left")
    assert (match.paid_cents[winner], match.paid_cents[leaver], match.rake_cents) == (450, 0, 50)
    assert rating_of(sitting.players[winner].pk, "prize").elo > Decimal(1500)
    assert rating_of(sitting.players[leaver].pk, "prize").experience == 5
    last = TableEvent.objects.filter(table_id=sitting.pk).latest("seq")
    assert last.type == "match_settled"
    assert last.payload["paid_cents"][winner] == 450


@pytest.mark.slow
def test_a_match_played_out_is_settled_once_with_its_last_move(sitting, dice):
    dice((4, 3), (4, 4), (3, 1), (5, 5))  # three games, 6 to 3
    for _ in range(2_000):
        state = sitting.state
        if state.phase == "over":
            break
        if state.phase == "between_games":
            sitting.give(0, cmd.Ready())
            sitting.give(1, cmd.Ready())
        else:
            sitting.turn()
    match = match_of(sitting)
    assert match.winner_seat is not None
    assert max(match.score) >= 5
    assert min(match.score) > 0
    assert sorted(sitting.balances()) == [9_750, 10_200]
    assert escrow_balance(match.reference) == 0
    rows = TableEvent.objects.filter(table_id=sitting.pk).order_by("seq")
    assert [row.seq for row in rows] == list(range(1, len(rows) + 1))
    assert replay(event_from_payload(row.payload) for row in rows) == sitting.state


def test_time_over_is_found_by_the_sweep_and_settled(sitting):
    sitting.turn()
    due = due_ms(sitting.state)
    assert Deadline.objects.get(table_id=sitting.pk).due_at == moment(due)
    assert not table_wake(sitting.pk, now_ms=due - 1)
    assert table_wake(sitting.pk, now_ms=due)
    assert match_of(sitting).ending == "time_over"
    assert sorted(sitting.balances()) == [9_750, 10_200]
    assert not table_wake(sitting.pk, now_ms=due + 1)
    # without a rematch the table closes after a while, and has no deadline left
    assert table_wake(sitting.pk, now_ms=due + REST_MS)
    assert sitting.state.phase == "closed"
    assert not Deadline.objects.filter(table_id=sitting.pk).exists()


def test_the_sweep_wakes_what_is_due_and_nothing_else(sitting):
    sitting.turn()
    assert clocks_sweep() == 0
    # the stored deadline has passed, but not the table's: waking follows the table
    Deadline.objects.filter(table_id=sitting.pk).update(due_at=moment(0))
    assert clocks_sweep() == 0
    assert sitting.state.phase in ("roll", "play")


def test_a_command_after_the_deadline_finds_the_match_decided(sitting):
    sitting.turn()
    loser = sitting.state.decider
    with pytest.raises(TimeOver):
        sitting.give(loser, cmd.Roll(), now_ms=due_ms(sitting.state))
    assert match_of(sitting).winner_seat == 1 - loser


def test_the_same_command_id_answers_the_same_and_moves_nothing(sitting, dice):
    dice((3, 1))
    command_id = str(uuid4())
    first = sitting.give(0, cmd.Roll(), command_id=command_id)
    seq = sitting.table.seq
    again = sitting.give(0, cmd.Roll(), command_id=command_id, seen_seq=0)
    assert again == first
    assert sitting.table.seq == seq


def test_the_command_that_ends_a_match_is_answered_alike_twice(sitting, dice):
    dice((3, 1))
    sitting.turn()
    command_id = str(uuid4())
    first = sitting.give(1, cmd.Leave(), command_id=command_id)
    assert match_of(sitting).ended_at is not None
    assert first.seq == sitting.table.seq
    assert sitting.give(1, cmd.Leave(), command_id=command_id) == first


@pytest.fixture
def paused(sitting, dice):
    """The first game is over; the second begins in ten seconds."""
    dice((3, 1), (4, 2))
    sitting.turn()
    seat = sitting.state.decider
    sitting.give(seat, cmd.OfferResignation(level=3))
    assert sitting.state.phase == "between_games"
    return sitting


def test_ready_for_a_game_that_has_just_begun_by_itself_is_answered_alike_twice(paused):
    late_ms, command_id = due_ms(paused.state), str(uuid4())
    first = paused.give(0, cmd.Ready(), command_id=command_id, now_ms=late_ms)
    begun = paused.state
    assert begun.game.number == 2
    again = paused.give(0, cmd.Ready(), command_id=command_id, now_ms=late_ms + 1)
    assert (again.seq, paused.state) == (first.seq, begun)


def test_a_stranger_is_ready_for_nothing_not_even_late(paused, tilo):
    told = {"table_id": paused.pk, "user_id": tilo.pk, "command_id": "x", "seen_seq": 1}
    for now_ms in (due_ms(paused.state) - 1, due_ms(paused.state)):
        with pytest.raises((NotSeated, TimeOver)):
            table_command(command=cmd.Ready(), now_ms=now_ms, **told)
    assert not CommandRecord.objects.filter(user=tilo).exists()


def test_ready_comes_too_late_for_anything_but_a_game(sitting, dice):
    """A player whose time has run out does not get their command accepted."""
    dice((3, 1), (4, 2))
    sitting.turn()
    accepted = CommandRecord.objects.filter(refusal__isnull=True)
    before = accepted.count()
    with pytest.raises(TimeOver):
        sitting.give(0, cmd.Ready(), now_ms=due_ms(sitting.state))
    assert match_of(sitting).ending == "time_over"
    assert accepted.count() == before


def test_a_command_on_an_old_view_is_stale_but_leaving_is_not(sitting):
    sitting.give(0, cmd.Roll())
    with pytest.raises(Stale):
        sitting.give(0, cmd.OfferResignation(level=1), seen_seq=4)
    sitting.give(1, cmd.Leave(), seen_seq=4)
    with pytest.raises(MatchOver):
        sitting.give(0, cmd.Leave())


def test_a_stranger_can_do_nothing(sitting, tilo):
    with pytest.raises(NotSeated):
        table_command(
            table_id=sitting.pk,
            user_id=tilo.pk,
            command_id="x",
            seen_seq=sitting.table.seq,
            command=cmd.Leave(),
        )


def test_the_database_refuses_to_change_or_skip_events(sitting):
    row = TableEvent.objects.filter(table_id=sitting.pk).first()
    with pytest.raises(IntegrityError, match="these rows stay as they were written"):
        TableEvent.objects.filter(pk=row.pk).update(type="forged")
    with pytest.raises(IntegrityError, match="never deleted"), connection.cursor() as cursor:
        cursor.execute("DELETE FROM games_tableevent WHERE id = %s", [row.pk])
    with pytest.raises(IntegrityError, match="gap"):
        TableEvent.objects.create(table_id=sitting.pk, seq=99, type="x", payload={})


def test_a_settlement_that_fails_leaves_the_match_running(sitting, dice):
    dice((3, 1), (4, 2))
    sitting.turn()
    match = match_of(sitting)
    before = sitting.table.seq
    _empty_escrow_behind_the_back(match)
    with pytest.raises(KeyConflict):
        sitting.give(0, cmd.Leave())
    assert sitting.table.seq == before
    assert table_state(sitting.table).phase in ("roll", "play")
    assert rating_of(sitting.players[1].pk, "prize").experience == 0


def _spend(user, cents: int) -> None:
    """Lock a player's credits in some other match."""
    other = type(user).objects.create_user(f"other{user.pk}")
    credits_issue(user=other, amount_cents=cents, key=f"test:{other.pk}", memo="for the test")
    stakes_escrow(reference=f"match:elsewhere-{uuid4()}", stakes={user.pk: cents, other.pk: cents})


def _empty_escrow_behind_the_back(match: Match) -> None:
    """As only a superuser can: the database refuses it to everybody else."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        escrow_resolve(
            reference=match.reference,
            payouts={match.player_0_id: 250, match.player_1_id: 250},
            rake_cents=0,
            kind="void",
        )
