"""Presence at a table, stored as events during a match, because absence has consequences."""

from uuid import UUID

from django.db import transaction

from games.models import HouseBot, Table
from games.selectors import table_state
from games.services.commit import Change, table_lock
from games.table import commands as cmd
from games.table.state import RUNNING_PHASES


def attendance_note(*, table_id: UUID, seat: int, present: bool) -> bool:
    """Note that a seat's last connection has gone or its first has come; False if it is known."""
    table = Table.objects.filter(pk=table_id, phase__in=RUNNING_PHASES).first()
    if table is None:
        return False
    if (table_state(table).absences[seat].since_ms is None) is present:
        return False
    with transaction.atomic(durable=True):
        table = table_lock(table_id)
        change = Change.on(table)
        change.give(cmd.NotePresence(present=present), seat)
        return change.store()


def seats_awaited() -> list[tuple[UUID, int]]:
    """Tables and seats that owe a decision and are not known to be away."""
    bots = set(HouseBot.objects.values_list("user_id", flat=True))  # they have no connection
    waiting = []
    for table in Table.objects.filter(phase__in=RUNNING_PHASES).iterator():
        state = table_state(table)
        seat = state.decider
        if seat is None or state.seats[seat] in bots:
            continue
        if state.absences[seat].since_ms is None:
            waiting.append((table.pk, seat))
    return waiting
