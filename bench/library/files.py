"""The files of a library: real ones, and matches that the engine plays, written in many ways."""

import zipfile
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from datetime import date, timedelta
from io import BytesIO
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Final

from backgammon.formats.mat import format_mat
from backgammon.formats.record import Heading, MatchRecord
from backgammon.formats.record_json import format_json
from backgammon.formats.registry import read_file
from backgammon.formats.sgf import format_sgf
from backgammon.tests.analysis.matches import Player, played_match

GOLDEN: Final = Path(__file__).parents[2] / "backgammon/tests/golden"

#: files of matches beside others in a folder.
ENDINGS: Final = frozenset({".mat", ".txt", ".sgf", ".json", ".xg", ".bgf", ".zip"})

READER: Final = "reader"
OPPONENTS: Final = 60
LENGTHS: Final = (1, 3, 5, 5, 7)
ERRORS: Final = (0.0, 0.02, 0.04, 0.12)
SITES: Final = ("Backgammon Galaxy", "Heroes", "GridGammon", "FIBS", "GNU Backgammon", "")
FIRST_DAY: Final = date(2015, 1, 1)


def _dos(record: MatchRecord) -> bytes:
    return format_mat(record).replace("\n", "\r\n").encode("cp1252")


#: the ending and the writer of each kind of file.
WRITERS: Final[tuple[tuple[str, Callable[[MatchRecord], bytes]], ...]] = (
    ("mat", lambda record: format_mat(record).encode()),
    ("txt", lambda record: b"\xef\xbb\xbf" + format_mat(record).encode()),
    ("sgf", lambda record: format_sgf(record).encode()),
    ("mat", _dos),
    ("json", lambda record: format_json(record).encode()),
    ("txt", lambda record: format_mat(record).encode("utf-16")),
)


def library(count: int, folder: Path | None) -> dict[str, bytes]:
    """So many files by their paths: those of the folder or of the tests, then played matches."""
    kept = dict(islice(_found(folder or GOLDEN), count))
    with ProcessPoolExecutor(2, get_context("spawn")) as players:
        return kept | dict(players.map(_played, range(count - len(kept)), chunksize=8))


def zipped(files: dict[str, bytes]) -> bytes:
    """A ZIP of these files."""
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in files.items():
            archive.writestr(path, data)
    return packed.getvalue()


def _found(folder: Path) -> Iterator[tuple[str, bytes]]:
    """The files of matches below a folder; of the same match in several formats one."""
    known: set[object] = set()
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() not in ENDINGS or not path.is_file():
            continue
        data = path.read_bytes()
        if folder == GOLDEN:
            plays = read_file(data).matches[0].record.games
            first = plays[0].actions[:20]
            if first in known:
                continue
            known.add(first)
        yield f"found/{path.relative_to(folder)}", data


def _played(number: int) -> tuple[str, bytes]:
    """A match of the reader against somebody, and its file."""
    chance = Random(number)
    players = (Player(1, chance.choice(ERRORS)), Player(1, chance.choice(ERRORS)))
    record = played_match(number, players, length=chance.choice(LENGTHS))
    heading = Heading(
        site=chance.choice(SITES),
        event=f"Evening {number % 90}",
        date=FIRST_DAY + timedelta(days=10 * number),
    )
    names = (READER, f"opponent {chance.randrange(OPPONENTS)}")
    record = replace(record, players=names, heading=heading)
    ending, writer = WRITERS[number % len(WRITERS)]
    return f"played/{number:04}.{ending}", writer(record)
