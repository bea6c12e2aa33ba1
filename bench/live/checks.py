"""A fast wrong answer is worth nothing: what must hold of the rows after each stage."""

from typing import Any, Final

import msgspec
import psycopg

from games.table.evolve import replay
from games.table.state import TableState
from games.wire import event_from_payload

REPLAYED: Final = 40

#: a fault, and a query whose rows show it; `%(tables)s` are those of the stage.
QUESTIONS: Final = {
    "events of a table do not count 1, 2, 3 … to its number": """
        SELECT t.id FROM games_table t LEFT JOIN (
            SELECT table_id, count(*) AS events, min(seq) AS first, max(seq) AS last
            FROM games_tableevent WHERE table_id = ANY(%(tables)s::uuid[]) GROUP BY table_id
        ) e ON e.table_id = t.id WHERE t.id = ANY(%(tables)s::uuid[])
        AND (e.events, e.first, e.last) IS DISTINCT FROM (t.seq, 1::bigint, t.seq)""",
    "a command is stored twice": """
        SELECT table_id, command_id FROM games_commandrecord
        WHERE table_id = ANY(%(tables)s::uuid[]) GROUP BY 1, 2 HAVING count(*) > 1""",
    "a roll was made without a player's part": """
        SELECT g.table_id, r.n FROM games_diceroll r JOIN games_gamedice g ON g.id = r.game_id
        WHERE g.table_id = ANY(%(tables)s::uuid[]) AND r.flags & 3 <> 0""",
    "a table that is played has no deadline": """
        SELECT t.id FROM games_table t LEFT JOIN games_deadline d ON d.table_id = t.id
        WHERE t.id = ANY(%(tables)s::uuid[]) AND d.table_id IS NULL
        AND t.phase NOT IN ('over', 'closed')""",
}


def wrong(address: str, tables: list[str], told: dict[str, Any]) -> list[str]:
    """The faults of these tables, in words; `told` is the generator's result."""
    found = [f"{count} x {what}" for what, count in told["troubles"].items()]
    if told["unanswered"]:
        found.append(f"{told['unanswered']} commands were never answered")
    with psycopg.connect(address) as db:
        db.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        for what, query in QUESTIONS.items():
            rows = db.execute(query, {"tables": tables}).fetchmany(3)
            found += [f"{what}: {row}" for row in rows]
        found += _commands(db, tables, told["accepted"])
        for table in tables[:: max(1, len(tables) // REPLAYED)]:
            found += _replayed(db, table)
    return found


def _commands(db: psycopg.Connection, tables: list[str], accepted: int) -> list[str]:
    row = db.execute(
        "SELECT count(*) FROM games_commandrecord"
        " WHERE table_id = ANY(%s::uuid[]) AND refusal IS NULL",
        [tables],
    ).fetchone()
    stored = row[0] if row else 0
    return [] if stored == accepted else [f"{accepted} commands accepted, {stored} stored"]


def _replayed(db: psycopg.Connection, table: str) -> list[str]:
    """Whether a table's stored events lead to its stored state."""
    rows = db.execute(
        "SELECT payload FROM games_tableevent WHERE table_id = %s ORDER BY seq", [table]
    ).fetchall()
    stored = db.execute("SELECT state FROM games_table WHERE id = %s", [table]).fetchone()
    state = replay(event_from_payload(payload) for (payload,) in rows)
    same = stored is not None and msgspec.convert(stored[0], TableState) == state
    return [] if same else [f"table {table} is stored otherwise than its events say"]
