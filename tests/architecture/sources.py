"""The files of the project, as the tests of its order read them."""

from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = (
    ".ci",
    "accounts",
    "bench",
    "deploy",
    "docs",
    "games",
    "ledger",
    "locale",
    "platform",
    "ratings",
    "scripts",
    "static",
    "templates",
    "tests",
)


def sources(*suffixes: str) -> Iterator[Path]:
    """Every file of ours with one of these suffixes; all files without any."""
    files = [path for path in ROOT.iterdir() if path.is_file()]
    for folder in FOLDERS:
        files += (ROOT / folder).rglob("*")
    for path in sorted(files):
        wanted = path.is_file() and (path.suffix in suffixes or not suffixes)
        if wanted and "__pycache__" not in path.parts and path.suffix != ".mo":
            yield path


def named(path: Path) -> str:
    """A path as a person says it."""
    return str(path.relative_to(ROOT))
