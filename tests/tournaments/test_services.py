"""Tournaments on real tables, with fees in escrow: from the first entry to the last cent."""

from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.utils import timezone

from games.kinds import kind_move_on
from games.models import CommandRecord, Outage, Table
from games.services import answers
from games.services.commit import TableChange
from games.services.guests import GuestsPlayFree
from games.services.tables import table_locked, table_open
from games.table import commands as cmd
from games.table.errors import BadTerms
from games.tasks import sweep_lobby
from harness.sitting import Sitting
from harness.tournaments import called, entered, escrow_cents, knockout, played
from ledger.audit import run as audit
from ledger.errors import BooksGuarded
from ledger.postings import lines_of, wallet_key
from ledger.selectors import account_balance, wallet_balance
from ledger.services.books import transfer_post
from ledger.services.database import refusals_told
from tests.aging import rows_age
from tests.tournaments.conftest import late
from tournaments.engine.draws import commitment_of, seed_of
from tournaments.engine.errors import TournamentError
from tournaments.engine.terms import TournamentTerms
from tournaments.errors import FeeNotPossible, PaidByTheHouse, PlaysNow
from tournaments.frames import Enter
from tournaments.models import Entry, Meeting, TournamentEvent
from tournaments.services import store
from tournaments.services.entering import (
    meeting_ready,
    tournament_command,
    tournament_enter,
    tournament_withdraw,
)
from tournaments.services.holding import tournament_hold
from tournaments.services.offering import people_seated, seats_give_up
from tournaments.services.running import tournament_move_on
from tournaments.services.store import JOURNAL


def test_four_play_a_sit_and_go_for_credits(people, dice):
    players = people(4)
    tournament = knockout(4, 250)
    entered(tournament, players)
    assert tournament.phase == "running"
    assert escrow_cents(tournament) == 1_000
    best = players[2]
    while meetings := called(tournament):
        for meeting in meetings:
            winner = best if best.pk in meeting.players else meeting.player_0
            played(meeting, winner)
    tournament.refresh_from_db()
    assert tournament.phase == "over"
    entries = {entry.user_id: entry for entry in Entry.objects.filter(tournament=tournament)}
    champion = entries[best.pk]
    assert (champion.first_place, champion.last_place, champion.prize_cents) == (1, 1, 630)
    assert wallet_balance(best.pk) == 1_000 - 250 + 630
    assert sorted(entry.prize_cents for entry in entries.values()) == [0, 0, 270, 630]
    assert escrow_cents(tournament) == 0
    assert account_balance("house_rake") == tournament.rake_cents == 100
    assert all(wallet_balance(each.pk) == 750 + entries[each.pk].prize_cents for each in players)
    assert audit().finding_count == 0


def test_the_draw_follows_from_the_secret_and_the_parts(people):
    players = people(4, 0)
    tournament = knockout(4)
    for number, player in enumerate(players):
        tournament_enter(user=player, tournament_id=tournament.pk, part=f"{number:032x}")
    kind_move_on("tournament")
    tournament.refresh_from_db()
    assert commitment_of(tournament.secret) == tournament.commitment
    parts = [(number + 1, f"{number:032x}") for number in range(4)]
    assert JOURNAL.replayed(tournament).seed == seed_of(tournament.secret, parts)


def test_a_fee_comes_back_before_the_draw_and_the_place_is_free_again(people):
    one, *others = people(5)
    tournament = knockout(4, 250)
    tournament_enter(user=one, tournament_id=tournament.pk)
    tournament_withdraw(user=one, tournament_id=tournament.pk)
    assert wallet_balance(one.pk) == 1_000
    assert escrow_cents(tournament) == 0
    assert audit().finding_count == 0
    entered(tournament, others)
    assert tournament.phase == "running"
    with pytest.raises(TournamentError) as refused:
        tournament_enter(user=one, tournament_id=tournament.pk)
    assert refused.value.code == "wrong_phase"
    assert escrow_cents(tournament) == 1_000
    assert audit().finding_count == 0


def test_entering_twice_is_entering_once(people):
    (one,) = people(1)
    tournament = knockout(4, 250)
    first = tournament_enter(user=one, tournament_id=tournament.pk)
    assert tournament_enter(user=one, tournament_id=tournament.pk) == first
    assert wallet_balance(one.pk) == 750


def test_answers_to_commands_without_an_effect_do_not_pile_up(people, monkeypatch):
    monkeypatch.setattr(answers, "ACCEPTED_MAX", 3)
    (one,) = people(1)
    tournament = knockout(4)
    known = {"user": one, "tournament_id": tournament.pk, "command": Enter()}
    for number in range(8):
        tournament_command(**known, command_id=f"{number}")
    assert CommandRecord.objects.count() == 3
    tournament_command(**known, command_id="7")
    assert CommandRecord.objects.count() == 3


def test_without_enough_credits_nothing_happens(people):
    (poor,) = people(1, 100)
    tournament = knockout(4, 250)
    with pytest.raises(FeeNotPossible) as refused:
        tournament_enter(user=poor, tournament_id=tournament.pk)
    assert refused.value.fields == {"reason": "insufficient_credits"}
    assert not Entry.objects.exists()
    assert not TournamentEvent.objects.exists()


def test_bots_enter_free_tournaments_only(people):
    (bot,) = people(1, 0)
    bot.is_bot = True
    bot.save()
    with pytest.raises(Exception, match="bots play only without a stake"):
        tournament_enter(user=bot, tournament_id=knockout(4, 250).pk)
    free = tournament_hold(
        founder=None,
        name="Free",
        terms=TournamentTerms("knockout", length=1, least=4, most=4),
        offer="free",
    )
    assert tournament_enter(user=bot, tournament_id=free.pk).number == 1


def scheduled(fee_cents=0, **terms):
    wanted = {"format": "knockout", "length": 1, "least": 4, "most": 8, **terms}
    return tournament_hold(
        founder=None, name="Sunday", terms=TournamentTerms(**wanted), fee_cents=fee_cents,
        starts_at=timezone.now() + timedelta(minutes=3),
    )  # fmt: skip


def begun(tournament, monkeypatch):
    """Let the time of a tournament come."""
    later = int((tournament.starts_at + timedelta(seconds=1)).timestamp() * 1000)
    with monkeypatch.context() as patched:
        patched.setattr(store, "database_now_ms", lambda: later)
        tournament_move_on(tournament.pk)
    tournament.refresh_from_db()


def test_below_quorum_every_fee_goes_back(people, monkeypatch):
    players = people(3)
    tournament = scheduled(500)
    for player in players:
        tournament_enter(user=player, tournament_id=tournament.pk)
    tournament_withdraw(user=players[0], tournament_id=tournament.pk)
    begun(tournament, monkeypatch)
    assert tournament.phase == "called_off"
    assert [wallet_balance(each.pk) for each in players] == [1_000] * 3
    assert escrow_cents(tournament) == 0
    assert account_balance("house_rake") == 0
    assert audit().finding_count == 0


def test_a_tournament_without_entries_is_called_off(people, monkeypatch):
    tournament = scheduled(500)
    begun(tournament, monkeypatch)
    assert tournament.phase == "called_off"
    assert audit().finding_count == 0


def test_absent_players_lose_by_their_clock(people, dice):
    players = people(4, 0)
    tournament = knockout(4)
    entered(tournament, players)
    meeting = called(tournament)[0]
    present = meeting.player_1
    meeting_ready(user=present, tournament_id=tournament.pk)
    tournament_move_on(tournament.pk)
    meeting.refresh_from_db()
    assert meeting.table is None
    late(meeting)
    assert meeting.table is not None
    assert meeting.player_0 == present  # the one who came rolls first


@pytest.mark.parametrize("seat", [0, 1])
def test_a_player_who_stands_up_before_the_first_roll_loses_and_no_table_opens_again(
    people, dice, seat
):
    tournament = knockout(4)
    entered(tournament, people(4, 0))
    meeting = called(tournament)[0]
    seated = (meeting.player_0, meeting.player_1)
    for player in seated:
        meeting_ready(user=player, tournament_id=tournament.pk)
    meeting.refresh_from_db()
    Sitting(meeting.table, seated).give(seat, cmd.StandUp())
    assert not Table.objects.filter(phase="open").exists()
    tournament_move_on(tournament.pk)
    pairing = JOURNAL.replayed(tournament).pairings[meeting.number]
    assert (pairing.winner, pairing.how) == (seated[1 - seat].pk, "no_show")


def test_a_voided_match_is_played_again(people, dice):
    players = people(4, 0)
    tournament = knockout(4)
    entered(tournament, players)
    meeting = called(tournament)[0]
    for player in (meeting.player_0, meeting.player_1):
        meeting_ready(user=player, tournament_id=tournament.pk)
    meeting.refresh_from_db()
    match = meeting.match
    with transaction.atomic():
        change = TableChange.on(table_locked(meeting.table_id))
        change.give(cmd.Void())
        change.store()
    tournament_move_on(tournament.pk)
    meeting.refresh_from_db()
    assert meeting.match is None
    assert meeting.decided_at is None
    again = played(meeting, meeting.player_0)
    assert again.match_id != match.pk


def test_giving_up_between_two_matches_loses_the_next(people, dice):
    players = people(4)
    tournament = knockout(4, 250)
    entered(tournament, players)
    first, second = called(tournament)
    gone = first.player_0
    tournament_withdraw(user=gone, tournament_id=tournament.pk)
    assert wallet_balance(gone.pk) == 750
    played(second, second.player_1)
    (final,) = called(tournament)
    assert gone.pk not in final.players
    played(final, second.player_1)
    tournament.refresh_from_db()
    assert tournament.phase == "over"
    assert audit().finding_count == 0


def test_nobody_gives_up_while_their_match_runs(people, dice):
    players = people(4)
    tournament = knockout(4, 250)
    entered(tournament, players)
    meeting = called(tournament)[0]
    for player in (meeting.player_0, meeting.player_1):
        meeting_ready(user=player, tournament_id=tournament.pk)
    with pytest.raises(PlaysNow):
        tournament_withdraw(user=meeting.player_0, tournament_id=tournament.pk)


def test_a_waiting_table_of_a_player_is_closed_when_theirs_opens(people, dice):
    players = people(4, 0)
    tournament = knockout(4)
    entered(tournament, players)
    meeting = called(tournament)[0]
    table = table_open(user=meeting.player_1, mode="normal")
    late(meeting)
    table.refresh_from_db()
    assert table.phase == "closed"


def test_a_closed_account_cannot_stop_a_tournament(people, dice):
    players = people(4, 0)
    tournament = knockout(4)
    entered(tournament, players)
    meeting = called(tournament)[0]
    gone = meeting.player_0
    gone.is_active = False
    gone.save()
    late(meeting)
    assert meeting.decided_at is not None
    assert JOURNAL.replayed(tournament).pairings[meeting.number].winner == meeting.player_1_id


def test_after_an_outage_the_grace_begins_anew(people):
    tournament = knockout(4)
    entered(tournament, people(4, 0))
    meeting = called(tournament)[0]
    now = timezone.now()
    outage = Outage.objects.create(
        role="web", began_at=now - timedelta(minutes=9), ended_at=now, credited_at=now
    )
    rows_age(Meeting.objects.all(), called_at=now - timedelta(minutes=10))
    late(meeting)
    assert meeting.table is None
    Outage.objects.filter(pk=outage.pk).update(ended_at=now - timedelta(minutes=6))
    late(meeting)
    assert meeting.table is not None


def test_guests_need_an_account(people):
    (guest,) = people(1, 0)
    guest.is_guest = True
    guest.save()
    with pytest.raises(GuestsPlayFree):
        tournament_enter(user=guest, tournament_id=knockout(4).pk)


def test_seats_of_people_who_have_gone_are_given_up(people):
    one, two = people(2)
    tournament = knockout(4, 250)
    for user in (one, two):
        tournament_enter(user=user, tournament_id=tournament.pk)
    assert sorted(people_seated()) == sorted([one.pk, two.pk])
    assert sweep_lobby() == 0  # nobody has been away so far
    assert seats_give_up([one.pk]) == 1
    assert wallet_balance(one.pk) == 1_000
    assert list(people_seated()) == [two.pk]
    assert audit().finding_count == 0


def test_only_the_house_holds_paid_tournaments(people):
    (one,) = people(1)
    with pytest.raises(PaidByTheHouse):
        tournament_hold(
            founder=one,
            name="Mine",
            terms=TournamentTerms("knockout", least=4, most=4),
            fee_cents=100,
        )


def test_a_length_or_format_that_does_not_exist_is_refused(people):
    with pytest.raises(BadTerms):
        tournament_hold(founder=None, name="x", terms=TournamentTerms("lottery", least=4, most=4))
    with pytest.raises(BadTerms):
        tournament_hold(
            founder=None, name="x", terms=TournamentTerms("knockout", length=99, most=4, least=4)
        )


def booked(tournament, kind, key, amounts):
    """Book a transfer of a tournament past its services."""
    with refusals_told():
        transfer_post(
            key=f"{tournament.reference}:{key}",
            kind=kind,
            reference=tournament.reference,
            lines=lines_of(amounts),
        )
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")


def test_the_database_refuses_other_transfers_of_a_tournament(people):
    players = people(4)
    tournament = knockout(4, 250)
    entered(tournament, players)
    thief = players[0]
    escrow = f"escrow:{tournament.reference}"
    for kind, key in (("result", "resolve"), ("void", "resolve"), ("withdraw", "leave:1")):
        cents = 250 if kind == "withdraw" else 1_000
        with pytest.raises(BooksGuarded), transaction.atomic():
            booked(tournament, kind, key, {wallet_key(thief.pk): cents, escrow: -cents})
    assert audit().finding_count == 0


def test_what_was_agreed_never_changes(people):
    tournament = knockout(4, 250)
    entered(tournament, people(4))
    for change in ({"fee_cents": 1}, {"rake_bps": 0}, {"phase": "registering"}, {"seq": 0}):
        with pytest.raises(Exception, match="what was agreed stays"):
            type(tournament).objects.filter(pk=tournament.pk).update(**change)
    with pytest.raises(Exception, match="refused"):
        TournamentEvent.objects.all().delete()
    with pytest.raises(Exception, match="its end is written once"):
        Entry.objects.filter(tournament=tournament).update(number=99)
    assert Meeting.objects.count() == 2
