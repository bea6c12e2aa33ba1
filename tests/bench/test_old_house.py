"""The figures of sealing and auditing an old house: the command runs, all is in order."""

import os
import subprocess
import sys

from tests.architecture.sources import ROOT


def test_a_small_old_house_is_sealed_and_audited() -> None:
    kept = ("PASCH_TEST_HOME", "DATABASE_URL", "REDIS_URL", "PYTEST_XDIST_WORKER")
    environment = {name: value for name, value in os.environ.items() if name not in kept}
    done = subprocess.run(
        [sys.executable, "-m", "bench.audit", "--matches", "100"],
        cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]
    for what in ("sealing all of it", "whole audit", "recent audit"):
        assert what in done.stdout
