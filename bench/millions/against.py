"""This version beside another revision: the same house, in turn, each in processes of its own.

The house is filled once and measured by both, in the order this, other, other, this, and so on.
What disturbs the machine disturbs both, so the ratios of neighbouring runs hold where no single
figure does. Both are measured by the bench of this version. The other must have the same schema.
"""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from shutil import copytree
from statistics import median
from typing import Any, Final

from bench.live.against import checkout
from bench.live.report import table
from bench.soak.house import ROOT

THIS: Final = "this"
HEAD: Final = ("", "this p50 / p95", "other p50 / p95", "ratio", "of each pair", "database")

Runs = dict[str, list[dict[str, dict[str, Any]]]]
"""By version: what each run measured, by its name."""


def compared(revision: str, rounds: int, again: Sequence[str]) -> str:
    """Measure both versions so often in turn, with these options; the table of both.

    Raises `RuntimeError` if there is no such revision, `CalledProcessError` if a run fails.
    """
    runs: Runs = {THIS: [], revision: []}
    with checkout(revision) as tree:
        trees = {THIS: ROOT, revision: tree}
        copytree(ROOT / "bench" / "millions", tree / "bench" / "millions", dirs_exist_ok=True)
        _translated(tree)
        for turn in range(rounds):
            for name in list(trees) if turn % 2 == 0 else reversed(trees):
                runs[name].append(_run(trees[name], again))
    return _text(runs)


def _translated(tree: Path) -> None:
    """Pages are measured in German, so a version needs its catalog."""
    code = "import pathlib; from pasch.assets.translations import translations_compile as c;"
    for each in (ROOT, tree):
        _python(each, "-c", f"{code} c(pathlib.Path('locale'))")


def _run(tree: Path, again: Sequence[str]) -> dict[str, dict[str, Any]]:
    told = json.loads(_python(tree, "-m", "bench.millions", "--json", *again))
    return {row["name"]: row for row in told["rows"]}


def _python(tree: Path, *arguments: str) -> str:
    path = os.pathsep.join((str(tree), str(tree / "platform")))
    environment = {**os.environ, "PYTHONPATH": path}
    environment.pop("PASCH_TEST_HOME", None)
    asked = [sys.executable, *arguments]
    done = subprocess.run(
        asked, cwd=tree, env=environment, stdout=subprocess.PIPE, text=True, check=True
    )
    return done.stdout[max(done.stdout.find("\n{\n"), 0) :]  # lines of the log may stand before


def _text(runs: Runs) -> str:
    ours, theirs = runs.values()
    names = [name for name in ours[0] if name in theirs[0]]
    return table(HEAD, [_row(name, ours, theirs) for name in names])


def _row(name: str, *both: Sequence[dict[str, dict[str, Any]]]) -> tuple[str, ...]:
    ours, theirs = ([run[name] for run in runs] for runs in both)
    ratios = [mine["p50_ms"] / yours["p50_ms"] for mine, yours in zip(ours, theirs, strict=True)]
    database = (median(row["database_ms"] for row in rows) for rows in (ours, theirs))
    return (
        name, _times(ours), _times(theirs), f"{median(ratios):.2f}",
        " ".join(f"{ratio:.2f}" for ratio in ratios),
        " / ".join(f"{ms:.1f}" for ms in database),
    )  # fmt: skip


def _times(rows: Sequence[dict[str, Any]]) -> str:
    return " / ".join(f"{median(row[key] for row in rows):.1f}" for key in ("p50_ms", "p95_ms"))
