"""The branches of a house's history: each restore begins a new one.

PostgreSQL numbers them (timelines) and records where each left the one before. The names of the
log's segments begin with the number, and the ends of transactions in them carry their times, so a
moment is on the branch that was current then, and on no other.
"""

import os
import re
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from pasch.servers.embedded import postgres_program

PIECE: Final = re.compile(r"[0-9A-F]{24}")
HISTORY: Final = re.compile(r"([0-9A-F]{8})\.history")
PIECE_BITS: Final = 24  # of 16 MiB, as PostgreSQL makes them
_LEFT: Final = re.compile(r"^\s*(\d+)\s+([0-9A-F]+/[0-9A-F]+)", re.MULTILINE)
_ENDED: Final = re.compile(r"(?:COMMIT|ABORT)\w* (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?) UTC")


@dataclass(frozen=True, slots=True)
class Branch:
    """One branch of which there is a log."""

    number: int
    left: tuple[tuple[int, int], ...]
    """The branches it comes from, the oldest first, and the place in the log where it left each."""
    began_at: datetime | None
    """When its first transaction ended; None if the log does not contain it (the first branch)."""
    ended_at: datetime | None
    """When its last transaction ended; None if it has had none."""

    def leaves(self, number: int) -> int | None:
        """Where in the log it leaves another branch; None if it does not come from that one."""
        return dict(self.left).get(number)


def branches(folders: Iterable[Path]) -> list[Branch]:
    """Every branch of which these folders hold pieces of the log, by number.

    Of two pieces with one name that of the first folder counts.
    """
    pieces: dict[int, dict[str, Path]] = {}
    histories: dict[int, Path] = {}
    for folder in reversed([each for each in folders if each.is_dir()]):
        for path in folder.iterdir():
            if PIECE.fullmatch(path.name):
                pieces.setdefault(int(path.name[:8], 16), {})[path.name] = path
            elif named := HISTORY.fullmatch(path.name):
                histories[int(named[1], 16)] = path
    return [
        _branch(number, histories.get(number), pieces.get(number, {}))
        for number in sorted({*pieces, *histories})
    ]


def place(text: str) -> int:
    """A place in the log, which PostgreSQL writes as `0/3002678`."""
    high, low = text.split("/")
    return (int(high, 16) << 32) + int(low, 16)


def is_log(piece: Path) -> bool:
    """Whether a piece holds any record; PostgreSQL keeps old files for later under new names."""
    return bool(_records(piece))


def _branch(number: int, history: Path | None, pieces: dict[str, Path]) -> Branch:
    text = history.read_text() if history else ""
    left = tuple((int(each[1]), place(each[2])) for each in _LEFT.finditer(text))
    names = sorted(pieces)
    ended = (_ends(pieces[name]) for name in reversed(names))
    ended_at = next((ends[-1] for ends in ended if ends), None)
    return Branch(number, left, _began_at(names, pieces, left), ended_at)


def _began_at(
    names: list[str], pieces: dict[str, Path], left: tuple[tuple[int, int], ...]
) -> datetime | None:
    """When the first transaction of a branch ended; its first piece must still be there."""
    if not names or not left or int(names[0][8:16] + names[0][18:], 16) > left[-1][1] >> PIECE_BITS:
        return None
    at = left[-1][1]
    first = _ends(pieces[names[0]], "--start", f"{at >> 32:X}/{at & 0xFFFFFFFF:X}")
    later = (_ends(pieces[name]) for name in names[1:])
    return next((ends[0] for ends in (first, *later) if ends), None)


def _ends(piece: Path, *more: str) -> list[datetime]:
    """When the transactions in a piece ended."""
    lines = _records(piece, "--rmgr=Transaction", *more)
    return [_moment(found[1]) for line in lines if (found := _ENDED.search(line))]


def _records(piece: Path, *more: str) -> list[str]:
    """The records of a piece as lines. Where the log ends, the program complains: that is well."""
    result = subprocess.run(
        [str(postgres_program("pg_waldump")), *more, str(piece)],
        capture_output=True,
        text=True,
        env={**os.environ, "TZ": "UTC", "LC_ALL": "C"},
        check=False,
    )
    return result.stdout.splitlines()


def _moment(text: str) -> datetime:
    form = "%Y-%m-%d %H:%M:%S.%f" if "." in text else "%Y-%m-%d %H:%M:%S"
    return datetime.strptime(text, form).replace(tzinfo=UTC)
