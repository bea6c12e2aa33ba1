"""This version beside another revision: windows in turn, in the same minutes, on servers alike.

The other revision is checked out below `var/` and runs in this environment, with PostgreSQL and
Valkey of its own: its schema may differ. Both houses stand all the time and one of them plays, in
the order this, other, other, this, and so on. What disturbs the machine disturbs both, so the
ratios of neighbouring windows hold where no single figure does.
"""

import subprocess
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from typing import Any, Final

from bench.live import report
from bench.live.house import LiveHouse, opened, serving
from bench.live.stages import furnish, window
from bench.soak.house import ROOT

#: name, how it is read from a row, and how it is written.
FIGURES: Final = (
    ("web µs a command", lambda row: 1e6 * row["cpu_s"]["web"] / report.commands(row), ",.0f"),
    ("web instructions a command", lambda row: report.instructions(row), ",.0f"),
    ("commands a second", lambda row: row["per_second"], ",.0f"),
    ("p50 ms", lambda row: row["answer_ms"].get("p50"), ",.1f"),
    ("p99 ms", lambda row: row["answer_ms"].get("p99"), ",.1f"),
    ("slowest table to the median table", lambda row: row["slowest"], ".2f"),
)

Json = dict[str, Any]


@contextmanager
def checkout(revision: str) -> Iterator[Path]:
    """A working tree of a revision below `var/`; raises `RuntimeError` if there is none."""
    commit = _git("rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
    tree = ROOT / "var" / "against" / commit[:12]
    if not tree.exists():
        _git("worktree", "add", "--detach", "--force", str(tree), commit)
    try:
        yield tree
    finally:
        _git("worktree", "remove", "--force", str(tree))


def _git(*arguments: str) -> str:
    asked = ["git", "-C", str(ROOT), *arguments]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"git {' '.join(arguments)}: {done.stderr.strip() or 'failed'}")
    return done.stdout.strip()


def compared(house: LiveHouse, asked: Any) -> Iterator[Json]:
    """One row for each window of either version, `version` naming which."""
    with checkout(asked.against) as tree, opened(tree) as other:
        for processes in asked.processes:
            for tables in asked.tables:
                yield from _in_turn({"this": house, asked.against: other}, processes, tables, asked)


def _in_turn(
    houses: dict[str, LiveHouse], processes: int, tables: int, asked: Any
) -> Iterator[Json]:
    with ExitStack() as served:
        ports = {
            name: served.enter_context(serving(house, processes)) for name, house in houses.items()
        }
        names = list(houses)
        for turn in range(asked.rounds):
            for name in names if turn % 2 == 0 else reversed(names):
                house = houses[name]
                made = furnish(house, tables, asked.mode)
                told = window(house, ports[name], made, asked.seconds)
                way = "tables" if name == "this" else f"tables, {name}"
                yield {
                    "way": way, "version": name, "turn": turn, "mode": asked.mode,
                    "tables": tables, "processes": processes, **told,
                }  # fmt: skip


def text(rows: Sequence[Json]) -> str:
    """The medians of both versions and their ratios, for each stage that was compared."""
    compared_rows = [row for row in rows if "version" in row]
    stages = dict.fromkeys((row["processes"], row["tables"]) for row in compared_rows)
    return "\n\n".join(
        _stage([row for row in compared_rows if (row["processes"], row["tables"]) == stage])
        for stage in stages
    )


def _stage(rows: Sequence[Json]) -> str:
    this, other = dict.fromkeys(row["version"] for row in rows)
    head = ("figure", this, other, "ratio", "of each pair")
    body = []
    for name, read, written in FIGURES:
        ours, theirs = (
            [read(row) for row in rows if row["version"] == each] for each in (this, other)
        )
        if None in ours or None in theirs:
            continue
        ratios = [mine / yours for mine, yours in zip(ours, theirs, strict=False) if yours]
        if not ratios:
            continue
        each = " ".join(f"{ratio:.2f}" for ratio in ratios)
        both = (format(median(ours), written), format(median(theirs), written))
        body.append((name, *both, f"{median(ratios):.2f}", each))
    title = f"{rows[0]['tables']:,} tables, web processes: {rows[0]['processes']}"
    return f"{title}; medians of {len(rows) // 2} windows each:\n\n{report.table(head, body)}"
