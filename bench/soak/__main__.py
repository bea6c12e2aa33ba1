"""`python -m bench.soak --games N --faults N --minutes N --seed N [--report FILE.json]`.

Exits 0 when no promise was broken, 1 on a violation (the line to run it again is the last one),
2 when the run itself did not come to its end. `--planted NAME` plants one of twenty faults into
the house's processes and exits 0 when the oracle finds it or a guard of the database refuses it;
`--planted all` does all of them and prints a table.
"""

import argparse
import asyncio
import json
import signal
import sys
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from bench.soak.options import ASKED, Options, flag_of
from bench.soak.planted import PLANTED
from bench.soak.report import as_json, as_text
from bench.soak.run import Outcome, Run

PLANTED_GAMES_MAX: Final = 1000
#: so long one fault is looked for, whatever happens; a run that is under way is ended then
PLANTED_SECONDS_MAX: Final = 1200.0
#: so many requests and queries of the soak wait for their answers at the same time
THREADS: Final = 32


def main() -> int:
    """Carry out the command line; the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    for field, told in ASKED.items():
        usual = getattr(Options(), field)
        parser.add_argument(flag_of(field), dest=field, type=type(usual), default=usual, help=told)
    parser.add_argument("--planted", default="", choices=["", "all", *PLANTED])
    parser.add_argument("--report", type=Path, help="write the report as JSON")
    asked = parser.parse_args()
    options = Options(
        **{field: getattr(asked, field) for field in ASKED}, people=max(24, 5 * asked.tables)
    )
    if asked.planted:
        names = list(PLANTED) if asked.planted == "all" else [asked.planted]
        return teeth(options, names, asked.report)
    report = once(options)
    if asked.report:
        asked.report.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    print(as_text(report))
    return 0 if report["ok"] else 1


def once(options: Options, limit_s: float | None = None) -> dict[str, Any]:
    """One run and its report, of what happened within the limit."""
    return as_json(asyncio.run(_run(options, limit_s)))


async def _run(options: Options, limit_s: float | None) -> Outcome:
    task = asyncio.current_task()
    assert task is not None
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGTERM, task.cancel)
    loop.set_default_executor(ThreadPoolExecutor(THREADS))
    run, limit = Run(options), asyncio.timeout(limit_s)
    try:
        async with limit:
            await run.whole()
    except TimeoutError:
        if not limit.expired():
            raise
    return run.outcome


def teeth(options: Options, names: list[str], report: Path | None) -> int:
    """Plant one fault after the other; 0 when each was found or refused."""
    found = {}
    for name in names:
        found[name] = tooth(options, name)
        print(line_of(name, found[name]), flush=True)
        for each in found[name]["violations"][:2]:
            print(f"    {each['code']}: {each['text'][:240]}", flush=True)
    if report:
        report.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    blind = [name for name, told in found.items() if not told["verdict"]]
    if len(names) > 1:
        print(*(line_of(name, told) for name, told in found.items()), sep="\n")
    print(f"{len(names) - len(blind)} of {len(names)} planted faults found or refused")
    return 1 if blind else 0


def line_of(name: str, told: dict[str, Any]) -> str:
    """A line of the table: what was planted, and what found it."""
    return (
        f"| `{name}` | {PLANTED[name].wrong} | {told['verdict'] or 'NOT FOUND'}"
        f" | {told['games_until_found']} games | {told['seconds_until_found']} s |"
    )


def tooth(options: Options, name: str, limit_s: float = PLANTED_SECONDS_MAX) -> dict[str, Any]:
    """Play seed after seed with this fault until it is found, or games or time are used up."""
    games, planted, began = 0, PLANTED[name], time.monotonic()
    while True:
        told = once(planted.options(options, name), limit_s - (time.monotonic() - began))
        games += told["games"]
        codes = planted.found_by(each["code"] for each in told["violations"])
        verdict = planted.verdict(codes, told["refused"])
        spent_s = time.monotonic() - began
        if verdict or games >= PLANTED_GAMES_MAX or not told["games"] or spent_s >= limit_s:
            break
        options = replace(options, seed=options.seed + 1)
    return {
        **told,
        "verdict": verdict,
        "games_until_found": games,
        "seconds_until_found": round(spent_s),
    }


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (KeyboardInterrupt, asyncio.CancelledError):
        sys.exit(130)
    except Exception:
        traceback.print_exc()
        sys.exit(2)
