"""Presence at a table, stored as events during a match, because absence has consequences."""

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from games.models import HouseBot, Table
from games.selectors import table_state
from games.services.commit import TableChange, table_lock
from games.services.outages import presence_is_known
from games.table import commands as cmd
from games.table.state import RUNNING_PHASES

READ_AT_ONCE: Final = 500
"""The states of so many tables are in memory at a time."""


def attendance_note(*, table_id: UUID, seat: int, present: bool) -> bool:
    """Note that a seat's last connection has gone or its first has come; False if it is known.

    Nobody is noted as gone while a web process has no Valkey: they may be connected there.
    """
    table = Table.objects.filter(pk=table_id, phase__in=RUNNING_PHASES).first()
    if table is None:
        return False
    if (table_state(table).absences[seat].since_ms is None) is present:
        return False
    if not present and not presence_is_known():
        return False
    with transaction.atomic(durable=True):
        table = table_lock(table_id)
        change = TableChange.on(table)
        change.give(cmd.NotePresence(present=present), seat)
        return change.store()


def seats_taken() -> list[tuple[UUID, tuple[int, ...]]]:
    """Each table at which a match is being played, with the seats of people; few bytes a table.

    A match that is being played always has a deadline, so only tables with one are read.
    """
    bots = set(HouseBot.objects.values_list("user_id", flat=True))  # they have no connection
    rows = _played().order_by().values_list("pk", "state__seats").iterator(chunk_size=5_000)
    return [
        (table_id, tuple(seat for seat, person in enumerate(seats) if person not in bots))
        for table_id, seats in rows
    ]


def somebody_plays() -> bool:
    """Whether there is a table at which a match is being played."""
    return _played().exists()


def _played() -> QuerySet[Table]:
    return Table.objects.filter(deadline__isnull=False, phase__in=RUNNING_PHASES)


def seats_awaited(table_ids: Sequence[UUID]) -> list[tuple[UUID, int]]:
    """Of these tables, the seats that owe a decision and are not known to be away."""
    if not table_ids:
        return []
    bots = set(HouseBot.objects.values_list("user_id", flat=True))
    waiting = []
    for begin in range(0, len(table_ids), READ_AT_ONCE):
        portion = table_ids[begin : begin + READ_AT_ONCE]
        for table in Table.objects.filter(pk__in=portion, phase__in=RUNNING_PHASES):
            state = table_state(table)
            seat = state.decider
            if seat is None or state.seats[seat] in bots:
                continue
            if state.absences[seat].since_ms is None:
                waiting.append((table.pk, seat))
    return waiting
