"""A copy of the project in which a test changes files, with the packages of this run."""

from __future__ import annotations

import shutil
import sys
import tomllib
from pathlib import Path

from tests.architecture.sources import ROOT

_WHEEL = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"][
    "wheel"
]
#: the folder of every app, the platform's for the package in it
_APPS = tuple(Path(name).parts[0] for name in _WHEEL["packages"])
#: what the checks of the guides read
_COPIED = (
    *(*_APPS, "backgammon", "docs", "tests"),
    *("pyproject.toml", ".importlinter", "manage.py"),
)


def copy_project(place: Path) -> Path:
    """Copy the project without its history and its pictures to a folder, and return the folder."""
    ignored = shutil.ignore_patterns("screenshots", "*.png", "*.webp")
    for name in _COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, place / name, ignore=ignored)
        else:
            shutil.copy(source, place / name)
    (place / ".venv").symlink_to(sys.prefix)
    return place
