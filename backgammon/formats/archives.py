"""The files that somebody hands over: one file, or a ZIP with folders of them.

Nothing is written to a disk, and nothing that a ZIP says about itself is believed: what is unpacked
is counted while it is unpacked. A file that cannot be had is told, and the others are read.
"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, Final

from backgammon.formats.errors import FormatError

#: what is unpacked of one ZIP: files, bytes of one file, and bytes in all.
FILES_MOST: Final = 5_000
FILE_MOST_BYTES: Final = 8 * 1024 * 1024
UNPACKED_MOST_BYTES: Final = 512 * 1024 * 1024

#: how many times its packed size a file may have; the most repetitive match files have 40 times.
RATIO_MOST: Final = 250

_PATH_MOST: Final = 200
_IS_ZIP: Final = (b"PK\x03\x04", b"PK\x05\x06")
_OTHER_ARCHIVES: Final = {
    b"7z\xbc\xaf\x27\x1c": "7z",
    b"Rar!\x1a\x07": "RAR",
    b"\x1f\x8b": "gzip",
    b"BZh": "bzip2",
    b"\xfd7zXZ": "xz",
}
_METHODS: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ENCRYPTED: Final = 1
#: files that systems put beside those of people
_BESIDE: Final = ("thumbs.db", "desktop.ini")

_BROKEN: Final = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,
    OSError,
    RuntimeError,
    ValueError,
)


@dataclass(frozen=True, slots=True)
class FileFound:
    """A file with its path inside the ZIP, or why it cannot be had (`data` is then empty)."""

    path: str
    data: bytes
    fault: FormatError | None = None


def files_below(path: Path) -> Iterator[Path]:
    """The files of a folder and of those in it, without hidden ones; a file is its own."""
    if not path.is_dir():
        yield from [path] if path.exists() else []
        return
    for file in sorted(path.rglob("*")):
        hidden = any(part.startswith(".") for part in file.relative_to(path).parts)
        if file.is_file() and not hidden:
            yield file


def read_archive(source: bytes | BinaryIO, name: str) -> Iterator[FileFound]:
    """Each file in what a person hands over under this name, a ZIP or a single file.

    A fault of the whole ZIP is told at its name, after the files that were read before it.
    """
    stream = BytesIO(source) if isinstance(source, bytes) else source
    begins = stream.read(8)
    stream.seek(0)
    kind = next((kind for mark, kind in _OTHER_ARCHIVES.items() if begins.startswith(mark)), None)
    if begins.startswith(_IS_ZIP):
        yield from _unpacked(stream, name)
    elif kind is not None:
        yield _refused(name, f"a {kind} archive cannot be read; a ZIP can")
    else:
        data = stream.read(FILE_MOST_BYTES + 1)
        yield FileFound(name, data) if len(data) <= FILE_MOST_BYTES else _too_large(name)


def _unpacked(stream: BinaryIO, name: str) -> Iterator[FileFound]:
    """The files of a ZIP; those of systems and the folders themselves are passed over."""
    left = UNPACKED_MOST_BYTES
    try:
        with zipfile.ZipFile(stream) as packed:
            entries = [entry for entry in packed.infolist() if not _is_beside(entry)]
            for entry in entries[:FILES_MOST]:
                found, unpacked = _unpack(packed, entry, left)
                left -= unpacked
                yield found
                if left <= 0:
                    yield _refused(name, "the ZIP has too much in it")
                    return
    except _BROKEN as error:
        yield _refused(name, f"the ZIP cannot be read: {error}")
        return
    if len(entries) > FILES_MOST:
        yield _refused(name, f"the ZIP has more than {FILES_MOST} files")


def _is_beside(entry: zipfile.ZipInfo) -> bool:
    parts = entry.filename.split("/")
    hidden = any(part.startswith(".") or part == "__MACOSX" for part in parts)
    return entry.is_dir() or hidden or parts[-1].lower() in _BESIDE


def _unpack(packed: zipfile.ZipFile, entry: zipfile.ZipInfo, left: int) -> tuple[FileFound, int]:
    """A file of a ZIP, and how many bytes were unpacked for it."""
    path = "".join(sign if sign.isprintable() else "?" for sign in entry.filename)[-_PATH_MOST:]
    if entry.flag_bits & _ENCRYPTED:
        return _refused(path, "the file is encrypted"), 0
    if entry.compress_type not in _METHODS:
        return _refused(path, "the file is packed in a way that cannot be read"), 0
    most = min(FILE_MOST_BYTES, left, RATIO_MOST * max(entry.compress_size, 1024))
    try:
        with packed.open(entry) as file:
            data = file.read(most + 1)
    except _BROKEN as error:
        return _refused(path, f"the file cannot be unpacked: {error}"), most
    if len(data) > most:
        return _too_large(path), most
    if data.startswith(_IS_ZIP):
        return _refused(path, "a ZIP inside a ZIP is not read"), len(data)
    return FileFound(path, data), len(data)


def _too_large(path: str) -> FileFound:
    return _refused(path, "the file is too large")


def _refused(path: str, reason: str) -> FileFound:
    return FileFound(path, b"", FormatError(reason))
