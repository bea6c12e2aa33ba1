"""Reading and writing match files: .mat, SGF and JSON, told apart by their content."""

from __future__ import annotations

from pathlib import Path

from backgammon.formats.errors import FormatError
from backgammon.formats.record import MatchRecord
from backgammon.formats.registry import KEYS, by_key, decoded, parse_match


def read_match(source: Path | str | bytes) -> MatchRecord:
    """The match in a file, or in its content as bytes. Every play in it has been checked.

    :raises FormatError: naming the line and column that cannot be read or played.
    :raises OSError: if there is no such file.
    """
    return parse_match(decoded(source if isinstance(source, bytes) else Path(source).read_bytes()))


def write_match(record: MatchRecord, path: Path | str) -> None:
    """Write a match as a file; the ending of its name (.mat, .sgf or .json) says in which format.

    :raises FormatError: for another ending, or a match that the format cannot say.
    """
    ending = Path(path).suffix.removeprefix(".").lower()
    if ending not in KEYS:
        raise FormatError(f"{path}: a match file ends in .{', .'.join(KEYS)}")
    Path(path).write_text(by_key(ending).format(record), encoding="utf-8")
