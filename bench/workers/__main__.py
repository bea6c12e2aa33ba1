"""Workers of the analysis: killed at work, and beside tables that are played.

`python -m bench.workers --kills 100` kills workers with SIGKILL at random moments while they
analyse matches that were just played, and then compares every row with an undisturbed analysis.
Exits 1 if one is missing, doubled or different.

`python -m bench.workers --beside` lets two workers analyse `--matches` while `--tables` are played
with two seconds of thought, in windows with the workers at work and stopped in turn, and prints the
ratios. `--whole` goes on until everything is analysed.
"""

import argparse
import signal
import sys

from bench.live.house import opened
from bench.workers import beside, kills
from bench.workers.house import WorkedHouse


def main() -> int:
    """Carry out what was asked for; 1 after any fault."""
    asked = _asked()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(2))  # what was started is ended
    faults: list[str] = []
    with opened(kind=WorkedHouse) as house:
        house.rest = asked.rest
        if asked.kills:
            told = kills.killed(house, asked.kills, asked.seed)
            faults += told["faults"]
            print(
                f"{told['kills']} workers killed, {told['in_hand']} of them with work in hand: "
                f"{told['matches']} matches, {told['reports']} reports, {told['decisions']}"
                f" decisions; {len(told['faults'])} faults (seed {asked.seed})"
            )
        if asked.beside:
            rows = []
            for row in beside.in_turn(
                house, asked.matches, asked.tables, asked.seconds, asked.rounds, whole=asked.whole
            ):
                rows.append(row)
                print(beside.line(row), file=sys.stderr, flush=True)
            faults += [fault for row in rows for fault in row["wrong"]]
            print(beside.text(rows))
    print("\n".join(faults), file=sys.stderr)
    return bool(faults)


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--kills", type=int, default=0, help="kill workers so often")
    parser.add_argument("--beside", action="store_true", help="measure tables beside workers")
    parser.add_argument("--matches", type=int, default=1000, help="matches in the queue")
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=20.0, help="of each window")
    parser.add_argument("--rounds", type=int, default=4, help="pairs of windows")
    parser.add_argument("--whole", action="store_true", help="until everything is analysed")
    parser.add_argument("--rest", type=float, help="the workers' option; 0: they never rest")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
