"""Compute the exact table of Hypergammon, and check it."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from time import monotonic, process_time
from typing import Final

from backgammon.evaluation.hypergammon.arrangements import ALL
from backgammon.evaluation.hypergammon.table import (
    COLUMNS,
    HypergammonTable,
    HypergammonTableError,
    opened,
)
from backgammon.rules.variants import by_key
from backgammon.train.hypergammon.backup import Floats, Program, Universe
from backgammon.train.hypergammon.checking import (
    BY_HAND,
    RESIDUAL_MOST,
    random_positions,
    residuals,
    wrong_by_hand,
    wrong_order,
)
from backgammon.train.hypergammon.solving import digest_of, part_of, solved, write

_POSITIONS: Final = 2000
_SEED: Final = 1
_HOME: Final = 6
_BAR: Final = 30


def main(arguments: Sequence[str] | None = None) -> None:
    """Compute, write and check."""
    parser = ArgumentParser(prog="python -m backgammon.train.hypergammon", description=__doc__)
    parser.add_argument(
        "--to",
        metavar="FILE",
        type=Path,
        default=os.environ.get("HYPERGAMMON_TABLE") or None,
        help="the table; without it, the file that HYPERGAMMON_TABLE names",
    )
    parser.add_argument("--check", action="store_true", help="check the table that is there")
    parser.add_argument(
        "--short", action="store_true", help="only the bear-off, in seconds; writes nothing"
    )
    parser.add_argument("--positions", type=int, default=_POSITIONS, help="how many to check")
    options = parser.parse_args(arguments)
    if options.to is None and not options.short:
        parser.error("--to is missing, and HYPERGAMMON_TABLE names no file.")
    work = _Work()
    if options.short:
        work.short()
        return
    if not options.check:
        work.compute(options.to)
    try:
        work.check(opened(options.to), options.positions)
    except (OSError, HypergammonTableError) as error:
        sys.exit(str(error))


class _Work:
    """The steps, and how far each of them is."""

    def __init__(self) -> None:
        self.began, self.line = monotonic(), ""

    def compute(self, path: Path) -> None:
        """Compute the table and write it."""
        tables = self._tables(Program(Universe(), lambda share: self._bar("plays", share)))
        write(path, tables)
        size = path.stat().st_size / 1e6
        print(f"{path}: {size:.0f} MB, {process_time() / 60:.1f} minutes of processor time")

    def _tables(self, program: Program) -> dict[str, Floats]:
        tables = solved(program, self._sweep)
        print()  # the line of the bar has ended
        return tables

    def short(self) -> None:
        """Compute the bear-off alone, and check what was counted by hand."""
        home = Universe(number for number, each in enumerate(ALL) if each[2] <= _HOME)
        tables = self._tables(Program(home))
        self._by_hand(part_of(home, tables))

    def check(self, table: HypergammonTable, positions: int) -> None:
        """Check the table; the process ends with what is wrong."""
        if digest_of(table) != table.digest:
            sys.exit("the file is damaged: its digest is another one")
        found = [*residuals(table, random_positions(positions, _SEED))]
        worst = max(found, default=0.0)
        print(f"{len(found)} positions, every roll played by the rules: off by at most {worst:.1e}")
        if worst > RESIDUAL_MOST:
            sys.exit(f"that is more than {RESIDUAL_MOST}")
        self._by_hand(table)
        if wrong := wrong_order(table):
            sys.exit("\n".join(wrong[:10]))
        print("chances and cubes are in order in every position")
        start = by_key("hypergammon").start
        entry = zip(COLUMNS, table.entry(start), strict=True)
        print("start: " + ", ".join(f"{name} {worth:+.4f}" for name, worth in entry))

    def _by_hand(self, table: HypergammonTable) -> None:
        if wrong := wrong_by_hand(table):
            sys.exit("\n".join(wrong))
        print(f"{len(BY_HAND)} positions counted by hand are right")

    def _sweep(self, name: str, number: int, change: float) -> None:
        self._say(f"{name}, sweep {number}: changes up to {change:.1e}")

    def _bar(self, name: str, share: float) -> None:
        done = round(share * _BAR)
        self._say(f"{name} [{'#' * done}{'.' * (_BAR - done)}]")

    def _say(self, line: str) -> None:
        """Say how far it is, in one line on a terminal."""
        if line == self.line:
            return
        self.line = line
        minutes, seconds = divmod(round(monotonic() - self.began), 60)
        text = f"{minutes}:{seconds:02} {line}"
        if sys.stdout.isatty():
            print(f"\r\033[K{text}", end="", flush=True)
        elif not text.endswith("]"):  # a log has no use for a bar
            print(text)


if __name__ == "__main__":
    main()
