"""Packing: the events of tables that have been closed for a while, each table's in one row.

The rolls of its games follow, those of each game in one row. The database makes the packs, compares
them with the rows, and removes the rows (`games/migrations/sql/packs.sql`, `roll_packs.sql`); this
module chooses the tables. Each table and each game is one short transaction that holds its row, so
a process that dies leaves it in rows or in a pack, whole, and two that run at once do not wait.
"""

import logging
import time
from collections.abc import Callable, Collection, Iterator
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.db import DatabaseError, connection, transaction

from kit.database import database_now_ms, moment

#: tables that are looked at in one query.
BATCH: Final = 200

#: tables that one run of the task packs at most.
PACKED_AT_ONCE: Final = 5_000

#: the longest that one run of the task takes, without the last pack: half of it for tables.
SECONDS_AT_ONCE: Final = 40.0

#: tables by the age of their first event in a row; those in packs have none.
_TABLES: Final = """
    SELECT e.id, e.table_id, e.stored_at, t.phase = 'closed' AND t.changed_at < %(before)s
           AND games_packing_waits(t.id) IS NULL
    FROM games_tableevent e JOIN games_table t ON t.id = e.table_id
    WHERE e.seq = 1 AND e.id > %(after)s ORDER BY e.id LIMIT %(batch)s
"""

#: the games at a table whose rolls can be packed.
_OF_TABLE: Final = """
    SELECT g.id FROM games_gamedice g
    WHERE g.table_id = %s AND g.next_roll > 0 AND games_rolls_wait(g.id) IS NULL
"""

#: games whose rolls were left when their table was packed, in the same way as tables.
_GAMES: Final = """
    SELECT r.id, r.game_id, r.rolled_at, games_rolls_wait(r.game_id) IS NULL
    FROM games_diceroll r
    WHERE r.n = 0 AND r.id > %(after)s ORDER BY r.id LIMIT %(batch)s
"""

Held = Callable[[Collection[UUID]], set[UUID]]

_held_by: list[Held] = []
_log = logging.getLogger("games.packing")


def held_tables_register(held: Held) -> None:
    """Add a reason to leave tables alone: of these tables, those whose matches are contested."""
    _held_by.append(held)


def tables_pack(
    *,
    older_than: timedelta | None = None,
    limit: int = PACKED_AT_ONCE,
    within_seconds: float = float("inf"),
) -> int:
    """Pack the tables that were closed so long ago, the oldest first, at most `limit`; how many.

    Without an age, that of the setting PACK_AFTER_DAYS counts; 0 there packs nothing. The rolls of
    each table are packed after its events. Half of `within_seconds` is for tables, the rest for
    rolls that were left.
    """
    if older_than is None:
        if not settings.PACK_AFTER_DAYS:
            return 0
        older_than = timedelta(days=settings.PACK_AFTER_DAYS)
    before, packed, began = moment(database_now_ms()) - older_than, 0, time.monotonic()
    for table_id in _free(before):
        if packed >= limit or time.monotonic() > began + within_seconds / 2:
            break
        if table_pack(table_id, before):
            packed += 1
            for game_id in _games_of(table_id):
                game_pack(game_id)
    for due in _oldest(_GAMES, before, until=began + within_seconds):
        for game_id in due:
            game_pack(game_id)
    return packed


def _free(before: datetime) -> Iterator[UUID]:
    """The tables that are due and that nothing holds."""
    for due in _oldest(_TABLES, before):
        held = {table_id for held_of in _held_by for table_id in held_of(due)} if due else set()
        yield from (table_id for table_id in due if table_id not in held)


def _games_of(table_id: UUID) -> list[UUID]:
    with connection.cursor() as cursor:
        cursor.execute(_OF_TABLE, [table_id])
        return [game_id for (game_id,) in cursor.fetchall()]


def table_pack(table_id: UUID, closed_before: datetime) -> bool:
    """Pack the events of one table; False if another process is at it, was, or it was refused.

    A refusal is an error of the log: rows that cannot be packed are rows that an audit names.
    """
    return _packed("events of table", "games_table_pack(%s, %s)", table_id, closed_before)


def game_pack(game_id: UUID) -> bool:
    """Pack the rolls of one game, as `table_pack` does events."""
    return _packed("rolls of game", "games_rolls_pack(%s)", game_id)


def _packed(what: str, call: str, *values: Any) -> bool:
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f"SELECT {call}", values)
            return bool(cursor.fetchone()[0])
    except DatabaseError as error:
        _log.error("The %s %s were not packed: %s", what, values[0], error)
        return False


def _oldest(query: str, before: datetime, until: float = float("inf")) -> Iterator[list[UUID]]:
    """The tables or games with rows, the oldest first, a batch at a time: those that are due.

    A row of the query is (id of the first row, table or game, its time, is due). Those that began
    later have not been closed so long.
    """
    after = 0
    while time.monotonic() < until:
        with connection.cursor() as cursor:
            cursor.execute(query, {"before": before, "after": after, "batch": BATCH})
            rows = cursor.fetchall()
        if not rows:
            return
        yield [each for _, each, _, is_due in rows if is_due]
        after = rows[-1][0]
        if rows[-1][2] >= before:
            return
