"""Gains by tournaments: what a winner won came from all who won less, in equal parts.

In a small field that is all that counts. In a larger one only those gave something to a winner who
were beaten by them, or who gave up early for them, through others as well.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.db.models import OuterRef, QuerySet
from django.utils import timezone

from games.models import Match
from games.services.gains import BookedResult, GainKind, Passage, given_up_early
from tournaments.models import Entry, Phase, Tournament
from tournaments.services.store import change_tell

#: in a field of so many everybody may have given to everybody.
SMALL_FIELD: Final = 8


def result_of(tournament: Tournament) -> BookedResult:
    """The result of a tournament that is over."""
    assert tournament.ended_at is not None
    entries = Entry.objects.filter(tournament=tournament, withdrawn_at__isnull=True)
    prizes = dict(entries.values_list("user_id", "prize_cents"))
    nets = {user_id: (cents or 0) - tournament.fee_cents for user_id, cents in prizes.items()}
    matches = list(_matches(tournament))
    return BookedResult(
        tournament.reference,
        tournament.ended_at,
        dict.fromkeys(nets, tournament.fee_cents),
        nets,
        tuple(_passages(nets, matches)),
        tuple(matches),
    )


def _matches(tournament: Tournament | OuterRef) -> QuerySet[Match]:
    """The matches of a tournament that somebody won."""
    return Match.objects.filter(
        tournament_meeting__tournament=tournament,
        tournament_meeting__undone=False,
        winner_seat__isnull=False,
    )


def _passages(nets: dict[int, int], matches: Sequence[Match]) -> list[Passage]:
    beaten: dict[int, set[int]] = {}
    handed: dict[int, set[int]] = {}
    for match in matches:
        assert match.winner_seat is not None
        winner, loser = match.players[match.winner_seat], match.players[1 - match.winner_seat]
        beaten.setdefault(winner, set()).add(loser)
        if given_up_early(match):
            handed.setdefault(winner, set()).add(loser)
    found = []
    for taker, cents in nets.items():
        if cents <= 0:
            continue
        early = _through(handed, taker)
        behind = {each for each in nets if nets[each] < cents}
        from_cents = -(-cents // max(len(behind), 1))
        if len(nets) > SMALL_FIELD:
            behind &= early | beaten.get(taker, set())
        found += [Passage(giver, taker, from_cents, giver in early) for giver in sorted(behind)]
    return found


def _through(handed: dict[int, set[int]], taker: int) -> set[int]:
    """Everybody who gave up early against this player, or against somebody who did so."""
    found: set[int] = set()
    todo = [taker]
    while todo:
        new = handed.get(todo.pop(), set()) - found
        found |= new
        todo += new
    return found - {taker}


def _ended(since: datetime) -> QuerySet[Tournament]:
    return Tournament.objects.filter(phase=Phase.OVER, fee_cents__gt=0, ended_at__gte=since)


def _read(key: Any) -> BookedResult:
    return result_of(Tournament.objects.get(pk=UUID(str(key))))


def _of_person(user_id: int, since: datetime, until: datetime) -> list[BookedResult]:
    found = Tournament.objects.filter(
        phase=Phase.OVER,
        fee_cents__gt=0,
        ended_at__gt=since,
        ended_at__lte=until,
        entries__user=user_id,
        entries__withdrawn_at__isnull=True,
        entries__prize_cents__isnull=False,
    )
    return [result_of(tournament) for tournament in found.distinct()]


def _told(key: Any) -> None:
    """All prizes can be paid out: the page of the tournament says so."""
    tournament = Tournament.objects.get(pk=UUID(str(key)))
    done = Tournament.objects.filter(pk=tournament.pk, cleared_at=None)
    if done.update(cleared_at=timezone.now()):
        change_tell(tournament, listed=False)


TOURNAMENT_GAINS: Final = GainKind(
    _ended, lambda: _matches(OuterRef("pk")), _read, _of_person, _told
)
