"""GNU Backgammon reads our files and writes them again. It is only run, never linked."""

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

GNUBG = shutil.which("gnubg") or shutil.which("gnubg", path="/usr/games")

needs_gnubg = pytest.mark.skipif(GNUBG is None, reason="GNU Backgammon is not installed")


def run(commands: Sequence[str], home: Path) -> str:
    """The output of GNU Backgammon for these commands."""
    assert GNUBG is not None
    settings = ["set confirm new off", "set confirm save off", "set automatic roll off"]
    done = subprocess.run(
        [GNUBG, "--tty", "--quiet", "--no-rc"],
        input="\n".join([*settings, *commands, "quit", ""]),
        env={**os.environ, "HOME": str(home), "LC_ALL": "C.UTF-8"},
        cwd=home,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    return done.stdout + done.stderr


def convert(files: dict[str, str], home: Path) -> dict[str, tuple[str, str]]:
    """Each file (.mat or .sgf by its name) as GNU Backgammon writes it: as .mat and as SGF."""
    commands = []
    for name, text in files.items():
        (home / name).write_text(text, encoding="utf-8")
        commands.append(f"import mat {name}" if name.endswith(".mat") else f"load match {name}")
        commands += [f"export match mat {name}.out.mat", f"save match {name}.out.sgf"]
    said = run(commands, home)
    assert "error" not in said.lower(), said[-2000:]
    return {
        name: (
            (home / f"{name}.out.mat").read_text("utf-8"),
            (home / f"{name}.out.sgf").read_text("utf-8"),
        )
        for name in files
    }
