"""Reading tables: their view, their events, the lists of the lobby."""

from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

import msgspec
from django.conf import settings
from django.db.models import Q, QuerySet
from django.utils import timezone

from games.models import Challenge, ChallengeState, HousePrices, Table, TableEvent
from games.table.state import TableState
from games.table.takeback import lasting
from games.table.terms import Prices, Terms, Wishes, terms_of
from games.table.view import table_view
from games.wire import event_frame

#: a client that missed more events than this gets a snapshot instead.
GAP_EVENTS_MAX: Final = 200

LOG_TYPES: Final = (
    "game_started",
    "rolled_off",
    "beavered",
    "raccooned",
    "play_made",
    "double_offered",
    "double_taken",
    "double_dropped",
    "game_ended",
)

Frame = dict[str, Any]


def prices() -> Prices:
    """What the house offers: the operator's figures over the defaults."""
    row = HousePrices.objects.first()
    figures = {"rake_bps": settings.RAKE_BPS, **(row.figures if row else {})}
    return msgspec.convert(figures, Prices)


def terms_offered(**wishes: object) -> Terms:
    """The terms of the house for these wishes (fields of `Wishes`). Raises `BadTerms`."""
    return terms_of(msgspec.convert(wishes, Wishes), prices())


def table_state(table: Table) -> TableState:
    """The state cached on the row."""
    return msgspec.convert(table.state, TableState)


def table_get(table_id: UUID) -> Table | None:
    """The table with this id, or None."""
    return Table.objects.filter(pk=table_id).first()


def view_frame(table: Table, state: TableState) -> Frame:
    """The public view of a table with the people in it."""
    view = table_view(state)
    return {"table": str(table.pk), "players": table.people, **view, "fair": table.fair}


def snapshot_frame(table: Table, now_ms: int) -> Frame:
    """Everything a client needs that knows nothing yet."""
    state = table_state(table)
    return {
        "type": "snapshot",
        "seq": table.seq,
        "now_ms": now_ms,
        "view": view_frame(table, state),
        "log": _log(table),
    }


def resume_frame(table: Table, since: int, now_ms: int) -> Frame:
    """What happened after event `since`, or a snapshot if that is unknown or too much."""
    missed = table.seq - since
    if since <= 0 or missed < 0 or missed > GAP_EVENTS_MAX:
        return snapshot_frame(table, now_ms)
    rows = table.events.filter(seq__gt=since, seq__lte=table.seq).order_by("seq")
    events = [event_frame(row.seq, row.payload) for row in rows]
    return update_frame(table, table_state(table), events, now_ms)


def update_frame(table: Table, state: TableState, events: Sequence[Frame], now_ms: int) -> Frame:
    """What clients hear of one commit: its events and the view they lead to."""
    return {
        "type": "update",
        "seq": table.seq,
        "now_ms": now_ms,
        "events": list(events),
        "view": view_frame(table, state),
    }


def _log(table: Table) -> list[Frame]:
    started = TableEvent.objects.filter(table=table, type="match_started").order_by("-seq").first()
    if started is None:
        return []
    types = (*LOG_TYPES, "taken_back")
    rows = table.events.filter(seq__gt=started.seq, seq__lte=table.seq, type__in=types)
    return lasting(event_frame(row.seq, row.payload) for row in rows.order_by("seq"))


def tables_open() -> QuerySet[Table]:
    """Listed tables that wait for an opponent, oldest first; private ones are not listed."""
    waiting = Table.objects.filter(phase="open", code__isnull=True)
    return waiting.select_related("opener").order_by("created_at")


def table_by_code(code: str) -> Table | None:
    """The private table of these letters, or None."""
    return Table.objects.filter(code=code).first()


def challenges_waiting_for(user_id: int) -> QuerySet[Challenge]:
    """Challenges that this player can still answer, oldest first."""
    now = timezone.now()
    waiting = Challenge.objects.filter(
        challenged=user_id, state=ChallengeState.WAITING, expires_at__gt=now
    )
    return waiting.select_related("challenger").order_by("made_at")


def challenge_get(challenge_id: UUID) -> Challenge | None:
    """The challenge with this id, as it counts now: one whose time is over has expired."""
    found = Challenge.objects.filter(pk=challenge_id).first()
    if found is None or found.state != ChallengeState.WAITING:
        return found
    if found.expires_at <= timezone.now():
        found.state = ChallengeState.EXPIRED
    return found


def challenge_terms(challenge: Challenge) -> Terms:
    """What a challenge is about."""
    return msgspec.convert(challenge.terms, Terms)


def tables_running_of(user_id: int) -> QuerySet[Table]:
    """Tables at which this player waits or plays, the last used first."""
    mine = Q(opener=user_id) | Q(guest=user_id)
    running = ~Q(phase__in=("over", "closed"))
    return (
        Table.objects.filter(mine & running)
        .select_related("opener", "guest")
        .order_by("-changed_at")
    )
