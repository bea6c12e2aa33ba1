"""A small PNG picture, without anything but the picture.

Pure. A file is read by the rules of PNG (W3C, third edition): signature, chunks with their CRCs,
and the compressed rows. What is no picture, or more than one, is refused. Of the optional chunks
those stay that change how the picture looks everywhere (`KEPT`); texts, times, places, profiles and
animations are dropped.
"""

import base64
import binascii
import hashlib
import re
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
BYTES_MOST: Final = 64 * 1024
SIDE_LEAST: Final = 16
SIDE_MOST: Final = 1024

KEPT: Final = frozenset({b"tRNS", b"gAMA", b"sRGB"})
_CRITICAL: Final = frozenset({b"IHDR", b"PLTE", b"IDAT", b"IEND"})
_DEPTHS: Final = {0: (1, 2, 4, 8, 16), 2: (8, 16), 3: (1, 2, 4, 8), 4: (8, 16), 6: (8, 16)}
_SAMPLES: Final = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
_INDEXED: Final = 3
_FILTERS: Final = 5
_ORDER: Final = re.compile(
    rb"IHDR (?:(?:gAMA|sRGB) )*(?:PLTE )?(?:(?:gAMA|sRGB|tRNS) )*(?:IDAT )+IEND"
)
_PASSES: Final = (
    (0, 0, 8, 8),
    (4, 0, 8, 8),
    (0, 4, 4, 8),
    (2, 0, 4, 4),
    (0, 2, 2, 4),
    (1, 0, 2, 2),
    (0, 1, 1, 2),
)
"""The seven passes of an interlaced picture: first column and row, steps between them."""


class BadPng(ValueError):
    """A file that is no such picture: `code` is the rule, the text says what is wrong."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


@dataclass(frozen=True, slots=True)
class Png:
    """A checked picture: the file, its size in pixels, and a digest that names it."""

    data: bytes
    width: int
    height: int
    digest: str


@dataclass(frozen=True, slots=True)
class _Chunk:
    kind: bytes
    body: bytes

    @property
    def written(self) -> bytes:
        crc = zlib.crc32(self.kind + self.body)
        return struct.pack(">I", len(self.body)) + self.kind + self.body + struct.pack(">I", crc)


@dataclass(frozen=True, slots=True)
class _Head:
    width: int
    height: int
    depth: int
    colours: int
    interlaced: bool

    def rows(self) -> Iterator[int]:
        """The bytes of each row, with the byte of its filter before it."""
        bits = self.depth * _SAMPLES[self.colours]
        for left, top, right, down in _PASSES if self.interlaced else ((0, 0, 1, 1),):
            columns, lines = -((left - self.width) // right), -((top - self.height) // down)
            if columns > 0:
                yield from [1 + (columns * bits + 7) // 8] * max(lines, 0)


def png_read(data: bytes) -> Png:
    """The picture of a file, without what is not needed to show it. Raises `BadPng`."""
    if len(data) > BYTES_MOST:
        raise BadPng("bytes", f"is larger than {BYTES_MOST // 1024} KiB")
    if not data.startswith(SIGNATURE):
        raise BadPng("type", "is no PNG picture")
    chunks = list(_chunks(data))
    head = _head(chunks[0])
    if any(chunk.kind[:1].isupper() and chunk.kind not in _CRITICAL for chunk in chunks):
        raise BadPng("kind", "has a part that PNG does not have")
    kept = [chunk for chunk in chunks if chunk.kind in _CRITICAL | KEPT]
    _order_check(head, kept)
    _rows_check(head, b"".join(chunk.body for chunk in kept if chunk.kind == b"IDAT"))
    clean = SIGNATURE + b"".join(chunk.written for chunk in kept)
    return Png(clean, head.width, head.height, hashlib.sha256(clean).hexdigest()[:32])


@lru_cache(maxsize=8)
def png_of(text: str) -> Png:
    """The picture of a file that is written in base64. Raises `BadPng`."""
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise BadPng("type", "is no PNG picture") from error
    return png_read(data)


def png_text(picture: Png) -> str:
    """The picture in base64, as `png_of` reads it."""
    return base64.b64encode(picture.data).decode()


def _chunks(data: bytes) -> Iterator[_Chunk]:
    """Every chunk up to the end of the picture, which is the end of the file."""
    at = len(SIGNATURE)
    while at < len(data):
        if len(data) - at < 12:
            raise BadPng("broken", "is cut off")
        (length,) = struct.unpack(">I", data[at : at + 4])
        kind, end = data[at + 4 : at + 8], at + 12 + length
        if end > len(data):
            raise BadPng("broken", "is cut off")
        chunk = _Chunk(kind, data[at + 8 : end - 4])
        if not (kind.isalpha() and data[at:end] == chunk.written):
            raise BadPng("broken", "is damaged: a checksum is wrong")
        yield chunk
        at = end
        if kind == b"IEND":
            if at != len(data):
                raise BadPng("behind", "has something behind the end of the picture")
            return
    raise BadPng("broken", "is cut off")


def _head(chunk: _Chunk) -> _Head:
    if chunk.kind != b"IHDR" or len(chunk.body) != 13:
        raise BadPng("broken", "does not begin with the size of the picture")
    width, height, depth, colours, *methods = struct.unpack(">IIBBBBB", chunk.body)
    if not (SIDE_LEAST <= width <= SIDE_MOST and SIDE_LEAST <= height <= SIDE_MOST):
        size = f"{width} × {height}"
        raise BadPng("sides", f"has {size} pixels; each side has {SIDE_LEAST} to {SIDE_MOST}")
    compression, filtering, interlacing = methods
    if depth not in _DEPTHS.get(colours, ()) or compression or filtering or interlacing > 1:
        raise BadPng("kind", "has a kind of colours or compression that PNG does not have")
    return _Head(width, height, depth, colours, bool(interlacing))


def _order_check(head: _Head, chunks: list[_Chunk]) -> None:
    """Every chunk is where it belongs, once, and as long as it has to be."""
    order = b" ".join(chunk.kind for chunk in chunks)
    bodies = {chunk.kind: chunk.body for chunk in chunks}
    rows = sum(chunk.kind == b"IDAT" for chunk in chunks)
    once = len(chunks) - rows == len(bodies) - 1
    if not (once and _ORDER.fullmatch(order) and _lengths_fit(head, bodies)):
        raise BadPng("broken", "has parts that are missing, there twice or in the wrong place")


def _lengths_fit(head: _Head, bodies: dict[bytes, bytes]) -> bool:
    colours, rest = divmod(len(bodies.get(b"PLTE", b"")), 3)
    palettes = {2: range(257), 6: range(257), _INDEXED: range(1, 2**head.depth + 1)}
    clear = {0: range(2, 3), 2: range(6, 7), _INDEXED: range(1, colours + 1)}
    return (
        not rest
        and colours in palettes.get(head.colours, (0,))
        and (colours > 0) == (b"PLTE" in bodies)
        and (b"tRNS" not in bodies or len(bodies[b"tRNS"]) in clear.get(head.colours, ()))
        and len(bodies.get(b"gAMA", b"1234")) == 4
        and len(bodies.get(b"sRGB", b"1")) == 1
        and not bodies[b"IEND"]
    )


def _rows_check(head: _Head, packed: bytes) -> None:
    """The rows unpack to the whole picture and nothing more; no more than that is unpacked."""
    lengths = list(head.rows())
    whole = sum(lengths)
    unpacking = zlib.decompressobj()
    try:
        rows = unpacking.decompress(packed, whole + 1)
    except zlib.error as error:
        raise BadPng("broken", "is damaged: it does not unpack") from error
    if len(rows) != whole or not unpacking.eof or unpacking.unused_data:
        raise BadPng("broken", "has more or fewer rows than its size says")
    at = 0
    for length in lengths:
        if rows[at] >= _FILTERS:
            raise BadPng("broken", "is damaged: a row has no such filter")
        at += length
