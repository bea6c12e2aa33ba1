"""Settlements per second and their latency: `python -m bench.ledger [--windows N]`.

One settlement empties a match's escrow: winner, rake, result, in one transaction with an UPDATE of
a stand-in match row. Three ways, in a house of its own (durable: fsync is on), with 1, 4 and 16
clients, the windows in turn, so that a change of the machine's mood meets all of them:

- *pgbench*       the function alone, from pgbench: what the database itself can do;
- *pgbench+row*   the same and the UPDATE of the match row, in one transaction;
- *Django*        the same through `ledger.services.books.escrow_resolve` in `transaction.atomic()`.

Printed are medians over the windows. Every client is a process.
"""

import argparse
import json
import random
import statistics
import subprocess
import sys
from collections.abc import Sequence
from typing import Final

import psycopg

from bench.live.database import pgbench_run
from bench.live.house import opened
from bench.live.load import spread_ms
from bench.live.report import table
from harness.house import WholeHouse

CLIENTS: Final = (1, 4, 16)
USERS: Final = 2_000
USERS_LEAST: Final = 100
#: settlements of one window; enough for two to three seconds each.
COUNTS: Final = {
    "pgbench": {1: 5_000, 4: 10_000, 16: 10_000},
    "pgbench+row": {1: 4_000, 4: 8_000, 16: 8_000},
    "Django": {1: 2_400, 4: 4_800, 16: 4_800},
}
SETTLE: Final = """
SELECT posted_id FROM ledger_post(
    concat('match', ':', (:n)::text, ':', 'resolve'), 'result', concat('match', ':', (:n)::text),
    ARRAY[concat('escrow', ':', 'match', ':', (:n)::text), 'house_rake',
          concat('wallet', ':', (:first)::bigint + (:n)::bigint % (:users)::bigint)],
    ARRAY[-500, 50, 450]::bigint[]);
"""
"""pgbench takes every colon before a word for one of its variables, in strings too."""
NEXT: Final = "\\set n :base + :client_id * :stride + :i\n\\set i :i + 1\n"
ROW: Final = "BEGIN;\nUPDATE bench_match SET state = 'over', winner = 1 WHERE id = :n;\n"
PGBENCH: Final = {"pgbench": NEXT + SETTLE, "pgbench+row": f"{NEXT}{ROW}{SETTLE}COMMIT;\n"}
STAND_IN: Final = """
ALTER DATABASE pasch SET ledger.free_references = 'test';
CREATE TABLE bench_match (id bigint PRIMARY KEY, state text NOT NULL, winner bigint)
    WITH (fillfactor = 70);
"""
OPEN: Final = (
    """
INSERT INTO bench_match (id, state)
SELECT n, 'running' FROM generate_series(%(low)s::bigint, %(high)s::bigint) n
""",
    """
SELECT count(ledger_post('match:' || n || ':open', 'stake', 'match:' || n,
    ARRAY['escrow:match:' || n, 'wallet:' || (%(first)s::bigint + n %% %(users)s::bigint),
          'wallet:' || (%(first)s::bigint + (n + 1) %% %(users)s::bigint)],
    ARRAY[500, -250, -250]::bigint[])) FROM generate_series(%(low)s::bigint, %(high)s::bigint) n
""",
)

#: of one window: settlements per second, and their p50 and p99 in milliseconds.
Window = tuple[float, float, float]


class Bench:
    """The house of one run, and what is already settled in it."""

    def __init__(self, house: WholeHouse, scale: float) -> None:
        self.house = house
        self.scale = scale
        self.users = max(USERS_LEAST, round(USERS * scale))
        self.next_match = 1
        with self._connect() as connection:
            connection.execute(STAND_IN)
        self.first_user = int(house.made("bench.ledger_pasch", "prepare", str(self.users)))

    def window(self, way: str, clients: int) -> Window:
        """Measure one way once."""
        each = max(10, round(COUNTS[way][clients] * self.scale) // clients)
        base = self._open_matches(each * clients)
        if way == "Django":
            return self._processes(base, each, clients)
        told = {"base": base, "stride": each, "i": 0}
        told |= {"first": self.first_user, "users": self.users}
        length = ("-t", str(each))
        return _window(*pgbench_run(self.house, "pasch", PGBENCH[way], clients, length, told))

    def _open_matches(self, count: int) -> int:
        """Open so many matches at once; the first one's number."""
        low = self.next_match
        self.next_match += count
        told = {"low": low, "high": low + count - 1}
        told |= {"users": self.users, "first": self.first_user}
        with self._connect() as connection:
            connection.execute("SET synchronous_commit = off")
            for statement in OPEN:
                connection.execute(statement, told)
            connection.execute("VACUUM ANALYZE")
            connection.execute("CHECKPOINT")
        return low

    def _processes(self, base: int, each: int, clients: int) -> Window:
        """Processes that start at the same word; the rate is over the longest of them."""
        owner = {"DATABASE_URL": self.house.home.database_url()}
        people = [str(self.first_user), str(self.users)]
        command = [sys.executable, "-m", "bench.ledger_pasch", "work"]
        processes = [
            subprocess.Popen(
                [*command, str(base + number * each), str(each), *people],
                env=self.house.environment | owner,
                cwd=self.house.root,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            for number in range(clients)
        ]
        for process in processes:
            assert process.stdout is not None
            if process.stdout.readline().strip() != "ready":
                raise SystemExit("a client did not get ready")
        for process in processes:
            assert process.stdin is not None
            process.stdin.write("go\n")
            process.stdin.flush()
        results = [json.loads(process.communicate()[0]) for process in processes]
        seconds = max(r["ended"] for r in results) - min(r["started"] for r in results)
        took = [each for result in results for each in result["seconds"]]
        return _window(len(took) / seconds, took)

    def _connect(self) -> psycopg.Connection:
        return psycopg.connect(self.house.home.database_url(), autocommit=True)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--windows", type=int, default=3, help="windows per way and clients")
    parser.add_argument(
        "--scale", type=float, default=1.0, help="of settlements a window, and players"
    )
    asked = parser.parse_args()
    measured: dict[tuple[str, int], list[Window]] = {}
    with opened() as house:
        bench = Bench(house, asked.scale)
        for turn in range(asked.windows):
            plan = [(way, clients) for way in COUNTS for clients in CLIENTS]
            random.Random(turn).shuffle(plan)  # each round in an order of its own
            for way, clients in plan:
                window = bench.window(way, clients)
                measured.setdefault((way, clients), []).append(window)
                print(f"{way:12} {clients:>3} clients {window[0]:8.0f}/s", file=sys.stderr)
    print(_shown({key: _middle(windows) for key, windows in measured.items()}))


def _shown(middle: dict[tuple[str, int], Window]) -> str:
    head = ["settlements per second (p50 / p99 in ms)", *(f"{n} clients" for n in CLIENTS)]
    body = []
    for way in COUNTS:
        cells = [middle[way, clients] for clients in CLIENTS]
        body.append([way, *(f"{rate:,.0f} ({p50:.1f} / {p99:.1f})" for rate, p50, p99 in cells)])
    for other in PGBENCH:
        ratios = [middle["Django", n][0] / middle[other, n][0] for n in CLIENTS]
        body.append([f"Django / {other}", *(f"{ratio:.2f}" for ratio in ratios)])
    return table(head, body)


def _window(per_second: float, seconds: list[float]) -> Window:
    spread = spread_ms(seconds)
    return per_second, spread["p50"], spread["p99"]


def _middle(windows: Sequence[Window]) -> Window:
    rate, p50, p99 = (statistics.median(figures) for figures in zip(*windows, strict=True))
    return rate, p50, p99


if __name__ == "__main__":
    main()
