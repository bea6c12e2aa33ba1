"""`python -m bench.size [--before COMMIT]`: lines and files of the tree, beside an earlier commit.

Counted is what git tracks: Python, SQL, JavaScript and CSS and HTML by rooms, tests apart, and the
words of the documents. A row says how far it fell or grew.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections import Counter
from pathlib import PurePosixPath
from typing import Final, NamedTuple

#: what a kind of file counts as, by its ending.
CODE: Final = (".py", ".sql", ".js")
FACES: Final = (".html", ".css")
#: folders of tests, also those inside a room, and what they and the benches stand on.
TESTS: Final = frozenset({"tests", "harness"})
WORDS: Final = ".md"


class Size(NamedTuple):
    """How many files, and how many lines (of documents: words) they have."""

    files: int
    lines: int


def main() -> int:
    """Print the sizes of the commit that is checked out, and how they compare."""
    parser = argparse.ArgumentParser(prog="python -m bench.size", description=__doc__)
    parser.add_argument("--before", metavar="COMMIT", help="an earlier commit to compare with")
    asked = parser.parse_args()
    try:
        now = measured("HEAD")
        before = measured(asked.before) if asked.before else now
    except subprocess.CalledProcessError as error:
        print(f"git: {error.stderr.decode().strip()}", file=sys.stderr)
        return 2
    print(f"{'':28}{'files':>16}{'lines':>20}")
    for name in sorted(now | before, key=lambda name: (name[:1].isupper(), name)):
        zero = Size(0, 0)
        _print(name, before.get(name, zero), now.get(name, zero))
    return 0


def measured(commit: str) -> dict[str, Size]:
    """Return the size of every room of the commit, of all code, of tests and of documents."""
    files: Counter[str] = Counter()
    lines: Counter[str] = Counter()
    for path, text in _texts(commit):
        for name in _counted_as(path):
            files[name] += 1
            lines[name] += len(text.split()) if path.suffix == WORDS else text.count(b"\n")
    return {name: Size(files[name], lines[name]) for name in files}


def _counted_as(path: PurePosixPath) -> list[str]:
    """Return the rows to which a file belongs; none for data and settings."""
    if path.suffix == WORDS:
        return ["Words of docs/"] if path.parts[0] == "docs" else []
    if path.suffix in FACES:
        return ["Templates and style"]
    if path.suffix not in CODE:
        return []
    if not TESTS.isdisjoint(path.parts):
        return ["Tests"]
    room = path.parts[0] if len(path.parts) > 1 else "(root)"
    return [room, "Code outside tests"]


def _texts(commit: str) -> list[tuple[PurePosixPath, bytes]]:
    """Return the files of a commit that are counted, with their contents."""
    listed = _git("ls-tree", "-r", "-z", "--format=%(objectname) %(path)", commit)
    wanted = []
    for line in listed.decode().split("\0"):
        name, _, path = line.partition(" ")
        if path and PurePosixPath(path).suffix in (*CODE, *FACES, WORDS):
            wanted.append((name, PurePosixPath(path)))
    batch = _git("cat-file", "--batch", given="\n".join(name for name, _ in wanted).encode())
    texts = []
    for _, path in wanted:
        head, _, batch = batch.partition(b"\n")
        length = int(head.rsplit(b" ", 1)[1])
        texts.append((path, batch[:length]))
        batch = batch[length + 1 :]
    return texts


def _git(*words: str, given: bytes | None = None) -> bytes:
    """Return what git prints; raise CalledProcessError with what it complains of."""
    return subprocess.run(["git", *words], input=given, check=True, capture_output=True).stdout


def _print(name: str, before: Size, now: Size) -> None:
    """Print one row: before, now and the change in percent."""
    parts = [
        f"{old:>7,} {new:>7,} {_change(old, new):>6}" if old != new else f"{new:>15,} {'':>6}"
        for old, new in zip(before, now, strict=True)
    ]
    print(f"{name:26}{'  '.join(parts)}")


def _change(before: int, now: int) -> str:
    """Return the change in percent, with its sign."""
    return f"{100 * (now - before) / before:+.0f} %" if before else "new"


if __name__ == "__main__":
    sys.exit(main())
