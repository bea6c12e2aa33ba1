"""The registry of match file formats, and recognising the format of a file."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path

from backgammon.formats.bgf import IS_BGF, read_bgf
from backgammon.formats.errors import FormatError
from backgammon.formats.mat import format_mat
from backgammon.formats.mat_reader import read_mat
from backgammon.formats.ogxm import can_write, format_ogxm
from backgammon.formats.ogxm_bytes import IS_OGXM
from backgammon.formats.ogxm_reader import read_ogxm
from backgammon.formats.reading import FileRead
from backgammon.formats.record import MatchRecord
from backgammon.formats.record_json import format_json, read_json
from backgammon.formats.sgf import format_sgf
from backgammon.formats.sgf_reader import read_sgf
from backgammon.formats.xg import IS_XG, read_xg


@dataclass(frozen=True, slots=True)
class FileFormat:
    """A format: the key is its file name extension, too."""

    key: str
    title: str
    media_type: str
    read: Callable[[str], FileRead]
    format: Callable[[MatchRecord], str]

    def parse(self, text: str) -> MatchRecord:
        """The record of a file with one match and without a fault.

        :raises FormatError: naming the place at fault.
        """
        return self.read(text).sole()

    def encode(self, record: MatchRecord) -> bytes:
        """Return the file of a match."""
        return self.format(record).encode()


@dataclass(frozen=True, slots=True)
class BinaryFormat:
    """A format that is no text, with what a `FileFormat` has for those who hand out files."""

    key: str
    title: str
    media_type: str
    encode: Callable[[MatchRecord], bytes]


ALL: tuple[FileFormat, ...] = (
    FileFormat("mat", "Jellyfish .mat", "text/plain; charset=utf-8", read_mat, format_mat),
    FileFormat("sgf", "Smart Game Format", "application/x-go-sgf", read_sgf, format_sgf),
    FileFormat("json", "JSON", "application/json", read_json, format_json),
)

KEYS: tuple[str, ...] = tuple(file_format.key for file_format in ALL)

OGXM = BinaryFormat("ogxm", "OGXM", "application/octet-stream", format_ogxm)

WRITTEN: tuple[FileFormat | BinaryFormat, ...] = (*ALL, OGXM)
"""Every format that a match can be written in."""

_JACOBY = "[Jacoby "
_MARKS = ((b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))

_BY_KEY = {file_format.key: file_format for file_format in ALL}


def by_key(key: str) -> FileFormat:
    """The format of this key.

    :raises FormatError: naming the formats there are.
    """
    if key not in _BY_KEY:
        raise FormatError(f"no format {key!r}; there are: {', '.join(KEYS)}")
    return _BY_KEY[key]


def written_by_key(key: str) -> FileFormat | BinaryFormat:
    """Return the format of this key, one of text or not.

    :raises FormatError: naming the formats of text.
    """
    return OGXM if key == OGXM.key else by_key(key)


def formats_for(variants: Collection[str]) -> tuple[FileFormat | BinaryFormat, ...]:
    """Return the formats that know a match of these games."""
    return WRITTEN if can_write(variants) else ALL


def format_of(text: str) -> FileFormat:
    """The format a text looks like: SGF opens with a bracket, JSON with a brace."""
    first = text.removeprefix("\ufeff").lstrip()[:1]
    return _BY_KEY["sgf" if first == "(" else "json" if first == "{" else "mat"]


def read_text(text: str, *, jacoby: bool | None = None) -> FileRead:
    """All that a file in any of the formats has, and what is wrong with it.

    `jacoby` is for unlimited play in a .mat file that does not say whether Jacoby holds.
    """
    found = format_of(text)
    read = found.read(text).of_text(found.key, text)
    is_said = found.key != "mat" or _JACOBY in text
    return read if is_said else read.assuming(jacoby=jacoby)


def parse_match(text: str) -> MatchRecord:
    """The record of a file in any of the formats, with one match and without a fault.

    :raises FormatError: naming the place at fault.
    """
    return read_text(text).sole()


def is_text(data: bytes) -> bool:
    """Return True if a file has lines; those of other programs and archives have none."""
    return not data.startswith((IS_XG, IS_BGF, IS_OGXM)) and "\0" not in decoded(data)


def decoded(data: bytes) -> str:
    """A file's text: UTF-8, UTF-16, or the Windows letters of older programs."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data.decode(encoding, errors="replace").removeprefix("\ufeff")
    if data[1:8:2] == bytes(4):
        return data.decode("utf-16-le", errors="replace")
    if data[:8:2] == bytes(4):
        return data.decode("utf-16-be", errors="replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def read_file(source: Path | str | bytes, *, jacoby: bool | None = None) -> FileRead:
    """All matches in a file, or in its content as bytes, each game as far as it is sound.

    It may be in one of the formats above, or a binary file of another program. `jacoby` says of
    unlimited play what the file does not; `MatchRead.jacoby_assumed` is set where it says nothing.

    :raises OSError: if there is no such file.
    """
    data = source if isinstance(source, bytes) else Path(source).read_bytes()
    if data.startswith(IS_XG):
        return read_xg(data).of_source("xg", "xg")
    if data.startswith(IS_BGF):
        return read_bgf(data).of_source("bgf", "bgblitz")
    if data.startswith(IS_OGXM):
        return read_ogxm(data)
    return read_text(decoded(data), jacoby=jacoby)


def read_match(source: Path | str | bytes) -> MatchRecord:
    """The match in a file, or in its content as bytes. Every play in it has been checked.

    :raises FormatError: naming the line and column that cannot be read or played.
    :raises OSError: if there is no such file.
    """
    return read_file(source).sole()


def write_match(record: MatchRecord, path: Path | str) -> None:
    """Write a match as a file in the format that the ending of its name says.

    It ends in .mat, .sgf, .json or .ogxm.

    :raises FormatError: for another ending, or a match that the format cannot say.
    """
    ending = Path(path).suffix.removeprefix(".").lower()
    known = [each.key for each in WRITTEN]
    if ending not in known:
        raise FormatError(f"{path}: a match file ends in .{', .'.join(known)}")
    Path(path).write_bytes(written_by_key(ending).encode(record))
