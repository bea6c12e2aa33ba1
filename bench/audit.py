"""How long sealing and auditing take in an old house: `python -m bench.audit [--matches 100000]`.

Matches that were really played (bench/tamper/furnish.py) and are not packed are copied in bulk,
each with a table, events, players, ratings and credits of its own, until the house has so many; the
books are posted by the function that posts them always. Then are measured: sealing all of it,
sealing the matches of one minute, an audit of what is new, one in turns, a whole one, and the
slowest checks. Dice records are signed each for its game and cannot be copied, so D1 sees only
those of the furnished matches.
"""

import argparse
import time
from collections.abc import Callable
from typing import Any

from harness.servers import house_opened

SLOW = ("A9", "A11", "A12", "A16", "A19", "M1", "M2", "M3", "M4", "M5", "R1", "D1", "D2")
"""The checks that read the most rows."""

MINUTE = 60
"""Matches of the minute that is sealed alone."""

#: one row a copy: which match, and the ids of the new one
_MAP = """
DROP TABLE IF EXISTS pg_temp.copy;
CREATE TEMPORARY TABLE copy AS
SELECT n, m.id AS old_match, m.table_id AS old_table, gen_random_uuid() AS match,
       gen_random_uuid() AS table_id, m.player_0_id AS old_0, m.player_1_id AS old_1,
       (SELECT max(id) FROM accounts_user) + 2 * n - 1 AS new_0,
       (SELECT max(id) FROM accounts_user) + 2 * n AS new_1
FROM generate_series(1, {count}) n
JOIN (SELECT *, row_number() OVER (ORDER BY started_at) - 1 AS place FROM games_match
      WHERE number = 1 AND stake_cents > 0 AND ending IN ('resigned', 'borne_off', 'left')
        AND id NOT IN (SELECT match_id FROM games_gamedice)
        AND 'match:' || id IN (SELECT reference FROM ledger_transfer WHERE kind = 'result')
        AND table_id IN (SELECT table_id FROM games_tableevent)
        AND {original}) m ON m.place = n %% {originals};
ANALYZE copy;
"""

#: rows as they were, under new ids; guards are off, as the originals already satisfy them
_COPY = (
    "SET session_replication_role = replica",
    """
    INSERT INTO accounts_user ({user_columns})
    SELECT {user_values} FROM copy
    CROSS JOIN LATERAL (VALUES (old_0, new_0), (old_1, new_1)) s(old, new)
    JOIN accounts_user u ON u.id = s.old
    """,
    """
    INSERT INTO games_table ({table_columns})
    SELECT {table_values} FROM copy JOIN games_table t ON t.id = old_table
    """,
    """
    INSERT INTO games_match ({match_columns})
    SELECT {match_values} FROM copy JOIN games_match m ON m.id = old_match
    """,
    """
    INSERT INTO games_tableevent (table_id, seq, type, payload, stored_at)
    SELECT copy.table_id, e.seq, e.type, CASE
               WHEN e.type = 'match_started' THEN jsonb_set(e.payload, '{{match}}', to_jsonb(match))
               WHEN e.type IN ('table_opened', 'player_sat')
               THEN jsonb_set(e.payload, '{{player}}', CASE e.payload ->> 'player'
                   WHEN old_0::text THEN to_jsonb(new_0) ELSE to_jsonb(new_1) END)
               ELSE e.payload END, e.stored_at
    FROM copy JOIN games_tableevent e ON e.table_id = old_table ORDER BY copy.table_id, e.seq
    """,
    """
    INSERT INTO ratings_ratingchange ({change_columns})
    SELECT {change_values} FROM copy
    JOIN ratings_ratingchange c ON c.reference = 'match:' || old_match
    """,
    """
    INSERT INTO ratings_rating ({rating_columns})
    SELECT {rating_values} FROM copy
    CROSS JOIN LATERAL (VALUES (old_0, new_0), (old_1, new_1)) s(old, new)
    JOIN ratings_rating r ON r.user_id = s.old
    """,
    "SET session_replication_role = origin",
    "SELECT setval('accounts_user_id_seq', (SELECT max(id) FROM accounts_user))",
    "SELECT change_take('accounts_user')",
    "SELECT change_take('games_match')",
)

BATCH_FIRST, BATCH_MOST = 100, 5_000
"""Matches that are posted in one transaction: each batch is twice the one before it."""

#: the books, by their own functions, for the copies after {low} up to {high}
_POST = (
    """
    SELECT count(ledger_wallet_open(u)) FROM copy, LATERAL (VALUES (new_0), (new_1)) s(u)
    WHERE n > {low} AND n <= {high}
    """,
    """
    INSERT INTO ledger_welcome (user_id, amount_cents)
    SELECT u, 10000 FROM copy, LATERAL (VALUES (new_0), (new_1)) s(u)
    WHERE n > {low} AND n <= {high}
    """,
    """
    SELECT count(ledger_post('promo:welcome:' || u, 'welcome', 'promo:welcome',
        ARRAY['promo_issue:welcome', 'wallet:' || u], ARRAY[-10000, 10000]::bigint[]))
    FROM copy, LATERAL (VALUES (new_0), (new_1)) s(u)
    WHERE n > {low} AND n <= {high}
    """,
    """
    SELECT count(ledger_post('match:' || match || CASE t.kind WHEN 'stake' THEN ':open'
            ELSE ':resolve' END, t.kind, 'match:' || match, lines.keys, lines.amounts))
    FROM copy JOIN ledger_transfer t ON t.reference = 'match:' || old_match
    CROSS JOIN LATERAL (
        SELECT array_agg(CASE a.kind WHEN 'escrow' THEN 'escrow:match:' || match
                   WHEN 'wallet' THEN 'wallet:' || CASE a.owner_id WHEN old_0 THEN new_0
                                                   ELSE new_1 END
                   ELSE a.key END ORDER BY e.line) AS keys,
               array_agg(e.amount_cents ORDER BY e.line) AS amounts
        FROM ledger_entry e JOIN ledger_account a ON a.id = e.account_id
        WHERE e.transfer_id = t.id) lines
    WHERE t.kind = '{kind}' AND n > {low} AND n <= {high}
    """,
)

_ROWS = (
    "games_match", "games_tableevent", "ledger_transfer", "ledger_entry", "ledger_change",
    "ratings_ratingchange", "accounts_user",
)  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--matches", type=int, default=100_000)
    chosen = parser.parse_args()
    with house_opened() as folder:
        _measure(chosen.matches, f"{folder}/seals.log")


def _measure(matches: int, seal_file: str) -> None:
    from django.conf import settings

    from bench.tamper.furnish import furnish
    from ledger import audit
    from ledger.audit_changes import OVERLAP
    from ledger.seals import books_seal

    settings.LEDGER_SEAL_FILE = seal_file
    furnish()
    _timed("copying the matches", lambda: _copies(matches))
    for table in _ROWS:
        print(f"{_one(f'SELECT count(*) FROM {table}'):>12,}  {table}", flush=True)
    seals = _timed("sealing all of it", books_seal)
    print(f"{len(seals):>12,}  seals")
    since = _timed("whole audit", audit.run)
    _copies(MINUTE)
    _timed(f"sealing {MINUTE} matches, a minute's", books_seal)
    # copies are as young as this run; the mark is so much later that they count as old rows
    mark = audit.AuditMark(since.reached.transfer_id, since.reached.moment + 2 * OVERLAP)
    turn = audit.AuditTurn((0,), settings.LEDGER_AUDIT_ROUND_DAYS)
    recent = _timed("recent audit", lambda: audit.run(since=mark))
    turns = _timed("audit in turns", lambda: audit.run(since=mark, turn=turn))
    for report in (since, turns, recent):
        found = [(r.code, r.findings[0]) for r in report.results if r.findings]
        assert not found, found[:3]
    for code in SLOW:
        _timed(f"  {code} alone, whole", lambda code=code: audit.run([code]))
        _timed(
            f"  {code} alone, in turns",
            lambda code=code: audit.run([code], since=mark, turn=turn),
        )


def _timed(what: str, act: Callable[[], Any]) -> Any:
    began = time.perf_counter()
    done = act()
    print(f"{time.perf_counter() - began:>11.1f}s  {what}", flush=True)
    return done


def _one(query: str) -> Any:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(query)
        return cursor.fetchone()[0]


def _copies(count: int) -> None:
    """Copy the furnished matches in turn until there are so many copies more."""
    from django.db import connection, transaction

    original = "player_0_id < (SELECT id FROM accounts_user WHERE username = 'redeemer')"
    originals = _one(
        "SELECT count(*) FROM games_match m WHERE number = 1 AND stake_cents > 0"
        " AND ending IN ('resigned', 'borne_off', 'left')"
        " AND id NOT IN (SELECT match_id FROM games_gamedice)"
        " AND 'match:' || id IN (SELECT reference FROM ledger_transfer WHERE kind = 'result')"
        f" AND table_id IN (SELECT table_id FROM games_tableevent) AND {original}"
    )
    names = _columns()
    with transaction.atomic(), connection.cursor() as cursor:
        facts = {"count": count, "original": original, "originals": originals}
        cursor.execute(_MAP.format(**facts).replace("%%", "%"))
        for statement in _COPY:
            cursor.execute(statement.format(**names))
    high, batch = 0, BATCH_FIRST
    while high < count:
        with connection.cursor() as cursor:  # functions keep a plan until the statistics change
            cursor.execute("ANALYZE")
        low, high = high, min(high + batch, count)
        part, batch = {"low": low, "high": high}, min(2 * batch, BATCH_MOST)
        with transaction.atomic(), connection.cursor() as cursor:
            for statement in _POST[:-1]:
                cursor.execute(statement.format(**part))
            for kind in ("stake", "result"):
                cursor.execute(_POST[-1].format(kind=kind, **part))
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def _columns() -> dict[str, str]:
    """The columns of each copied table, and what stands in a copy's."""
    seat = "CASE c.{0} WHEN old_0 THEN new_0 ELSE new_1 END"
    changed = {
        "user": ("accounts_user", "u", {
            "id": "s.new", "username": "'copy-' || s.new", "name_key": "'copy-' || s.new",
        }),
        "table": ("games_table", "t", {
            "id": "copy.table_id", "opener_id": "new_0", "guest_id": "new_1",
            "state": "jsonb_set(jsonb_set(t.state, '{match,id}', to_jsonb(match)), '{seats}',"
            " jsonb_build_array(new_0, new_1))",
        }),
        "match": ("games_match", "m", {
            "id": "match", "table_id": "copy.table_id", "player_0_id": "new_0",
            "player_1_id": "new_1",
        }),
        "change": ("ratings_ratingchange", "c", {
            "reference": "'match:' || match", "user_id": seat.format("user_id"),
            "opponent_id": seat.format("opponent_id"),
        }),
        "rating": ("ratings_rating", "r", {"user_id": "s.new"}),
    }  # fmt: skip
    found = {}
    for name, (table, alias, values) in changed.items():
        columns = _one(
            "SELECT array_agg(attname::text ORDER BY attnum) FROM pg_attribute"
            f" WHERE attrelid = '{table}'::regclass AND attnum > 0 AND NOT attisdropped"
        )
        kept = [column for column in columns if column != "id" or "id" in values]
        found[f"{name}_columns"] = ", ".join(f'"{column}"' for column in kept)
        found[f"{name}_values"] = ", ".join(
            values.get(column, f'{alias}."{column}"') for column in kept
        )
    return found


if __name__ == "__main__":
    main()
