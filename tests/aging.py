"""Rows made older, or otherwise, than the guards of the database allow: the one way for tests."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from django.db import connection
from django.db.backends.utils import CursorWrapper
from django.db.models import F, Model, QuerySet

from games.models import Challenge, Match
from games.services.seats import MEMORY_MS


@contextmanager
def guards_off() -> Iterator[CursorWrapper]:
    """Changes that only the owner of the database can make, past every trigger."""
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
        try:
            yield cursor
        finally:
            cursor.execute("SET session_replication_role = origin")


def rows_age(rows: QuerySet[Any], **values: Any) -> int:
    """Update rows as if they had been so from the beginning: their last logged version follows."""
    table = rows.model._meta.db_table
    with guards_off() as cursor:
        changed = rows.update(**values)
        cursor.execute(
            "UPDATE ledger_change c SET content = now.content FROM pg_trigger g"
            " CROSS JOIN LATERAL change_rows(%s) now CROSS JOIN LATERAL (SELECT max(v.id) AS id"
            " FROM ledger_change v WHERE v.table_name = %s AND v.row_key = now.row_key) last"
            " WHERE g.tgname = 'change_noted' AND g.tgrelid = %s::regclass AND c.id = last.id"
            " AND c.content IS DISTINCT FROM now.content",
            [table, table, table],
        )
    return changed


def row_made(row: Model) -> None:
    """Store a row that nothing justifies; it is not in the log."""
    with guards_off():
        row.save(force_insert=True)


# --- limits of what people did too often ----------------------------------------------------------
LONG_AGO = timedelta(milliseconds=2 * MEMORY_MS)


def stand_ups_forget() -> None:
    """Move every match that ended before its first roll so far back that it no longer counts."""
    ended = Match.objects.filter(ending="stood_up")
    ended.update(started_at=F("started_at") - LONG_AGO, ended_at=F("ended_at") - LONG_AGO)


def challenges_forget() -> None:
    """Move every challenge that no longer waits so far back that it no longer counts."""
    over = Challenge.objects.exclude(state="waiting")
    over.update(made_at=F("made_at") - LONG_AGO, expires_at=F("expires_at") - LONG_AGO)
