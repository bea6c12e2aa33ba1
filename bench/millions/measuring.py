"""Timing: the server's time of a page or a call, its queries, and the plan of the slowest one.

The time is processor time: of this process, and of PostgreSQL for its queries. So it does
not depend on what else runs on the machine, and adds up to what a machine can serve. What waits
for disks, locks and the network is left out; the data of these runs is in memory. Garbage is
searched for as seldom as in a web process.
"""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from time import perf_counter, thread_time
from typing import Any

import psutil
from django.conf import settings

from pasch.serve import GARBAGE_THRESHOLDS

Call = Callable[[Random], Any]


@dataclass(frozen=True, slots=True)
class Hot:
    """A page or a call that is measured; `limit_ms` is what 95 of 100 may take."""

    name: str
    limit_ms: float
    call: Call
    times: int = 0
    """How often; 0: as often as usual."""


@dataclass(frozen=True, slots=True)
class Query:
    """One query, and how long the database took for it."""

    sql: str
    params: Any
    ms: float


@dataclass(slots=True)
class Row:
    """The figures of one of them; times in milliseconds."""

    name: str
    limit_ms: float
    p50_ms: float = 0.0
    p95_ms: float = 0.0
    queries: int = 0
    database_ms: float = 0.0
    """The median of PostgreSQL's part."""
    slowest: Query | None = None
    plan: str = ""
    times: list[float] = field(default_factory=list)

    @property
    def kept(self) -> bool:
        """Whether it is within its limit."""
        return self.p95_ms <= self.limit_ms


def as_a_web_process() -> None:
    """Search for garbage as seldom as a web process does, and not in what the site consists of.

    And count as seldom: tests count anew for each page.
    """
    from pasch.settings import COUNTS_SECONDS

    settings.COUNTS_SECONDS = COUNTS_SECONDS
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GARBAGE_THRESHOLDS)


def measured(hot: Hot, times: int) -> Row:
    """Run it so often, each time with other rows; then the plan of the slowest query of all."""
    row, random = Row(hot.name, hot.limit_ms), Random(hot.name)
    hot.call(Random(0))  # what is made once in a process: templates, addresses
    asked = []
    for _number in range(hot.times or times):
        with _asked() as queries:
            before, began = _database_ms(), thread_time()
            hot.call(random)
            own_ms = 1_000 * (thread_time() - began)
            asked.append(_database_ms() - before)
        row.times.append(own_ms + asked[-1])
        row.queries = max(row.queries, len(queries))
        row.slowest = max(
            [*queries, *([row.slowest] if row.slowest else [])], key=_ms, default=None
        )
    row.database_ms = sorted(asked)[len(asked) // 2]
    ordered = sorted(row.times)
    row.p50_ms = ordered[len(ordered) // 2]
    row.p95_ms = ordered[min(len(ordered) - 1, (95 * len(ordered)) // 100)]
    if row.slowest is not None:
        row.plan = _plan(row.slowest)
    return row


def _ms(query: Query) -> float:
    return query.ms


@contextmanager
def _asked() -> Iterator[list[Query]]:
    """The queries of the block."""
    from django.db import connection

    found: list[Query] = []

    def noted(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        began = perf_counter()
        try:
            return execute(sql, params, many, context)
        finally:
            found.append(Query(sql, params, 1_000 * (perf_counter() - began)))

    with connection.execute_wrapper(noted):
        yield found


def _database_ms() -> float:
    """The processor time of all of PostgreSQL's processes that serve somebody."""
    from django.db import connection

    with connection.wrap_database_errors:
        connection.ensure_connection()
    server = psutil.Process(connection.connection.info.backend_pid).parent()
    assert server is not None, "PostgreSQL runs on this machine"
    spent = 0
    for child in server.children():
        spent += int((Path("/proc") / str(child.pid) / "schedstat").read_text().split()[0])
    return spent / 1e6


def _plan(query: Query) -> str:
    """The plan with what was read; empty for a statement that has none."""
    from django.db import connection

    if not query.sql.lstrip().upper().startswith(("SELECT", "WITH")):
        return ""
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (ANALYZE, BUFFERS) {query.sql}", query.params)
        return "\n".join(line for (line,) in cursor.fetchall())
