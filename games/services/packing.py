"""Packing: the events of tables that have been closed for a while, each table's in one row.

The database makes the packs, compares them with the rows, and removes the rows
(`games/sql/packs.sql`); this module chooses the tables. Each table is one short transaction that
holds its row, so a process that dies leaves a table in rows or in a pack, whole, and two that run
at once do not wait.
"""

import logging
from collections.abc import Callable, Collection
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.db import DatabaseError, connection, transaction

from games.services.moments import database_now_ms, moment

#: tables that are looked at in one query.
BATCH: Final = 200

#: tables that one run of the task packs at most.
PACKED_AT_ONCE: Final = 5_000

#: tables by the age of their first event in a row; those in packs have none.
_OLDEST: Final = """
    SELECT e.id, e.table_id, e.stored_at, t.phase = 'closed' AND t.changed_at < %(before)s
           AND games_packing_waits(t.id) IS NULL
    FROM games_tableevent e JOIN games_table t ON t.id = e.table_id
    WHERE e.seq = 1 AND e.id > %(after)s ORDER BY e.id LIMIT %(batch)s
"""

Held = Callable[[Collection[UUID]], set[UUID]]

_held_by: list[Held] = []
_log = logging.getLogger("games.packing")


def held_tables_register(held: Held) -> None:
    """Add a reason to leave tables alone: of these tables, those whose matches are contested."""
    _held_by.append(held)


def tables_pack(*, older_than: timedelta | None = None, limit: int = PACKED_AT_ONCE) -> int:
    """Pack the tables that were closed so long ago, the oldest first, at most `limit`; how many.

    Without an age, that of the setting PACK_AFTER_DAYS counts; 0 there packs nothing.
    """
    if older_than is None:
        if not settings.PACK_AFTER_DAYS:
            return 0
        older_than = timedelta(days=settings.PACK_AFTER_DAYS)
    before, after, packed = moment(database_now_ms()) - older_than, 0, 0
    while packed < limit and (rows := _oldest(before, after)):
        after = rows[-1][0]
        due = [table_id for _, table_id, _, is_due in rows if is_due]
        held = {table_id for held_of in _held_by for table_id in held_of(due)} if due else set()
        free = [table_id for table_id in due if table_id not in held]
        packed += sum(table_pack(table_id, before) for table_id in free[: limit - packed])
        if rows[-1][2] >= before:
            break  # tables that opened later have not been closed so long
    return packed


def table_pack(table_id: UUID, closed_before: datetime) -> bool:
    """Pack the events of one table; False if another process is at it, was, or it was refused.

    A refusal is an error of the log: rows that cannot be packed are rows that an audit names.
    """
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SELECT games_table_pack(%s, %s)", [table_id, closed_before])
            return bool(cursor.fetchone()[0])
    except DatabaseError as error:
        _log.error("The events of table %s were not packed: %s", table_id, error)
        return False


def _oldest(before: datetime, after: int) -> list[tuple[Any, ...]]:
    """The next tables with events in rows: (id of the first, table, its time, is due)."""
    with connection.cursor() as cursor:
        cursor.execute(_OLDEST, {"before": before, "after": after, "batch": BATCH})
        rows: list[tuple[Any, ...]] = cursor.fetchall()
        return rows
