"""``manage.py hypergammon``: compute the exact table of Hypergammon, and check it."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from time import monotonic, process_time
from typing import Any, Final

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from backgammon.evaluation.hypergammon.arrangements import ALL
from backgammon.evaluation.hypergammon.table import COLUMNS, Table, TableError, opened
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
from backgammon.train.hypergammon.solving import solved
from backgammon.train.hypergammon.writing import digest_of, part_of, write

_POSITIONS: Final = 2000
_SEED: Final = 1
_HOME: Final = 6
_BAR: Final = 30


class Command(BaseCommand):
    """``manage.py hypergammon [--to FILE] [--check | --short]``."""

    help = "Compute the exact table of Hypergammon (docs/analysis.md). Needs no database."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Where the table is, and whether it is only checked."""
        parser.add_argument("--to", metavar="FILE", type=Path, default=settings.HYPERGAMMON_TABLE)
        parser.add_argument("--check", action="store_true", help="check the table that is there")
        parser.add_argument(
            "--short", action="store_true", help="only the bear-off, in seconds; writes nothing"
        )
        parser.add_argument("--positions", type=int, default=_POSITIONS, help="how many to check")

    def handle(self, *args: Any, **options: Any) -> None:
        """Compute, write and check."""
        self.began, self.line = monotonic(), ""
        if options["short"]:
            self._short()
            return
        path: Path = options["to"]
        if not options["check"]:
            tables = self._tables(Program(Universe(), lambda share: self._bar("plays", share)))
            write(path, tables)
            size = path.stat().st_size / 1e6
            self.stdout.write(
                f"{path}: {size:.0f} MB, {process_time() / 60:.1f} minutes of processor time"
            )
        try:
            table = opened(path)
        except (OSError, TableError) as error:
            raise CommandError(str(error)) from error
        self._check(table, options["positions"])

    def _tables(self, program: Program) -> dict[str, Floats]:
        tables = solved(program, self._sweep)
        self.stdout.write("")  # the line of the bar has ended
        return tables

    def _short(self) -> None:
        home = Universe(number for number, each in enumerate(ALL) if each[2] <= _HOME)
        tables = self._tables(Program(home))
        self._by_hand(part_of(home, tables))

    def _check(self, table: Table, positions: int) -> None:
        if digest_of(table) != table.digest:
            raise CommandError("the file is damaged: its digest is another one")
        found = [*residuals(table, random_positions(positions, _SEED))]
        worst = max(found, default=0.0)
        self.stdout.write(
            f"{len(found)} positions, every roll played by the rules: off by at most {worst:.1e}"
        )
        if worst > RESIDUAL_MOST:
            raise CommandError(f"that is more than {RESIDUAL_MOST}")
        self._by_hand(table)
        if wrong := wrong_order(table):
            raise CommandError("\n".join(wrong[:10]))
        self.stdout.write("chances and cubes are in order in every position")
        start = by_key("hypergammon").start
        entry = zip(COLUMNS, table.entry(start), strict=True)
        self.stdout.write("start: " + ", ".join(f"{name} {worth:+.4f}" for name, worth in entry))

    def _by_hand(self, table: Table) -> None:
        if wrong := wrong_by_hand(table):
            raise CommandError("\n".join(wrong))
        self.stdout.write(f"{len(BY_HAND)} positions counted by hand are right")

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
        if self.stdout.isatty():
            self.stdout.write(f"\r\033[K{text}", ending="")
            self.stdout.flush()
        elif not text.endswith("]"):  # a log has no use for a bar
            self.stdout.write(text)
