"""Tables by seed through the pure machine: `python -m bench.simulator [--matches N] [--seed S]`.

Every mode, variant and option, with players who leave, resign, double, send nonsense and repeat
themselves over a network that loses and doubles messages, while time passes at random. After every
commit all promises of harness/simulator are checked. A failure prints the command that repeats it:
`--only N` plays table N of the seed alone.

`--booked N` plays N tables through the services and PostgreSQL instead, and compares the amounts
shown before sitting down, while playing and for leaving with what is booked.
"""

import argparse
import sys
import time
import traceback
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from harness.servers import house_opened
from harness.simulator.driver import simulate

#: tables handed to a process at once.
CHUNK = 50


def attempt(seed: int, number: int) -> tuple[int, Counter[str], str]:
    """The counts of table `number`, and the error it ended with, if any."""
    try:
        return number, simulate(seed, number), ""
    except Exception:
        return number, Counter(), traceback.format_exc()


def run(matches: int, seed: int, processes: int) -> tuple[Counter[str], list[tuple[int, str]]]:
    """The counts until this many matches had begun at tables 0, 1, 2 …, and the failures.

    A table has more than one match after a rematch, and none if no second player joins.
    """
    seen: Counter[str] = Counter()
    failed = []
    with ProcessPoolExecutor(processes) as pool:
        results = pool.map(partial(attempt, seed), range(2 * matches), chunksize=CHUNK)
        for number, counts, error in results:
            seen.update(counts)
            if error:
                failed.append((number, error))
            if seen["match_started"] >= matches:
                pool.shutdown(wait=False, cancel_futures=True)
                break
    return seen, failed


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--matches", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--only", type=int, help="play this table of the seed alone")
    parser.add_argument("--booked", type=int, help="compare this many tables with the books")
    chosen = parser.parse_args()
    if chosen.booked is not None:
        sys.exit(booked(chosen.booked, chosen.seed))
    if chosen.only is not None:
        show(simulate(chosen.seed, chosen.only))
        return
    begin = time.perf_counter()
    seen, failed = run(chosen.matches, chosen.seed, chosen.processes)
    show(seen)
    took_s = time.perf_counter() - begin
    matches, tables = seen["match_started"], seen["table_opened"]
    told = f"{matches} matches at {tables} tables of seed {chosen.seed} in {took_s:.0f} s"
    print(f"{told}, {len(failed)} failed")
    for number, error in failed[:3]:
        print(f"\npython -m bench.simulator --seed {chosen.seed} --only {number}\n{error}")
    sys.exit(bool(failed))


def booked(tables: int, seed: int) -> bool:
    """Play tables in a house of their own and compare; return whether one failed."""
    with house_opened():
        return _booked(tables, seed)


def _booked(tables: int, seed: int) -> bool:
    from django.conf import settings

    from harness.simulator.booked import booked_table, players

    settings.DICE_SOURCE = "harness.simulator.booked.RandomDice"
    begin, seen, failed = time.perf_counter(), Counter[str](), 0
    people = players()
    for number in range(tables):
        try:
            seen.update(booked_table(seed, number, people))
        except Exception:
            failed += 1
            print(f"table {number} of seed {seed}:\n{traceback.format_exc()}", flush=True)
            people = players()
        if failed == 3:
            break
    show(seen)
    took_s = time.perf_counter() - begin
    print(
        f"{tables} tables of seed {seed} compared with the books in {took_s:.0f} s, {failed} failed"
    )
    return bool(failed)


def show(seen: Counter[str]) -> None:
    """Print the counts."""
    for name, count in sorted(seen.items()):
        print(f"{count:>10}  {name}")


if __name__ == "__main__":
    main()
