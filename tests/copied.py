"""A copy of the project in which a test changes files and runs commands of a guide."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from harness.waiting import PROGRAM_SECONDS
from tests.architecture.sources import ROOT

_WHEEL = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"][
    "wheel"
]
#: the folder of every app, the platform's for the package in it
_APPS = tuple(Path(name).parts[0] for name in _WHEEL["packages"])
#: what the checks of the guides read
_COPIED = (
    *(*_APPS, "backgammon", "docs", "tests"),
    *("pyproject.toml", "scripts/imports.ini", "manage.py"),
)


#: variables of this run of the tests alone
_OUTER = ("PYTEST_", "PASCH_TEST_LONG")


@contextmanager
def project_copied() -> Iterator[Path]:
    """A copy of the project without its history and its pictures, with the packages of this run.

    The user of the database's server can enter its folder, which pytest's own folders forbid.
    """
    ignored = shutil.ignore_patterns("screenshots", "*.png")
    with tempfile.TemporaryDirectory(prefix="pasch-copy-") as folder:
        place = Path(folder)
        place.chmod(0o755)
        for name in _COPIED:
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, place / name, ignore=ignored)
            else:
                (place / name).parent.mkdir(exist_ok=True)
                shutil.copy(source, place / name)
        (place / ".venv").symlink_to(sys.prefix)
        yield place


def shell(command: str, place: Path) -> subprocess.CompletedProcess[str]:
    """Run a command of a guide, with the packages of the copy; its output is in `stdout`."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(_OUTER)}
    environment["PYTHONPATH"] = os.pathsep.join((str(place), str(place / "platform")))
    return subprocess.run(
        ["sh", "-c", command],
        cwd=place,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=PROGRAM_SECONDS,
    )
