"""Which changes of a tournament are reported, and when: after the commit, and only then."""

from contextlib import suppress

from django.db import transaction

from fairplay.screening import results_screen
from games.table import commands as cmd
from harness.sitting import Sitting
from harness.tournaments import called, knockout
from tests.tournaments.conftest import late, news_of
from tournaments.engine.terms import TournamentTerms
from tournaments.models import Tournament
from tournaments.services.admission import entry_make
from tournaments.services.directing import tournament_call_off
from tournaments.services.entering import meeting_ready, tournament_enter, tournament_withdraw
from tournaments.services.holding import tournament_hold
from tournaments.services.running import tournament_move_on
from tournaments.services.store import tournament_lock


class Undone(Exception):
    """A transaction that is rolled back."""


def enter(user, tournament: Tournament) -> None:
    """Enter in the transaction of the test."""
    locked = tournament_lock(tournament.pk)
    assert locked is not None
    entry_make(user, locked, "ab" * 16)


def test_an_entry_is_reported_after_its_commit_and_never_if_it_is_rolled_back(people):
    one, two = people(2, 0)
    tournament = knockout(4)
    with news_of(tournament.pk) as news:
        with suppress(Undone), transaction.atomic():
            enter(one, tournament)
            enter(two, tournament)
            raise Undone
        assert news.read() == []
        with transaction.atomic():
            enter(one, tournament)
            assert news.read() == []
        assert news.read() == [1, "calendar"]


def test_the_calendar_learns_of_a_new_tournament(people):
    (one,) = people(1, 0)
    tournament = knockout(4)
    with news_of(tournament.pk) as news:
        terms = TournamentTerms("knockout", length=1, least=4, most=4)
        with suppress(Undone), transaction.atomic():
            tournament_hold(founder=one, name="Undone", terms=terms)
            raise Undone
        assert news.read() == []
        held = tournament_hold(founder=one, name="Sunday", terms=terms)
        assert news.read() == ["calendar"]
    with news_of(held.pk) as news:
        tournament_enter(user=one, tournament_id=held.pk)
        tournament_withdraw(user=one, tournament_id=held.pk)
        tournament_call_off(director=one, tournament_id=held.pk)
        assert news.read() == [1, "calendar", 2, "calendar", 3, "calendar"]


def test_a_whole_tournament_is_reported_step_by_step(people, dice):
    players = people(4)
    tournament = knockout(4, 250)
    for player in players:
        tournament_enter(user=player, tournament_id=tournament.pk)
    with news_of(tournament.pk) as news:
        tournament_move_on(tournament.pk)
        assert news.read() == [7, "calendar"]  # the draw and two pairings
        tournament_move_on(tournament.pk)
        assert news.read() == [], "nothing has changed"
        first, second = called(tournament)
        meeting_ready(user=first.player_0, tournament_id=tournament.pk)
        assert news.read() == [], "nobody else sees it"
        meeting_ready(user=first.player_1, tournament_id=tournament.pk)
        assert news.read() == [7], "the table is open"
        late(second)
        assert news.read() == [7]
        for meeting in (first, second):
            meeting.refresh_from_db()
            sitting = Sitting(meeting.table, (meeting.player_0, meeting.player_1))
            sitting.turn()
            assert news.read() == [], "a turn changes no score"
            sitting.give(1, cmd.Leave())
            assert news.read() == [tournament.seq + 7], "the score, at once"
        tournament_move_on(tournament.pk)
        assert news.read() == [10], "two results and the final"
        (final,) = called(tournament)
        for player in (final.player_0, final.player_1):
            meeting_ready(user=player, tournament_id=tournament.pk)
        final.refresh_from_db()
        sitting = Sitting(final.table, (final.player_0, final.player_1))
        sitting.turn()
        sitting.give(1, cmd.Leave())
        assert news.read() == [10, 10]
        tournament_move_on(tournament.pk)
        assert news.read() == [12, "calendar"]
        assert results_screen() == 1
        assert news.read() == [12], "the prizes can be paid out"
