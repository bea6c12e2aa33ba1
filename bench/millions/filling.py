"""Filling the house: people by COPY, everything else by statements of the database, in order.

Indexes are dropped before and made again after, so each unique constraint is checked on all rows;
triggers and foreign keys are off meanwhile, and the check constraints hold throughout. Memory is
bounded: nothing but one row at a time is in this process, and the database sorts on disk.
"""

import os
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bench.millions.samples import Samples

POSTGRES: Final = {
    "fsync": "off",
    "full_page_writes": "off",
    "synchronous_commit": "off",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "max_wal_size": "4GB",
    "autovacuum": "off",  # VACUUM ANALYZE follows the filling, once
    "max_connections": "50",
    "max_parallel_workers_per_gather": "0",  # others would pay for what they hide
    "random_page_cost": "1.1",
}


@dataclass(frozen=True, slots=True)
class Size:
    """How much is in the house."""

    players: int
    matches: int
    entries: int
    big_matches: int
    """Matches of each of the `BIG` players who play much more than all others."""
    open_tables: int
    running_tables: int
    present: int
    """People in the house now, in Valkey."""
    samples: int
    """Matches that were really played, with all their events."""


FULL: Final = Size(1_000_000, 5_000_000, 10_000_000, 50_000, 2_000, 50_000, 100_000, 40)
SHORT: Final = Size(4_000, 8_000, 24_000, 400, 100, 200, 1_000, 4)
BIG: Final = 4


def postgres_settings() -> dict[str, str]:
    """Settings at any size; the memory of the server is a twelfth of the machine's."""
    total_mb = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2**20
    return {
        **POSTGRES,
        "shared_buffers": f"{total_mb // 12}MB",
        "effective_cache_size": f"{total_mb // 3}MB",
        "maintenance_work_mem": f"{total_mb // 48}MB",
        "max_parallel_maintenance_workers": "1",
    }


def said(text: str) -> None:
    """A line about what is being done, beside the figures."""
    print(text, file=sys.stderr, flush=True)


SQL: Final = Path(__file__).parent / "sql"

FILLED: Final = (
    "accounts_user", "account_emailaddress", "games_table", "games_match", "games_playermatch",
    "ratings_ratingchange", "ratings_rating", "ledger_account", "ledger_transfer", "ledger_entry",
    "ledger_promo", "ledger_welcome", "analysis_job", "fairplay_screening", "fairplay_conduct",
    "tournaments_entry",
)  # fmt: skip
"""Tables whose indexes are made after their rows."""

NAMES: Final = (
    "anna", "magriel", "tilo", "barbara", "hilde", "paul", "akira", "emre", "leyla", "nikos",
    "olga", "pedro", "ruth", "sven", "yusuf", "zoe", "ines", "karl", "mona", "dario",
)  # fmt: skip
ENDINGS: Final = ("", "-b", "kar", "lin", "oux", "ski", "ette", "man", "dottir", "opoulos")

_KEPT = """
SELECT coalesce(c.conname, x.relname), c.conname IS NOT NULL,
       coalesce(pg_get_constraintdef(c.oid), pg_get_indexdef(i.indexrelid))
FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid
LEFT JOIN pg_constraint c ON c.conindid = i.indexrelid AND c.contype = 'u'
WHERE i.indrelid = %s::regclass AND NOT i.indisprimary
"""


def fill(size: Size, samples: Samples) -> dict[str, float]:
    """Write everything; the seconds of each step."""
    from django.db import connection

    took: dict[str, float] = {}
    connection.ensure_connection()
    with connection.cursor() as cursor:
        for setting in ("session_replication_role = replica", "work_mem = '256MB'", "jit = off"):
            cursor.execute(f"SET {setting}")
        cursor.execute("SELECT setseed(0.5), coalesce(max(id), 0) FROM accounts_user")
        base = int(cursor.fetchone()[1])
        _settings(cursor, size, samples, base)
        dropped = [each for table in FILLED for each in _indexes_dropped(cursor, table)]
        _timed(took, "names", lambda: _people(cursor, base, size.players))
        for script in sorted(SQL.glob("*.sql")):
            text = script.read_text(encoding="utf-8")
            _timed(took, script.stem[2:], lambda text=text: cursor.execute(text))
        _timed(took, "indexes", lambda: [cursor.execute(each) for each in dropped])
        for setting in ("session_replication_role", "work_mem", "jit"):
            cursor.execute(f"RESET {setting}")
        _timed(took, "vacuum", lambda: cursor.execute("VACUUM (ANALYZE)"))
        cursor.execute("CHECKPOINT")
    return took


def _timed(took: dict[str, float], name: str, step: Any) -> None:
    began = time.perf_counter()
    step()
    took[name] = round(time.perf_counter() - began, 1)
    said(f"filled {name}: {took[name]} s")


def _settings(cursor: Any, size: Size, samples: Samples, base: int) -> None:
    """The size, as settings of the session that the statements read."""
    from analysis.queue import EVERY

    staked = (size.entries - 2 * size.players) / 6
    chosen = {
        "base": base,
        "players": size.players,
        "matches": size.matches,
        "staked": min(max(round(100 * staked / size.matches), 1), 80),
        "big": BIG,
        "big_matches": size.big_matches,
        "open": size.open_tables,
        "running": size.running_tables,
        "open_free": samples.open_tables[0],
        "open_staked": samples.open_tables[1],
        "running_table": samples.running_table,
        "tournament": samples.tournaments[0],
        "depths": ",".join(EVERY),
    }
    for name, value in chosen.items():
        cursor.execute("SELECT set_config(%s, %s, false)", [f"bench.{name}", str(value)])


def _indexes_dropped(cursor: Any, table: str) -> Iterator[str]:
    """Drop all indexes of a table but its primary key; the statements that make them again."""
    cursor.execute(_KEPT, [table])
    for name, is_constraint, definition in cursor.fetchall():
        if is_constraint:
            cursor.execute(f'ALTER TABLE {table} DROP CONSTRAINT "{name}"')
            yield f'ALTER TABLE {table} ADD CONSTRAINT "{name}" {definition}'
        else:
            cursor.execute(f'DROP INDEX "{name}"')
            yield definition


def name_of(number: int) -> str:
    """The name of a person: few begin alike, many have a part in common."""
    first = NAMES[number % len(NAMES)]
    return f"{first}{ENDINGS[number // len(NAMES) % len(ENDINGS)]}-{number}"


def _people(cursor: Any, base: int, people: int) -> None:
    from accounts.names import skeleton

    statement = (
        "COPY accounts_user (id, username, name_key, email, password, first_name, last_name,"
        " is_active, is_staff, is_superuser, is_bot, is_guest, language, theme, preferences,"
        " date_joined, last_login) FROM STDIN"
    )
    joined = "2024-01-01 00:00:00+00"
    with cursor.copy(statement) as copy:
        for number in range(1, people + 1):
            name = name_of(number)
            copy.write_row((
                base + number, name, skeleton(name), f"{name}@example.org", "!", "", "",
                number % 200 != 0, False, False, False, False, "", "", "{}", joined, joined,
            ))  # fmt: skip
    cursor.execute("SELECT setval('accounts_user_id_seq', (SELECT max(id) FROM accounts_user))")


def freshen(people: int) -> None:
    """Make anew what always changes: marks of ranks, and in Valkey who is present.

    Those are so many people in the house, and both players at each running table. A house that was
    kept has been down, which is no matter here: its tables have no events.
    """
    import redis
    from django.conf import settings
    from django.db import connection

    from games.broadcast import channel_key
    from games.live.presence import ENTRY_SECONDS, known_since_key, presence_key
    from games.models import Heartbeat, Outage
    from ratings.ranks import marks_make

    marks_make()
    Heartbeat.objects.all().delete()
    Outage.objects.all().delete()
    later = time.time() + 3600
    with redis.Redis.from_url(settings.REDIS_URL) as client, connection.cursor() as cursor:
        pipeline = client.pipeline(transaction=False)
        pipeline.set(known_since_key(), time.time() - 2 * ENTRY_SECONDS)
        cursor.execute(
            "SELECT id FROM accounts_user WHERE is_active AND NOT is_bot AND id > 20 LIMIT %s",
            [people],
        )
        for number, (person,) in enumerate(cursor.fetchall()):
            pipeline.zadd(channel_key("people"), {str(person): later})
            if number % 10_000 == 0:
                pipeline.execute()
        cursor.execute("SELECT table_id FROM games_deadline")
        for (table,) in cursor.fetchall():
            pipeline.zadd(presence_key(table), {"0:bench": later, "1:bench": later})
        pipeline.execute()
