"""Tournaments through the services, with matches that end quickly."""

from collections.abc import Sequence
from itertools import count
from typing import Any

from accounts.models import User
from games.kinds import kind_move_on
from games.table import commands as cmd
from harness.sitting import Sitting
from ledger.selectors import account_balance
from tournaments.engine.terms import TournamentTerms
from tournaments.models import Meeting, Tournament
from tournaments.services.entering import meeting_ready, tournament_enter
from tournaments.services.holding import tournament_hold
from tournaments.services.running import tournament_move_on

NUMBERS = count()


def knockout(
    players: int, fee_cents: int = 0, format_key: str = "knockout", **more: Any
) -> Tournament:
    """A sit-and-go for so many players, held by the house."""
    terms = TournamentTerms(format_key, length=1, least=players, most=players)
    return tournament_hold(
        founder=None,
        name="Friday",
        terms=terms,
        fee_cents=fee_cents,
        offer=f"test{next(NUMBERS)}",
        **more,
    )


def entered(tournament: Tournament, players: Sequence[User]) -> None:
    """All of them enter, and what is due is done."""
    for player in players:
        tournament_enter(user=player, tournament_id=tournament.pk)
    kind_move_on("tournament")
    tournament.refresh_from_db()


def escrow_cents(tournament: Tournament) -> int:
    """The content of the tournament's escrow."""
    return account_balance(f"escrow:{tournament.reference}")


def called(tournament: Tournament) -> list[Meeting]:
    """The meetings that wait for a result."""
    waiting = Meeting.objects.filter(tournament=tournament, decided_at=None, undone=False)
    return list(waiting.order_by("number"))


def played(meeting: Meeting, winner: User) -> Meeting:
    """Both come to their match, and after a turn the other one leaves."""
    for player in (meeting.player_0, meeting.player_1):
        meeting_ready(user=player, tournament_id=meeting.tournament_id)
    meeting.refresh_from_db()
    seats = (meeting.player_0, meeting.player_1)
    sitting = Sitting(meeting.table, seats)
    sitting.turn()
    sitting.give(1 - meeting.players.index(winner.pk), cmd.Leave())
    tournament_move_on(meeting.tournament_id)
    return meeting
