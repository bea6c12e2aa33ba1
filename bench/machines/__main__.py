"""`python -m bench.machines [--short] [--seed N] [--only STRIKE] [--report FILE]`, as root.

Builds eleven hosts out of network namespaces: two load balancers, two web hosts, two worker hosts,
PostgreSQL with a synchronous standby under Patroni, Valkey with three sentinels. While people play,
each host is killed, cut off, slowed and healed, each primary is moved, and the house is upgraded
with a migration. The oracle of the soak judges.

Needs HAProxy and etcd (Debian: `haproxy`, `etcd-server`); Patroni comes from PyPI, once. Exits 0
when no promise was broken, 1 on a violation, 2 when the run did not come to its end.
"""

import argparse
import asyncio
import json
import shutil
import signal
import sys
import traceback
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

from bench.machines import network
from bench.machines.network import NetworkError
from bench.machines.run import Rehearsal, as_text, report
from bench.machines.strikes import strikes
from bench.soak.options import Options

THREADS: Final = 32
PROGRAMS: Final = {"haproxy": "haproxy", "etcd": "etcd-server"}


def main() -> int:
    """Carry out the command line; the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--short", action="store_true", help="one strike of each kind")
    parser.add_argument("--only", action="append", default=[], help="this strike; may be repeated")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tables", type=int, default=8, help="played at the same time")
    parser.add_argument("--minutes", type=float, default=60.0, help="for playing, at most")
    parser.add_argument("--keep", action="store_true", help="leave logs and data, print where")
    parser.add_argument("--report", type=Path, help="write the report as JSON")
    asked = parser.parse_args()
    try:
        network.check()
    except NetworkError as error:
        parser.error(str(error))
    for program, package in PROGRAMS.items():
        if shutil.which(program) is None:
            parser.error(f"The program {program} is missing (Debian: {package}).")
    names = tuple(asked.only) or strikes(asked.seed, short=asked.short)
    options = Options(
        games=1, faults=0, minutes=asked.minutes, seed=asked.seed, tables=asked.tables,
        people=max(24, 5 * asked.tables), competitors=0, circlers=0,
        patient=not (asked.only or asked.short),
    )  # fmt: skip
    rehearsal = Rehearsal(options, names, keep=asked.keep)
    told = asyncio.run(_run(rehearsal))
    if asked.keep:
        print(f"logs and data: {rehearsal.machines.home.root}")
    if asked.report:
        asked.report.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    print(as_text(told))
    if not told["ok"]:
        return 1
    return 0 if told["complete"] else 2


async def _run(rehearsal: Rehearsal) -> dict[str, object]:
    task = asyncio.current_task()
    assert task is not None
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGTERM, task.cancel)
    loop.set_default_executor(ThreadPoolExecutor(THREADS))
    await rehearsal.whole()
    return report(rehearsal)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (KeyboardInterrupt, asyncio.CancelledError):
        sys.exit(130)
    except Exception:
        traceback.print_exc()
        sys.exit(2)
