"""The command that tries changes: a few of them, in a database of its own."""

import os
import subprocess
import sys

from bench.tamper.changes import APPLICATION, CHANGES
from tests.architecture.sources import ROOT


def test_enough_is_tried() -> None:
    by_role = [change for change in CHANGES if change.who == APPLICATION]
    assert len(by_role) >= 20
    assert len(CHANGES) - len(by_role) >= 60
    assert len({(change.who, change.name) for change in CHANGES}) == len(CHANGES)


def test_a_few_changes_are_refused_or_found() -> None:
    kept = ("PASCH_TEST_HOME", "DATABASE_URL", "REDIS_URL", "PYTEST_XDIST_WORKER")
    environment = {name: value for name, value in os.environ.items() if name not in kept}
    done = subprocess.run(
        [sys.executable, "-m", "bench.tamper", "--only", "6"],
        cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]
    assert "0 undetected" in done.stdout
