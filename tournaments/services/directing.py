"""Directing a free tournament: awarding a match, correcting a result, calling it off.

Founders direct theirs, directors of a club those of the club. Where credits are at stake nobody
directs: matches are decided at the desk by administrators, and the autopilot takes that in.
"""

from collections.abc import Callable
from uuid import UUID

from django.db import transaction

from accounts.models import User
from tournaments.engine import events as ev
from tournaments.errors import CorrectionReasonMissing, NotDirector, PlaysNow
from tournaments.models import ClubStanding, Meeting, Membership, Tournament
from tournaments.services.running import move_on
from tournaments.services.store import TournamentWork, tournament_lock

REASON_LEAST = 3


def may_direct(tournament: Tournament, user_id: int | None) -> bool:
    """Whether this person directs the tournament."""
    if user_id is None or tournament.fee_cents or not tournament.is_open:
        return False
    if tournament.founder_id == user_id:
        return True
    return (
        tournament.club_id is not None
        and Membership.objects.filter(
            club=tournament.club_id, user=user_id, standing=ClubStanding.DIRECTOR
        ).exists()
    )


def meeting_award(*, director: User, tournament_id: UUID, number: int, winner_id: int) -> None:
    """Award a called match to one of its players, who came while the other did not.

    Raises `NotDirector`, `Refused`, and `PlaysNow` once its table is open.
    """

    def award(work: TournamentWork) -> None:
        meeting = Meeting.objects.filter(tournament=work.tournament, number=number).first()
        if meeting is not None and meeting.match_id is not None and meeting.decided_at is None:
            raise PlaysNow("the match is being played; it ends at its table")
        if director.pk in (meeting.players if meeting else ()):
            raise NotDirector("nobody decides a match of their own")
        work.engine.decide(number, winner_id, work.now_ms, ev.How.NO_SHOW, director.pk)

    _directed(director, tournament_id, award)


def meeting_correct(
    *, director: User, tournament_id: UUID, number: int, winner_id: int, reason: str
) -> None:
    """Correct a result; matches that rest on it and have not begun are undone.

    Raises `NotDirector`, `BadTerms` without a reason, `Refused` where later results rest on it,
    and `PlaysNow` where a match that would be undone is being played.
    """
    if len(reason.strip()) < REASON_LEAST:
        raise CorrectionReasonMissing("a correction needs a reason", field="reason")

    def correct(work: TournamentWork) -> None:
        pairing = work.engine.state.pairings.get(number)
        if pairing is not None and director.pk in pairing.players:
            raise NotDirector("nobody decides a match of their own")
        undone = work.engine.correct(number, winner_id, reason.strip(), work.now_ms, director.pk)
        played = Meeting.objects.filter(
            tournament=work.tournament, number__in=undone, match__isnull=False
        )
        if played.exists():
            raise PlaysNow("a match that rests on this result is being played")

    _directed(director, tournament_id, correct)


def tournament_call_off(*, director: User, tournament_id: UUID) -> None:
    """Call a tournament off; tables that are open are played on without it."""

    def call_off(work: TournamentWork) -> None:
        work.engine.call_off("director", work.now_ms, director.pk)

    _directed(director, tournament_id, call_off)


def _directed(director: User, tournament_id: UUID, act: Callable[[TournamentWork], None]) -> None:
    with transaction.atomic(durable=True):
        tournament = tournament_lock(tournament_id)
        if not may_direct(tournament, director.pk):
            raise NotDirector("only a director of the tournament may do this")
        work = TournamentWork(tournament)
        act(work)
        move_on(work)
