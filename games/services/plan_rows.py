"""Writing plans: the one statement that stores what commands change, for both lanes.

It locks the rows it can get at once, takes only those that still have the version their plan was
made on, notes each command under its id, and writes nothing of a plan whose table is locked, has
changed or has the command already. By itself it is a whole transaction for many tables
(`games.services.fast_lane`); inside a transaction that holds the row locks, `plan_write` uses it
for one plan and `plans_write` for many.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any, Final

import psycopg
from django.db import connection
from psycopg.adapt import AdaptersMap
from psycopg.rows import dict_row
from psycopg.types.array import ListBinaryDumper
from psycopg.types.numeric import Int8BinaryDumper

from games.services.dice.stored import opening_store
from games.services.plans import TablePlan

#: the columns of each kind of row: names of attributes, and how the database reads them.
_PLAN: Final = {
    "table_id": "uuid", "version": "bigint", "user_id": "bigint", "command_id": "text",
    "phase": "text", "seq": "bigint", "state": "text", "fair": "text", "guest_id": "bigint",
    "people": "text", "changed_at": "timestamptz", "due_at": "timestamptz",
}  # fmt: skip
_EVENT: Final = {"table_id": "uuid", "seq": "bigint", "type": "text", "payload": "text"}
_GAME: Final = {"table_id": "uuid", "game_id": "uuid", "sides": "text", "next_roll": "int"}
_ROLL: Final = {
    "table_id": "uuid", "game_id": "uuid", "n": "int", "kind": "int", "flags": "int",
    "house": "bytea", "white": "bytea", "black": "bytea", "dice_json": "text", "seq": "bigint",
}  # fmt: skip


def _sources(kinds: Mapping[str, Mapping[str, str]]) -> str:
    """One table for each kind of row, from one list for each of its columns."""
    parts, number = [], 0
    for kind, columns in kinds.items():
        lists = []
        for type_ in columns.values():
            number += 1
            lists.append(f"${number}::{type_}[]")
        names = ", ".join([*columns, "place"])
        parts.append(
            f"{kind} AS (SELECT * FROM unnest({', '.join(lists)}) WITH ORDINALITY AS r({names}))"
        )
    return ", ".join(parts)


WRITE: Final = f"""
WITH {_sources({"plan": _PLAN, "event": _EVENT, "game": _GAME, "roll": _ROLL})},
held AS MATERIALIZED (
    SELECT t.id FROM games_table t JOIN plan p ON t.id = p.table_id AND t.version = p.version
    ORDER BY t.id FOR NO KEY UPDATE OF t SKIP LOCKED
), noted AS (
    INSERT INTO games_commandrecord (table_id, user_id, command_id, seq, stored_at)
    SELECT p.table_id, p.user_id, p.command_id, p.seq, p.changed_at
    FROM plan p JOIN held h ON h.id = p.table_id WHERE p.command_id IS NOT NULL
    ON CONFLICT DO NOTHING
    RETURNING table_id
), taken AS MATERIALIZED (
    SELECT table_id FROM noted
    UNION ALL
    SELECT p.table_id FROM plan p JOIN held h ON h.id = p.table_id WHERE p.command_id IS NULL
), kept AS (
    UPDATE games_table t
    SET phase = p.phase, seq = p.seq, state = p.state::jsonb, fair = p.fair::jsonb,
        guest_id = p.guest_id, people = coalesce(p.people::jsonb, t.people),
        changed_at = p.changed_at
    FROM plan p JOIN taken USING (table_id) WHERE t.id = p.table_id
    RETURNING t.id
), happened AS (
    INSERT INTO games_tableevent (table_id, seq, type, payload, stored_at)
    SELECT e.table_id, e.seq, e.type, e.payload::jsonb, clock_timestamp()
    FROM event e JOIN taken USING (table_id)
    ORDER BY e.place
), timed AS (
    INSERT INTO games_deadline (table_id, due_at)
    SELECT p.table_id, p.due_at FROM plan p JOIN taken USING (table_id)
    WHERE p.due_at IS NOT NULL
    ON CONFLICT (table_id) DO UPDATE SET due_at = EXCLUDED.due_at
), untimed AS (
    DELETE FROM games_deadline d USING plan p JOIN taken USING (table_id)
    WHERE d.table_id = p.table_id AND p.due_at IS NULL
), thrown AS (
    UPDATE games_gamedice g SET sides = d.sides::jsonb, next_roll = d.next_roll
    FROM game d JOIN taken USING (table_id) WHERE g.id = d.game_id
), rolled AS (
    INSERT INTO games_diceroll
        (game_id, n, kind, flags, house, white, black, dice, seq, rolled_at)
    SELECT r.game_id, r.n, r.kind, r.flags, r.house, r.white, r.black, r.dice_json::jsonb, r.seq,
           clock_timestamp()
    FROM roll r JOIN taken USING (table_id)
    ORDER BY r.place
)
SELECT coalesce(array_agg(kept.id), '{{}}') AS written,
       (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now_ms
FROM kept
"""


class PlanNotTaken(RuntimeError):
    """A plan did not fit a table that is locked: somebody else changed its row in this transaction.

    Nothing of the transaction may stay.
    """


def plan_write(plan: TablePlan) -> None:
    """Write one plan as `plans_write` does."""
    plans_write([plan])


def plans_write(plans: Sequence[TablePlan]) -> None:
    """Write plans in the caller's transaction, which holds the locks of their tables.

    Raises `PlanNotTaken`, `Busy`, and what the database raises.
    """
    for plan in plans:
        for game in plan.opened:
            opening_store(game)
    connection.ensure_connection()
    with connection.wrap_database_errors:
        cursor = psycopg.RawCursor(connection.connection, row_factory=dict_row)
        lists_in_binary(cursor.adapters)
        cursor.execute(WRITE, values_of(plans), binary=True)
        row = cursor.fetchone()
    written = set() if row is None else set(row["written"])
    for plan in plans:
        if plan.table_id not in written:
            raise PlanNotTaken(f"table {plan.table_id} has not version {plan.version} any more")


def lists_in_binary(adapters: AdaptersMap) -> None:
    """Send lists in binary and all numbers in one size.

    As text each string is searched for quotes, a third of a move's time; and each size of number
    would be a statement of its own.
    """
    adapters.register_dumper(list, ListBinaryDumper)
    adapters.register_dumper(int, Int8BinaryDumper)


def values_of(plans: Sequence[TablePlan]) -> list[list[Any]]:
    """The values of the statement for these plans, one a table."""
    return [
        *_lists(_PLAN, plans),
        *_lists(_EVENT, [row for plan in plans for row in plan.events]),
        *_lists(_GAME, [row for plan in plans for row in plan.dice]),
        *_lists(_ROLL, [row for plan in plans for row in plan.rolls]),
    ]


def _lists(columns: Mapping[str, str], rows: Iterable[object]) -> list[list[Any]]:
    """One list for each column."""
    read: Callable[[object], tuple[Any, ...]] = attrgetter(*columns)
    lists = [list(column) for column in zip(*map(read, rows), strict=True)]
    return lists or [[] for _ in columns]
