"""The cost of pages and queries with a million players: `python -m bench.millions`.

A house of its own is filled in bulk (bench/millions/filling.py): people, matches between them over
three years, ratings, books, tables that wait and tables where two play, tournaments, clubs, and in
Valkey who is there. Then every hot page and query of the running code is measured in one process:
the server's time (PostgreSQL's included), the number of queries, and the plan of the slowest.

`--players`, `--matches`, `--entries` choose another size, `--short` a small one within a minute.
`--keep FOLDER` keeps the servers' folder, and a second run with it measures again without filling.
`--only` chooses the pages by a pattern of their names.
`--plans FILE` receives the plans, `--json` prints one object. `--strict` exits 1 when anything is
over its limit.

Matches have no events but for a few that were really played, and there are no analyses, dice, chats
and logs of changes: no page that is measured reads those of other matches.
"""

import argparse
import json
import re
import signal
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from bench.millions.filling import FULL, SHORT, Size, postgres_settings, said
from bench.millions.measuring import Row
from harness.servers import house_opened

FILLED = "filled"
"""A file in the folder of a house: the filling came to its end."""

TIMES = 10
TIMES_SHORT = 2

_SIZES = """
SELECT relname, reltuples::bigint, pg_relation_size(oid), pg_indexes_size(oid),
       pg_total_relation_size(oid)
FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
                    AND relname NOT LIKE 'bench%%'
ORDER BY 5 DESC LIMIT 20
"""


def main() -> int:
    """Fill, measure, print."""
    asked = _asked()
    signal.signal(
        signal.SIGTERM, lambda *_: sys.exit(2)
    )  # the servers that were started are stopped
    size = _size(asked)
    with house_opened(postgres_settings(), keep=asked.keep) as home:
        from bench.millions import filling, hot, samples
        from bench.millions.measuring import as_a_web_process

        took: dict[str, float] = {}
        if not (home / FILLED).exists():
            took = filling.fill(size, samples.made(size.samples))
            (home / FILLED).touch()
        filling.freshen(size.present)
        disk = _disk()
        times = TIMES_SHORT if asked.short else TIMES
        rows = []
        as_a_web_process()
        for each in hot.hot(size):
            if re.search(asked.only, each.name):
                rows.append(_measured(each, times))
    if asked.plans:
        asked.plans.write_text("\n".join(map(_plan, rows)), encoding="utf-8")
    print(json.dumps(_told(size, took, disk, rows), indent=1) if asked.json else _text(rows, disk))
    return 1 if asked.strict and not all(row.kept for row in rows) else 0


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--players", type=int)
    parser.add_argument("--matches", type=int)
    parser.add_argument("--entries", type=int, help="lines of the books")
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--only", default="", help="a pattern of the names of what is measured")
    parser.add_argument("--plans", type=Path)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--strict", action="store_true")
    return parser.parse_args()


def _size(asked: argparse.Namespace) -> Size:
    """The size that was asked for; tables and people present follow the players."""
    whole = SHORT if asked.short else FULL
    named = {name: getattr(asked, name) for name in ("players", "matches", "entries")}
    size = replace(whole, **{name: value for name, value in named.items() if value})
    return replace(
        size,
        running_tables=min(size.running_tables, size.players // 8),
        open_tables=min(size.open_tables, size.players // 20),
        present=min(size.present, size.players // 4),
    )


def _measured(each: Any, times: int) -> Row:
    from bench.millions.measuring import measured

    row = measured(each, times)
    said(_line(row))
    return row


def _disk() -> list[tuple[str, int, int, int, int]]:
    """The largest tables: name, rows, bytes of the heap, of the indexes, and of all."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(_SIZES)
        return list(cursor.fetchall())


def _line(row: Row) -> str:
    mark = " " if row.kept else "!"
    times = f"{row.p50_ms:>10.1f}{row.p95_ms:>10.1f}{row.limit_ms:>8.0f} {mark}"
    slowest = row.slowest.ms if row.slowest else 0.0
    return f"{row.name:36}{times}{row.queries:>8}{row.database_ms:>10.1f}{slowest:>10.1f}"


def _text(rows: Sequence[Row], disk: Sequence[tuple[str, int, int, int, int]]) -> str:
    times = f"{'p50 ms':>10}{'p95 ms':>10}{'limit':>8}  {'queries':>8}"
    head = f"{'':36}{times}{'database':>10}{'slowest':>10}"
    sizes = [
        f"{name:36}{count:>12,}" + "".join(f"{size / 2**20:>10,.0f}" for size in kinds)
        for name, count, *kinds in disk
    ]
    below = f"{'':36}{'rows':>12}{'heap MB':>10}{'indexes':>10}{'all':>10}"
    return "\n".join([head, *map(_line, rows), "", below, *sizes])


def _plan(row: Row) -> str:
    if row.slowest is None:
        return f"== {row.name}: no query\n"
    return f"== {row.name}: {row.slowest.ms:.1f} ms\n{row.slowest.sql}\n\n{row.plan}\n"


def _told(size: Size, took: dict[str, float], disk: Any, rows: Sequence[Row]) -> dict[str, Any]:
    names = {name: getattr(size, name) for name in Size.__dataclass_fields__}
    shown = [
        {
            "name": row.name, "p50_ms": round(row.p50_ms, 2), "p95_ms": round(row.p95_ms, 2),
            "limit_ms": row.limit_ms, "queries": row.queries,
            "database_ms": round(row.database_ms, 2),
            "slowest_ms": round(row.slowest.ms, 2) if row.slowest else None,
        }
        for row in rows
    ]  # fmt: skip
    return {"size": names, "filled_seconds": took, "disk": disk, "rows": shown}


if __name__ == "__main__":
    sys.exit(main())
