"""The house's sign as PNG pictures, drawn by arithmetic: two points of the board on a dark ground.

The same shapes as static/favicon.svg. Edges are smooth: each row of pixels is cut by several lines,
and of each line exactly so much of a pixel counts as lies inside the shape.
"""

import struct
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import sqrt
from typing import Final

Colour = tuple[int, int, int]
Spot = tuple[float, float]
#: where a line at a height enters and leaves a convex shape; None if it misses it.
Cut = Callable[[float], tuple[float, float] | None]

BOX: Final = 32.0
CORNER: Final = 7.0
GROUND: Final[Colour] = (0x15, 0x11, 0x0E)
TRIANGLES: Final[tuple[tuple[tuple[Spot, Spot, Spot], Colour], ...]] = (
    (((5.5, 27), (11, 5), (16, 27)), (0xE6, 0xB4, 0x50)),
    (((16, 27), (21, 5), (26.5, 27)), (0x5F, 0x8F, 0x7E)),
)
LINES_A_ROW: Final = 8

#: phones cut maskable pictures to any shape within 80 % of their width.
MASKABLE_SCALE: Final = 0.72


@dataclass(frozen=True, slots=True)
class Icon:
    """A picture to be made: its file, its edge in pixels, and whether it fills its square."""

    name: str
    size: int
    fills: bool = False


ICONS: Final = (
    Icon("pasch-192.png", 192),
    Icon("pasch-512.png", 512),
    Icon("pasch-maskable-512.png", 512, fills=True),
    Icon("pasch-touch-180.png", 180, fills=True),
)


def png(icon: Icon) -> bytes:
    """The picture as a PNG file: eight bits of red, green, blue and opacity."""
    rows = pixels(icon)
    raw = b"".join(b"\0" + row for row in rows)
    head = struct.pack(">IIBBBBB", icon.size, icon.size, 8, 6, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(raw, 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in parts)


def _chunk(kind: bytes, data: bytes) -> bytes:
    check = zlib.crc32(kind + data)
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", check)


def pixels(icon: Icon) -> list[bytes]:
    """The picture row by row, four bytes a pixel."""
    unit = BOX / icon.size
    scale = MASKABLE_SCALE if icon.fills else 1.0
    ground = _square if icon.fills else _rounded
    shapes = [(ground, GROUND)]
    shapes += [(_triangle(_scaled(spots, scale)), colour) for spots, colour in TRIANGLES]
    return [_row(row, icon.size, unit, shapes) for row in range(icon.size)]


def _row(row: int, size: int, unit: float, shapes: list[tuple[Cut, Colour]]) -> bytes:
    painted = [(0.0, 0.0, 0.0, 0.0)] * size
    for cut, colour in shapes:
        for column, share in enumerate(_shares(cut, row, size, unit)):
            if share:
                painted[column] = _over(painted[column], colour, share)
    return b"".join(bytes(round(part) for part in pixel) for pixel in painted)


def _over(below: tuple[float, ...], colour: Colour, share: float) -> tuple[float, ...]:
    """A colour laid over a pixel, as opaque as the share of the pixel that it covers."""
    under = below[3] / 255 * (1 - share)
    opacity = share + under
    mixed = [(new * share + old * under) / opacity for new, old in zip(colour, below, strict=False)]
    return (*mixed, 255 * opacity)


def _shares(cut: Cut, row: int, size: int, unit: float) -> list[float]:
    """How much of each pixel of a row lies inside a shape, 0 to 1."""
    shares = [0.0] * size
    for line in range(LINES_A_ROW):
        found = cut((row + (line + 0.5) / LINES_A_ROW) * unit)
        if found is None:
            continue
        left, right = (edge / unit for edge in found)
        for column in range(max(0, int(left)), min(size, int(right) + 1)):
            inside = min(right, column + 1) - max(left, column)
            shares[column] += max(0.0, inside) / LINES_A_ROW
    return shares


def _square(_: float) -> tuple[float, float]:
    return 0.0, BOX


def _rounded(y: float) -> tuple[float, float]:
    inward = max(CORNER - y, y - (BOX - CORNER), 0.0)
    start = CORNER - sqrt(CORNER**2 - inward**2)
    return start, BOX - start


def _triangle(spots: tuple[Spot, Spot, Spot]) -> Cut:
    def cut(y: float) -> tuple[float, float] | None:
        crossed = list(_crossings(spots, y))
        return (min(crossed), max(crossed)) if crossed else None

    return cut


def _crossings(spots: tuple[Spot, ...], y: float) -> Iterator[float]:
    for (x1, y1), (x2, y2) in zip(spots, (*spots[1:], spots[0]), strict=True):
        if min(y1, y2) <= y < max(y1, y2):
            yield x1 + (y - y1) * (x2 - x1) / (y2 - y1)


def _scaled(spots: tuple[Spot, Spot, Spot], scale: float) -> tuple[Spot, Spot, Spot]:
    one, two, three = (
        (BOX / 2 + (x - BOX / 2) * scale, BOX / 2 + (y - BOX / 2) * scale) for x, y in spots
    )
    return one, two, three
