"""PNG files for tests: whole ones of any kind, and their chunks."""

import struct
import zlib

SIGNATURE = b"\x89PNG\r\n\x1a\n"


def chunk(kind: bytes, body: bytes = b"") -> bytes:
    """One chunk with its length and its checksum."""
    crc = struct.pack(">I", zlib.crc32(kind + body))
    return struct.pack(">I", len(body)) + kind + body + crc


def head(width: int, height: int, depth: int = 8, colours: int = 6, interlaced: int = 0) -> bytes:
    """The chunk with the size and the kind of a picture."""
    return chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, colours, 0, 0, interlaced))


def picture(
    width: int = 40,
    height: int = 20,
    *,
    before: bytes = b"",
    rows: bytes = b"",
    behind: bytes = b"",
) -> bytes:
    """A red picture with these chunks before its rows, these rows, and this behind its end."""
    plain = (b"\x00" + b"\xc0\x20\x20\xff" * width) * height
    data = chunk(b"IDAT", zlib.compress(rows or plain))
    return SIGNATURE + head(width, height) + before + data + chunk(b"IEND") + behind
