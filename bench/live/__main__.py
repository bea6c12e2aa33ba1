"""`python -m bench.live [--only live] [--tables 1,10,50,200,1000] [--processes 1,2] …`.

Exits 0 when every check of the rows held, 1 when one did not.
"""

import argparse
import json
import signal
import sys
from pathlib import Path
from typing import Any

from bench.live import report, stages
from bench.live.house import opened

PARTS = ("live",)


def main() -> int:
    """Measure what was asked for, print it, and say whether it was right."""
    asked = _asked()
    parts = [part for part in PARTS if part in asked.only]
    rows: list[dict[str, Any]] = []
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(2))  # what was started is ended
    with opened() as house:
        if "live" in parts:
            for processes in asked.processes:
                for tables in asked.tables:
                    row = stages.live(house, processes, tables, asked.seconds, asked.mode)
                    rows.append(row)
                    print(report.line(row), file=sys.stderr, flush=True)
    if asked.json:
        asked.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    print(report.text(rows))
    return 1 if any(row.get("wrong") for row in rows) else 0


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--tables", type=_numbers, default=[1, 10, 50, 200, 1000])
    parser.add_argument("--processes", type=_numbers, default=[1, 2])
    parser.add_argument("--seconds", type=float, default=8.0, help="of each window")
    parser.add_argument("--mode", default="normal", choices=["normal", "prize5"])
    parser.add_argument("--only", type=lambda text: text.split(","), default=list(PARTS))
    parser.add_argument("--json", type=Path, help="write every figure as JSON")
    return parser.parse_args()


def _numbers(text: str) -> list[int]:
    return [int(each) for each in text.split(",")]


if __name__ == "__main__":
    sys.exit(main())
