"""Files of matches, as people bring them."""

import zipfile
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from io import BytesIO
from pathlib import Path

from backgammon.formats.mat import format_mat
from backgammon.formats.record import Heading, MatchRecord
from backgammon.formats.registry import parse_match
from backgammon.tests.formats.test_digest import from_the_other_side

GOLDEN = Path(__file__).parents[2] / "backgammon/tests/golden"

#: game 1 is cut off at its fourth roll, game 2 is sound.
CUT = ("43: 14/10 13/10", "43: 14/10 13/9")


def golden(name: str = "stakes_and_cube") -> str:
    """A match of two games between alice and bob; "money_session" is another one."""
    return (GOLDEN / f"{name}.mat").read_text()


def cut_off() -> str:
    """The same with a play that cannot be."""
    return golden().replace(*CUT, 1)


def turned(text: str, names: tuple[str, str] | None = None) -> bytes:
    """The match as the file of the other player has it, perhaps under other names."""
    record = from_the_other_side(parse_match(text))
    return format_mat(replace(record, players=names or record.players)).encode()


def dated(record: MatchRecord, day: date, *, event: str = "") -> bytes:
    """The match as a file that says when it was played."""
    return format_mat(replace(record, heading=Heading(date=day, event=event))).encode()


def zipped(files: Mapping[str, bytes]) -> bytes:
    """A ZIP."""
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in files.items():
            archive.writestr(path, data)
    return packed.getvalue()
