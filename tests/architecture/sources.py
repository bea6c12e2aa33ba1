"""The files of the project, as the tests of its structure read them."""

from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = (
    ".ci",
    "accounts",
    "analysis",
    "backgammon",
    "bench",
    "deploy",
    "docs",
    "games",
    "harness",
    "house",
    "kit",
    "ledger",
    "locale",
    "platform",
    "ratings",
    "fairplay",
    "tournaments",
    "scripts",
    "static",
    "templates",
    "tests",
)
#: folders of files that programs make
MADE = frozenset({"__pycache__", "node_modules"})


def sources(*suffixes: str) -> Iterator[Path]:
    """Every file of the project with one of these suffixes; without suffixes, every file."""
    files = [path for path in ROOT.iterdir() if path.is_file()]
    for folder in FOLDERS:
        files += (ROOT / folder).rglob("*")
    for path in sorted(files):
        wanted = path.is_file() and (path.suffix in suffixes or not suffixes)
        if wanted and not MADE & set(path.parts) and path.suffix != ".mo":
            yield path


def named(path: Path) -> str:
    """A path relative to the project, for messages."""
    return str(path.relative_to(ROOT))
