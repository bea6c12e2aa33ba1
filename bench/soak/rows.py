"""The rows of the house after a run, read once, as plain values for the oracle."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import Any, Final

import psycopg

Json = dict[str, Any]

#: rows that must be gone when everything is quiet, and duplicates: name and query.
LEFT_OVER: Final = {
    "deadlines of tables that are overdue": """
        SELECT count(*) FROM games_deadline d JOIN games_table t ON t.id = d.table_id
        WHERE d.due_at < now() - interval '30 seconds'""",
    "chouettes at which something is overdue": """
        SELECT count(*) FROM chouette_circle
        WHERE closed_at IS NULL AND wake_at < now() - interval '30 seconds'""",
    "house bots that owe an answer": """
        SELECT count(*) FROM games_botturn WHERE due_at < now() - interval '30 seconds'""",
    "outages that were not given back": """
        SELECT count(*) FROM games_outage WHERE credited_at IS NULL
        AND ended_at < now() - interval '20 seconds'""",
    "matches rated more than once": """
        SELECT count(*) FROM (SELECT 1 FROM ratings_ratingchange GROUP BY reference, kind
        HAVING count(*) > 2) twice""",
    "transfers booked twice": """
        SELECT count(*) FROM (SELECT 1 FROM ledger_transfer GROUP BY key
        HAVING count(*) > 1) twice""",
    "steps of payouts noted twice": """
        SELECT count(*) FROM (SELECT 1 FROM ledger_payoutstep s WHERE NOT EXISTS (
            SELECT FROM ledger_journalentry j WHERE j.verb = 'payout.requested'
            AND j.subject = 'payout:' || s.payout_id)
        GROUP BY payout_id, state HAVING count(*) > 1) twice""",
}


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table as it is stored."""

    id: str
    mode: str
    phase: str
    seq: int
    state: Json


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match as it is stored."""

    id: str
    table: str
    number: int
    mode: str
    winner_seat: int | None
    ending: str
    paid_cents: list[int] | None
    rake_cents: int | None
    ended_at: object


@dataclass(frozen=True, slots=True)
class PayoutRow:
    """A payout as it is stored."""

    id: int
    user: int
    state: str
    approved_by: int | None
    closed_by: int | None


@dataclass(frozen=True, slots=True)
class AdjustmentRow:
    """An adjustment as it is stored."""

    id: int
    user: int
    alone: bool
    proposed_by: int
    confirmed_by: int | None


@dataclass(slots=True)
class Rows:
    """Everything the oracle looks at."""

    tables: list[TableRow] = field(default_factory=list)
    matches: list[MatchRow] = field(default_factory=list)
    payouts: list[PayoutRow] = field(default_factory=list)
    adjustments: list[AdjustmentRow] = field(default_factory=list)
    events: dict[str, list[tuple[int, Json]]] = field(default_factory=dict)
    commands: dict[tuple[str, int, str], int] = field(default_factory=dict)
    commands_twice: list[tuple[str, int, str]] = field(default_factory=list)
    rolls: dict[tuple[str, int], tuple[Any, ...]] = field(default_factory=dict)
    roll_numbers: dict[str, list[int]] = field(default_factory=dict)
    left_over: dict[str, int] = field(default_factory=dict)
    endings: Counter[str] = field(default_factory=Counter)

    def last_seq(self, table: str) -> int:
        """The number of a table's last event."""
        events = self.events.get(table)
        return events[-1][0] if events else 0


def read(address: str) -> Rows:
    """Read everything in one snapshot."""
    rows = Rows()
    with psycopg.connect(address) as db:
        db.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        _read_tables(db, rows)
        _read_commands(db, rows)
        _read_rolls(db, rows)
        rows.left_over = left_over(db)
    return rows


def left_over(db: psycopg.Connection) -> dict[str, int]:
    """How much of each kind there is; all must be nothing in the end."""
    return {what: (db.execute(query).fetchone() or (0,))[0] for what, query in LEFT_OVER.items()}


def is_quiet(address: str) -> bool:
    """Whether nothing waits that should have happened; False while the database is down."""
    try:
        with psycopg.connect(address, connect_timeout=5) as db:
            return not any(left_over(db).values())
    except psycopg.Error:
        return False


def _read_tables(db: psycopg.Connection, rows: Rows) -> None:
    for row in db.execute("SELECT id::text, mode, phase, seq, state FROM games_table"):
        rows.tables.append(TableRow(*row))
    rows.matches = [
        MatchRow(*row)
        for row in db.execute(
            """SELECT id::text, table_id::text, number, mode, winner_seat, ending, paid_cents,
                      rake_cents, ended_at FROM games_match"""
        )
    ]
    rows.endings = Counter(match.ending for match in rows.matches)
    query = "SELECT id, user_id, state, approved_by_id, closed_by_id FROM ledger_payout"
    rows.payouts = [PayoutRow(*row) for row in db.execute(query)]
    query = "SELECT id, user_id, proposal_id IS NULL, proposed_by_id, confirmed_by_id"
    query += " FROM ledger_adjustment"
    rows.adjustments = [AdjustmentRow(*row) for row in db.execute(query)]
    events = defaultdict(list)
    query = "SELECT table_id::text, seq, payload FROM games_tableevent ORDER BY table_id, seq, id"
    for table, seq, payload in db.execute(query):
        events[table].append((seq, payload))
    rows.events = dict(events)


def _read_commands(db: psycopg.Connection, rows: Rows) -> None:
    query = "SELECT table_id::text, user_id, command_id, seq FROM games_commandrecord"
    query += " WHERE refusal IS NULL"
    for table, user, command, seq in db.execute(query):
        if (table, user, command) in rows.commands:
            rows.commands_twice.append((table, user, command))
        rows.commands[table, user, command] = seq


def _read_rolls(db: psycopg.Connection, rows: Rows) -> None:
    numbers = defaultdict(list)
    query = "SELECT game_id::text, n, dice, flags, house, white, black FROM games_diceroll"
    for game, n, dice, flags, *parts in db.execute(query):
        numbers[game].append(n)
        rows.rolls[game, n] = (tuple(dice), flags, *(bytes(part).hex() for part in parts))
    rows.roll_numbers = dict(numbers)
