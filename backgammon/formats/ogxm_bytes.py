"""The bytes of an OGXM file: its sections, their records, the hash that stands for the match.

OGXM is a format of HedgeHog, version 2. A file is a heading of 16 bytes, sections, and `END!`. A
record is its length, a mask with one bit for each field that it may have, and the fields. Points
count from White's bar (0) over White's 24 point (1) to Black's bar (25).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Final
from zlib import crc32

from backgammon.formats.errors import FormatError

#: the first bytes of every such file.
IS_OGXM: Final = b"OGXM"

#: what is written; a reader of version 2.0 reads it, too, unless the heading asks for more.
VERSION: Final = (2, 2)

TEXT_MOST_BYTES: Final = 4096
GAMES_MOST: Final = 1000
PLIES_MOST: Final = 1500

MATCH: Final = b"MTCH"
GAME: Final = b"GAME"
COMMENTS: Final = b"ANNO"
SIGNATURE: Final = b"MSIG"
OURS: Final = b"PSCH"

_CHECKSUM: Final = b"CSUM"
_CRITICAL: Final = (MATCH, GAME, _CHECKSUM)
_END: Final = b"END!"
_HEADING: Final = struct.Struct("<4sHHHHI")
_SECTION: Final = struct.Struct("<4sIB")
_FILE_MOST_BYTES: Final = 64 * 1024 * 1024
_NUMBER_BITS: Final = 64

Section = tuple[bytes, bytes]
"""The name of a section and what is in it."""


class OgxmFields:
    """The content of a record or a section, read from its beginning on."""

    def __init__(self, data: bytes) -> None:
        """Begin at the first byte."""
        self._data = data
        self._at = 0

    def __bool__(self) -> bool:
        """Whether there is more."""
        return self._at < len(self._data)

    def take(self, count: int) -> bytes:
        """Return so many bytes.

        :raises FormatError: if it ends before.
        """
        if count > len(self._data) - self._at:
            raise FormatError("a record ends too early")
        self._at += count
        return self._data[self._at - count : self._at]

    def number(self) -> int:
        """Return a number of any length: seven bits a byte, the lowest first.

        :raises FormatError: if it is longer than 64 bits.
        """
        value = 0
        for shift in range(0, _NUMBER_BITS, 7):
            byte = self.take(1)[0]
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
        raise FormatError("too large a number")

    def text(self) -> str:
        """Return a text.

        :raises FormatError: if it is none.
        """
        try:
            return self.take(self.number()).decode()
        except UnicodeDecodeError as error:
            raise FormatError("a text is not UTF-8") from error

    def record(self) -> OgxmRecord:
        """Return a record, whatever follows its known fields is left aside.

        :raises FormatError: if it ends before.
        """
        inside = OgxmFields(self.take(self.number()))
        return OgxmRecord(inside.number(), inside)


class OgxmRecord:
    """A record whose fields are read in the order of their bits."""

    def __init__(self, mask: int, fields: OgxmFields) -> None:
        """Keep the bits of the fields that there are."""
        self._mask = mask
        self.fields = fields

    def has(self, bit: int) -> bool:
        """Whether the field of this bit is there."""
        return bool(self._mask >> bit & 1)

    def number(self, bit: int, default: int = 0) -> int:
        """Return the number of this bit."""
        return self.fields.number() if self.has(bit) else default

    def text(self, bit: int) -> str:
        """Return the text of this bit, "" if it is not there."""
        return self.fields.text() if self.has(bit) else ""


def number_bytes(value: int) -> bytes:
    """Return a number as `OgxmFields.number` reads it."""
    written = bytearray()
    while value > 0x7F:
        written.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes((*written, value))


def text_bytes(text: str) -> bytes:
    """Return a text as `OgxmFields.text` reads it."""
    data = text.encode()
    return number_bytes(len(data)) + data


def record_bytes(fields: Mapping[int, bytes], always: bytes = b"") -> bytes:
    """Return a record: what stands in every one, then the fields of these bits."""
    mask = sum(1 << bit for bit in fields)
    inside = number_bytes(mask) + always + b"".join(fields[bit] for bit in sorted(fields))
    return number_bytes(len(inside)) + inside


def file_bytes(sections: Sequence[Section], *, least_minor: int = 0) -> bytes:
    """Return a file of these sections with its checksum; `least_minor` is for its reader."""
    body = b"".join(map(_section_bytes, sections))
    checksum = len(_section_bytes((_CHECKSUM, _checksum(0))))
    size = _HEADING.size + len(body) + checksum + len(_END)
    begun = _HEADING.pack(IS_OGXM, *VERSION, VERSION[0], least_minor, size) + body
    return begun + _section_bytes((_CHECKSUM, _checksum(crc32(begun)))) + _END


def _section_bytes(section: Section) -> bytes:
    name, inside = section
    return _SECTION.pack(name, len(inside), name in _CRITICAL) + inside


def _checksum(value: int) -> bytes:
    return record_bytes({}, number_bytes(0) + number_bytes(4) + value.to_bytes(4, "little"))


def sections_of(data: bytes) -> list[Section]:
    """Return the sections of one file without its checksum, which has been compared.

    :raises FormatError: if it is no whole file of version 2.
    """
    return list(_sections(data))


def _sections(data: bytes) -> Iterator[Section]:
    size = size_of(data)
    if size != len(data) or not data.endswith(_END):
        raise FormatError("the file is cut off")
    at = _HEADING.size
    while at < size - len(_END):
        if at + _SECTION.size > size - len(_END):
            raise FormatError("a section ends too early")
        name, length, _flags = _SECTION.unpack_from(data, at)
        inside = data[at + _SECTION.size : at + _SECTION.size + length]
        if at + _SECTION.size + length > size - len(_END):
            raise FormatError("a section ends too early")
        if name != _CHECKSUM:
            yield name, inside
        elif inside[2:3] == b"\0" and inside != _checksum(crc32(data[:at])):
            raise FormatError("the checksum does not fit: something in the file was changed")
        at += _SECTION.size + length


def size_of(data: bytes) -> int:
    """Return how many bytes the file at the beginning has.

    :raises FormatError: if it is none, or of a version that is not known.
    """
    if len(data) < _HEADING.size or not data.startswith(IS_OGXM):
        raise FormatError("this is no OGXM file")
    _magic, major, _minor, least, least_minor, size = _HEADING.unpack_from(data)
    if major != VERSION[0] or (least, least_minor) > VERSION:
        raise FormatError(f"the file is OGXM of version {major}, not {VERSION[0]}")
    if not _HEADING.size < size <= _FILE_MOST_BYTES:
        raise FormatError("the file is cut off")
    return int(size)


def digest_of(sections: Sequence[Section]) -> bytes:
    """Return the hash that stands for a match in OGXM: over its heading and its games alone."""
    told = sha256()
    for name, inside in sections:
        if name in (MATCH, GAME):
            told.update(struct.pack("<I", len(inside)) + inside)
    return told.digest()


def signed_part(digest: bytes) -> bytes:
    """Return what a signature of a match with this hash is over, as every program checks it."""
    return b"OGXM-MTCH-SIG-v2" + digest


def signature_bytes(public_key: bytes, signature: bytes) -> bytes:
    """Return the section with an Ed25519 signature."""
    always = number_bytes(1) + number_bytes(len(signature)) + signature
    return record_bytes({1: number_bytes(len(public_key)) + public_key}, always)
