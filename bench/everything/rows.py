"""The rows of one match, read after its end: what credits and ratings did, and what is stored."""

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import psycopg

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Change:
    """One row of the rating log."""

    reference: str
    pool: str
    user: int
    won: bool
    n: int
    before: Decimal
    after: Decimal
    experience_before: int


@dataclass(slots=True)
class MatchRows:
    """A match, its table with all events, its transfers and its changes of ratings."""

    id: str
    players: tuple[int, int]
    mode: str
    variant: str
    stake_cents: int
    terms: Json
    rated: bool
    winner_seat: int | None
    ending: str
    score: list[int]
    paid_cents: list[int] | None
    rake_cents: int | None
    is_over: bool
    seq: int = 0
    phase: str = ""
    state: Json = field(default_factory=dict)
    events: list[tuple[int, Json]] = field(default_factory=list)
    booked_cents: dict[str, int] = field(default_factory=dict)
    """The sum of this match's entries by account."""
    ratings: list[Change] = field(default_factory=list)


def matches_at(db: psycopg.Connection, table: str) -> list[MatchRows]:
    """The matches of a table in their order, each with everything that belongs to it."""
    found = [
        MatchRows(row[0], (row[1], row[2]), *row[3:])
        for row in db.execute(
            """SELECT id::text, player_0_id, player_1_id, mode, variant, stake_cents, terms, rated,
                      winner_seat, ending, score, paid_cents, rake_cents, ended_at IS NOT NULL
               FROM games_match WHERE table_id = %s ORDER BY number""",
            [table],
        )
    ]
    for match in found:
        _read(db, table, match)
    return found


def _read(db: psycopg.Connection, table: str, match: MatchRows) -> None:
    row = db.execute("SELECT seq, phase, state FROM games_table WHERE id = %s", [table]).fetchone()
    assert row is not None, "a match has a table"
    match.seq, match.phase, match.state = row
    match.events = db.execute(
        "SELECT seq, payload FROM games_tableevent WHERE table_id = %s ORDER BY seq", [table]
    ).fetchall()
    reference = f"match:{match.id}"
    match.booked_cents = dict(
        db.execute(
            """SELECT a.key, sum(e.amount_cents)::bigint FROM ledger_entry e
               JOIN ledger_account a ON a.id = e.account_id
               JOIN ledger_transfer t ON t.id = e.transfer_id
               WHERE t.reference = %s GROUP BY a.key""",
            [reference],
        )
    )
    match.ratings = [
        Change(*row)
        for row in db.execute(
            """SELECT reference, pool, user_id, won, n, before, after, experience_before
               FROM ratings_ratingchange WHERE reference = %s OR starts_with(reference, %s)
               ORDER BY id""",
            [reference, f"{reference}:"],
        )
    ]


def wallets_cents(db: psycopg.Connection, users: list[int]) -> list[int]:
    """The balance of each of these players."""
    rows = dict(
        db.execute(
            "SELECT key, balance_cents FROM ledger_account WHERE key = ANY(%s)",
            [[f"wallet:{user}" for user in users]],
        )
    )
    return [rows.get(f"wallet:{user}", 0) for user in users]
