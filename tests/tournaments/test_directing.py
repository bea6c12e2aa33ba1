"""Directing a free tournament: by its directors, never in their own match or for credits."""

import pytest
from django.urls import reverse

from games.table.errors import BadTerms
from harness.tournaments import called, entered, knockout, played
from ledger.audit import run as audit
from tests.tournaments.test_pages import act, client_of, page
from tournaments.engine.errors import TournamentError
from tournaments.engine.terms import TournamentTerms
from tournaments.errors import NotDirector, PlaysNow
from tournaments.models import Phase
from tournaments.services.clubs import club_found, club_join, member_set
from tournaments.services.directing import meeting_award, meeting_correct, tournament_call_off
from tournaments.services.entering import meeting_ready
from tournaments.services.holding import tournament_hold
from tournaments.services.store import JOURNAL


@pytest.fixture
def held(people):
    """A free tournament of four, held by somebody else."""
    director, *four = people(5, 0)
    terms = TournamentTerms("knockout", length=1, least=4, most=4)
    tournament = tournament_hold(founder=director, name="Ours", terms=terms)
    entered(tournament, four)
    return director, four, tournament


def test_a_match_that_nobody_plays_is_awarded(held):
    director, four, tournament = held
    meeting = called(tournament)[0]
    about = {"tournament_id": tournament.pk, "number": meeting.number}
    with pytest.raises(NotDirector):
        meeting_award(director=four[0], winner_id=meeting.player_0_id, **about)
    with pytest.raises(TournamentError):
        meeting_award(director=director, winner_id=director.pk, **about)
    meeting_award(director=director, winner_id=meeting.player_1_id, **about)
    pairing = JOURNAL.replayed(tournament).pairings[meeting.number]
    assert (pairing.winner, pairing.how) == (meeting.player_1_id, "no_show")
    assert audit().finding_count == 0


def test_a_match_that_is_played_ends_at_its_table(held, dice):
    director, _four, tournament = held
    meeting = called(tournament)[0]
    for player in (meeting.player_0, meeting.player_1):
        meeting_ready(user=player, tournament_id=tournament.pk)
    with pytest.raises(PlaysNow):
        meeting_award(
            director=director,
            tournament_id=tournament.pk,
            number=meeting.number,
            winner_id=meeting.player_0_id,
        )


def test_a_result_is_corrected_and_what_rests_on_it_is_drawn_again(held, dice):
    director, _four, tournament = held
    one, two = called(tournament)
    played(one, one.player_0)
    played(two, two.player_0)
    (final,) = called(tournament)
    about = {"director": director, "tournament_id": tournament.pk, "number": one.number}
    with pytest.raises(BadTerms):
        meeting_correct(winner_id=one.player_1_id, reason=" ", **about)
    meeting_correct(winner_id=one.player_1_id, reason="a slip", **about)
    final.refresh_from_db()
    assert final.undone
    (again,) = called(tournament)
    assert set(again.players) == {one.player_1_id, two.player_0_id}
    assert audit().finding_count == 0
    meeting_ready(user=again.player_0, tournament_id=tournament.pk)
    meeting_ready(user=again.player_1, tournament_id=tournament.pk)
    with pytest.raises(PlaysNow):
        meeting_correct(winner_id=one.player_0_id, reason="no, it was right", **about)
    played(again, again.player_0)
    tournament.refresh_from_db()
    assert tournament.phase == Phase.OVER
    assert audit().finding_count == 0


def test_nobody_decides_a_match_of_their_own(people):
    director, *three = people(4, 0)
    terms = TournamentTerms("knockout", length=1, least=4, most=4)
    tournament = tournament_hold(founder=director, name="Mine", terms=terms)
    entered(tournament, [director, *three])
    (own,) = [each for each in called(tournament) if director.pk in each.players]
    with pytest.raises(NotDirector):
        meeting_award(
            director=director,
            tournament_id=tournament.pk,
            number=own.number,
            winner_id=director.pk,
        )


def test_nobody_directs_where_credits_are_at_stake(people):
    players = people(4)
    tournament = knockout(4, 250)
    entered(tournament, players)
    meeting = called(tournament)[0]
    for player in players:
        with pytest.raises(NotDirector):
            tournament_call_off(director=player, tournament_id=tournament.pk)
    assert meeting.decided_at is None


def test_a_tournament_is_called_off(held):
    director, four, tournament = held
    tournament_call_off(director=director, tournament_id=tournament.pk)
    tournament.refresh_from_db()
    assert tournament.phase == Phase.CALLED_OFF
    assert "Your match against" not in page(client_of(four[0]), tournament)
    assert audit().finding_count == 0


def test_directors_of_a_club_direct_its_tournaments(people):
    founder, other, *four = people(6, 0)
    club = club_found(user=founder, name="Directed")
    club_join(user=other, club_id=club.pk)
    terms = TournamentTerms("knockout", length=1, least=4, most=4)
    tournament = tournament_hold(founder=founder, name="Evening", terms=terms, club=club)
    entered(tournament, four)
    with pytest.raises(NotDirector):
        tournament_call_off(director=other, tournament_id=tournament.pk)
    member_set(director=founder, club_id=club.pk, user_id=other.pk, standing="director")
    tournament_call_off(director=other, tournament_id=tournament.pk)
    tournament.refresh_from_db()
    assert tournament.phase == Phase.CALLED_OFF


def test_directing_on_the_page(held, dice):
    director, four, tournament = held
    address = reverse("tournament_direct", args=[tournament.pk])
    one, two = called(tournament)
    assert "Direct the tournament" not in page(client_of(four[0]), tournament)
    client = client_of(director)
    assert f"Award to {one.player_0.username}" in page(client, tournament)
    asked = {"wish": "award", "number": one.number, "winner": one.player_0_id}
    refused = client_of(four[0]).post(address, asked, follow=True).content.decode()
    assert "Only a director can do this" in refused
    client.post(address, asked)
    asked = {
        "wish": "correct",
        "number": one.number,
        "winner": one.player_1_id,
        "reason": "a\0 slip",
    }
    client.post(address, asked)
    assert JOURNAL.replayed(tournament).pairings[one.number].winner == one.player_1_id
    client.post(address, {"wish": "award", "number": "x", "winner": "999999999999"})
    assert two.decided_at is None
    client.post(address, {"wish": "call_off"})
    assert "called off" in page(client, tournament)
    assert "It does not take place." in act(client_of(four[0]), tournament, "nothing")
