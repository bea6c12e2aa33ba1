"""`python -m bench.live [--tables 1,10,50,200,1000] [--processes 1,2] [--seconds 8] …`.

Everything is measured in one run, one after the other, on servers of its own. `--only` takes some
of the parts: pgbench, live, thought, idle. Exits 0 when every check of the rows held, else 1.
"""

import argparse
import json
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from bench.live import database, report, stages
from bench.live.house import opened
from bench.live.load import WARM_SOCKETS
from harness.house import WholeHouse

#: how many tables play while people think, at most
THINKING_TABLES: Final = 200
THINK_SECONDS: Final = (0.2, 0.5, 2.0)

Json = dict[str, Any]


def main() -> int:
    """Run the requested measurements, print them, and return whether all checks passed."""
    asked = _asked()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(2))  # what was started is ended
    rows = []
    with opened() as house:
        machine = report.machine()
        for row in _measured(house, asked):
            rows.append(row)
            print(report.line(row), file=sys.stderr, flush=True)
    if asked.json:
        told = {"machine": machine, "rows": rows}
        asked.json.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    print(report.text(machine, rows))
    return 1 if any(row.get("wrong") or row.get("lost") for row in rows) else 0


def _measured(house: WholeHouse, asked: argparse.Namespace) -> Iterator[Json]:
    """One row after the other."""
    for part, rows in PARTS.items():
        if part in asked.only:
            yield from rows(house, asked)


def _pgbench(house: WholeHouse, asked: argparse.Namespace) -> Iterator[Json]:
    database.prepare(house)
    for way in database.WAYS:
        for clients in database.CLIENTS:
            yield database.pgbench(house, way, clients, asked.seconds)


def _live(house: WholeHouse, asked: argparse.Namespace) -> Iterator[Json]:
    for processes in asked.processes:
        for tables in asked.tables:
            yield stages.live(house, processes, tables, asked.seconds, asked.mode)


def _thought(house: WholeHouse, asked: argparse.Namespace) -> Iterator[Json]:
    """Players who think for a moment: the speed of the house when it is not full."""
    tables = min(THINKING_TABLES, max(asked.tables))
    for think_s in THINK_SECONDS:
        yield stages.live(house, max(asked.processes), tables, asked.seconds, asked.mode, think_s)


def _idle(house: WholeHouse, asked: argparse.Namespace) -> Iterator[Json]:
    yield stages.idle(house, asked.idle)


PARTS: Final = {
    "pgbench": _pgbench,
    "live": _live,
    "thought": _thought,
    "idle": _idle,
}


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--tables", type=_numbers, default=[1, 10, 50, 200, 1000])
    parser.add_argument("--processes", type=_numbers, default=[1, 2])
    parser.add_argument("--seconds", type=float, default=8.0, help="of each window")
    parser.add_argument("--mode", default="normal", choices=["normal", "prize5"])
    parser.add_argument("--idle", type=_idle_sockets, default=5000, help="idle sockets")
    parser.add_argument("--only", type=_parts, default=list(PARTS), help=", ".join(PARTS))
    parser.add_argument("--json", type=Path, help="write every figure as JSON")
    return parser.parse_args()


def _numbers(text: str) -> list[int]:
    return [int(each) for each in text.split(",")]


def _idle_sockets(text: str) -> int:
    """How many idle sockets: those that come after the first ones are measured."""
    if (count := int(text)) <= WARM_SOCKETS:
        raise argparse.ArgumentTypeError(f"the first {WARM_SOCKETS} warm up: ask for more")
    return count


def _parts(text: str) -> list[str]:
    parts = text.split(",")
    if unknown := set(parts) - set(PARTS):
        raise argparse.ArgumentTypeError(f"there is no part {', '.join(unknown)}")
    return parts


if __name__ == "__main__":
    sys.exit(main())
