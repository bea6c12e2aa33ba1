"""I1 to I4, checked in the database itself while it works: one snapshot, six queries.

Written without a line of the product: the sums of the books are defined here a second time.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

import psycopg

from bench.soak.journal import Violation

Questions = tuple[tuple[str, str, str], ...]

ROWS_MAX: Final = 5

#: code, promise, and a query whose rows break it.
QUESTIONS: Final[Questions] = (
    (
        "I1",
        "all entries sum to zero",
        "SELECT sum(amount_cents) FROM ledger_entry HAVING sum(amount_cents) <> 0",
    ),
    (
        "I1",
        "no wallet, escrow or hold is below zero",
        "SELECT key, balance_cents FROM ledger_account WHERE bounded AND balance_cents < 0",
    ),
    (
        "I2",
        "a stored balance is the sum of its entries",
        """SELECT a.key, a.balance_cents, coalesce(sum(e.amount_cents), 0)
           FROM ledger_account a LEFT JOIN ledger_entry e ON e.account_id = a.id
           WHERE a.bounded GROUP BY a.id
           HAVING a.balance_cents <> coalesce(sum(e.amount_cents), 0)""",
    ),
    (
        "I3",
        "a match takes both stakes once, is decided once, and pays stakes less rake",
        """SELECT m.id, m.ending, m.stake_cents, b.*
           FROM games_match m LEFT JOIN (
               SELECT t.reference,
                      count(DISTINCT t.id) FILTER (WHERE t.kind = 'stake') AS stakes,
                      count(DISTINCT t.id) FILTER (WHERE t.kind IN
                          ('result', 'tie', 'void', 'adjudicate')) AS decided,
                      coalesce(-sum(e.amount_cents) FILTER
                          (WHERE t.kind = 'stake' AND a.kind = 'wallet'), 0) AS taken,
                      coalesce(sum(e.amount_cents) FILTER
                          (WHERE t.kind <> 'stake' AND a.kind = 'wallet'), 0) AS paid,
                      coalesce(sum(e.amount_cents) FILTER
                          (WHERE a.kind = 'house_rake'), 0) AS rake,
                      coalesce(sum(e.amount_cents) FILTER
                          (WHERE a.kind = 'escrow'), 0) AS held
               FROM ledger_transfer t JOIN ledger_entry e ON e.transfer_id = t.id
               JOIN ledger_account a ON a.id = e.account_id
               WHERE t.reference LIKE 'match:%' GROUP BY t.reference
           ) b ON b.reference = 'match:' || m.id
           WHERE m.stake_cents > 0 AND (b.stakes, b.taken, b.decided) IS DISTINCT FROM
                 (1::bigint, 2 * m.stake_cents::numeric,
                  CASE WHEN m.ended_at IS NULL THEN 0 ELSE 1 END::bigint)
              OR m.stake_cents > 0 AND m.ended_at IS NOT NULL
                 AND (b.paid + b.rake <> 2 * m.stake_cents OR b.held <> 0
                      OR b.rake <> m.rake_cents
                      OR b.paid <> (m.paid_cents ->> 0)::bigint + (m.paid_cents ->> 1)::bigint
                      OR m.ending IN ('voided', 'stood_up') AND b.rake <> 0)
              OR m.stake_cents = 0 AND b.reference IS NOT NULL""",
    ),
    (
        "I3",
        "a match ends once, and its table says so once",
        """SELECT e.table_id, count(*) FILTER (WHERE e.type = 'match_started') AS started,
                  count(*) FILTER (WHERE e.type = 'match_ended') AS ended
           FROM games_tableevent e
           WHERE e.type IN ('match_started', 'match_ended') GROUP BY e.table_id
           HAVING count(*) FILTER (WHERE e.type = 'match_ended')
                > count(*) FILTER (WHERE e.type = 'match_started')""",
    ),
    (
        "I4",
        "escrows hold the pots of matches, tournaments and chouettes that run, and nothing else",
        """SELECT held.cents, pots.cents FROM
           (SELECT coalesce(sum(balance_cents), 0) AS cents FROM ledger_account
            WHERE kind = 'escrow') held,
           (SELECT (SELECT coalesce(sum(2 * stake_cents), 0) FROM games_match
                    WHERE ended_at IS NULL)
                 + (SELECT coalesce(sum(t.fee_cents), 0) FROM tournaments_tournament t
                    JOIN tournaments_entry e ON e.tournament_id = t.id
                    WHERE t.phase IN ('registering', 'running') AND e.withdrawn_at IS NULL)
                 + (SELECT coalesce(sum(s.stake_cents), 0) FROM chouette_share s
                    JOIN chouette_game g ON g.id = s.game_id WHERE g.ended_at IS NULL)
                   AS cents) pots
           WHERE held.cents <> pots.cents""",
    ),
)


@dataclass(slots=True)
class Glance:
    """One check of the books: the faults, and the database's own figures."""

    violations: list[Violation]
    games_ended: int
    matches_running: int


def look(address: str) -> Glance:
    """Run all queries in one REPEATABLE READ snapshot. Raises `psycopg.Error` while it is down."""
    with psycopg.connect(address, connect_timeout=5) as connection:
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        found = asked(lambda query: connection.execute(query).fetchmany(ROWS_MAX), QUESTIONS)
        ended, running = connection.execute(
            """SELECT (SELECT count(*) FROM games_tableevent WHERE type = 'game_ended'),
                      (SELECT count(*) FROM games_match WHERE ended_at IS NULL)"""
        ).fetchone() or (0, 0)
    return Glance(found, ended, running)


def all_asked(address: str, questions: Questions) -> list[Violation]:
    """Every question in one snapshot."""
    with psycopg.connect(address) as connection:
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        return asked(lambda query: connection.execute(query).fetchmany(ROWS_MAX), questions)


def asked(
    rows_of: Callable[[str], Iterable[tuple[Any, ...]]], questions: Questions
) -> list[Violation]:
    """Every question, by a function that answers a query with rows."""
    return [
        Violation(code, f"{promise}: {', '.join(map(str, row))}")
        for code, promise, query in questions
        for row in rows_of(query)
    ]


def counted(address: str, query: str) -> int:
    """The number that a query answers."""
    with psycopg.connect(address) as connection:
        row = connection.execute(query).fetchone()
    return int(row[0]) if row else 0
