"""Finding matches for the desk, and reading what happened in one."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet

from accounts.models import User
from accounts.selectors import name_fits
from games.models import Match, StoredEvent, Table
from games.table.evolve import evolve
from games.table.state import TableState
from games.wire import event_from_payload
from ratings.models import RatingChange

NUL = "\x00"
ID_LETTERS_MIN = 4


@dataclass(frozen=True, slots=True)
class MatchEventRow:
    """One stored event of a match: its number at the table, its time, its content."""

    seq: int
    stored_at: datetime
    payload: dict[str, Any]


def matches_found(text: str, state: str = "") -> QuerySet[Match]:
    """Matches by a player's name or by how an id (of match or table) begins; the newest first.

    `state` narrows to ``running``, ``ended`` or ``voided``; anything else narrows nothing.
    """
    matches = Match.objects.select_related("player_0", "player_1").order_by("-started_at")
    if text:
        matches = matches.filter(_match_named(text))
    match state:
        case "running":
            return matches.filter(ended_at=None)
        case "ended":
            return matches.filter(ended_at__isnull=False)
        case "voided":
            return matches.filter(ending="voided")
    return matches


def matches_of(user: User) -> QuerySet[Match]:
    """A player's matches, the newest first."""
    mine = Q(player_0=user) | Q(player_1=user)
    return Match.objects.filter(mine).select_related("player_0", "player_1").order_by("-started_at")


def match_events(match: Match) -> list[MatchEventRow]:
    """The events of one match, from its start to that of the next match at the table."""
    starts = StoredEvent.objects.filter(table=match.table_id, type="match_started").order_by("seq")
    first, beyond = 1, None
    for seq, payload in starts.values_list("seq", "payload"):
        if payload.get("match") == str(match.pk):
            first = seq
        elif first > 1:
            beyond = seq
            break
    chosen = Q(table=match.table_id, seq__gte=first)
    if beyond is not None:
        chosen &= Q(seq__lt=beyond)
    rows = StoredEvent.objects.filter(chosen).order_by("seq")
    return [MatchEventRow(*row) for row in rows.values_list("seq", "stored_at", "payload")]


def state_at(table_id: UUID, seq: int) -> TableState:
    """The state of a table after its first `seq` events.

    Raises ValueError or AssertionError if they cannot be read because a row was changed.
    """
    state = TableState()
    for payload in _payloads(table_id, seq):
        state = evolve(state, event_from_payload(payload))
    return state


def rating_changes(match: Match) -> QuerySet[RatingChange]:
    """How a match moved ratings, in the order in which it did."""
    return RatingChange.objects.filter(reference=match.reference).select_related("user")


def _match_named(text: str) -> Q:
    if NUL in text:
        return Q(pk=None)
    people = User.objects.filter(name_fits(text))
    named = Q(player_0__in=people) | Q(player_1__in=people)
    bare = text.removeprefix("match:").strip().lower()
    if len(bare) >= ID_LETTERS_MIN and not set(bare) - set("0123456789abcdef-"):
        tables = Table.objects.filter(id__startswith=bare)
        named |= Q(id__startswith=bare) | Q(table__in=tables)
    return named


def _payloads(table_id: UUID, seq: int) -> Iterator[dict[str, Any]]:
    rows = StoredEvent.objects.filter(table=table_id, seq__lte=seq).order_by("seq")
    return rows.values_list("payload", flat=True).iterator(chunk_size=500)
