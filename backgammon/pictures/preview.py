"""A board as a picture of 1200 by 630 pixels, as messengers show it beside a link.

It is put together from the pieces of one sheet (`pieces.webp`): the empty board and whatever may
lie on it, drawn as `svg` draws them. So a picture takes milliseconds and no browser. Needs Pillow.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Final

from PIL import Image

from backgammon.pictures import geometry
from backgammon.pictures.board import (
    PIPS,
    UNCOUNTED,
    Checker,
    Die,
    DrawnCube,
    Slab,
    picture,
    pips_of,
)
from backgammon.pictures.geometry import SLOTS, Side, tray_slot
from backgammon.pictures.marks import number
from backgammon.pictures.svg import piece, styled
from backgammon.rules.position import Position, Way

WIDTH: Final = 1200
HEIGHT: Final = 630
SHEET: Final = Path(__file__).with_name("pieces.webp")

#: what surrounds the board
BACKGROUND: Final = "#16120e"
MARGIN: Final = 15
SCALE: Final = (HEIGHT - 2 * MARGIN) / geometry.HEIGHT
LEFT: Final = round((WIDTH - SCALE * geometry.WIDTH) / 2)

#: the edge of a square of the sheet, below the board, and how many of them are in a row
CELL: Final = 80
IN_A_ROW: Final = WIDTH // CELL
CUBES: Final = (2, 4, 8, 16, 32, 64)
EMPTY: Final = Position((0,) * 24)
SIDES: Final[tuple[Side, ...]] = ("me", "op")
QUALITY: Final = 88

Drawable = Checker | Slab | Die | DrawnCube


def preview(
    position: Position,
    *,
    way: Way = Way.AGAINST,
    turned: bool = False,
    dice: Sequence[int] = (),
    cube: int | None = None,
    cube_owner: Side | None = None,
) -> bytes:
    """Return a drawn board as a JPEG; the arguments are those of `svg`.

    :raises ValueError: for a die or a cube of which there is no picture.
    """
    if not set(dice) <= set(PIPS) or cube not in {None, 1, *CUBES}:
        raise ValueError("there is no picture of this die or cube")
    drawn = picture(
        position, way, turned=turned, dice=dice, cube=cube, cube_owner=cube_owner, labels={}
    )
    image = _sheet().crop((0, 0, WIDTH, HEIGHT))
    for slab in drawn.slabs:
        middle = (float(slab.x) + float(slab.width) / 2, float(slab.y) + float(slab.height) / 2)
        _lay(image, f"slab-{slab.side}", *middle)
    for checker in drawn.checkers:
        stack = f"-{checker.stack}" if checker.stack else ""
        _lay(image, f"man-{checker.side}{stack}", float(checker.x), float(checker.y))
    for x, y in drawn.pinned:
        _lay(image, "lock", float(x), float(y))
    for die in drawn.dice:
        name = f"die-{die.side}-{die.face}"
        _lay(image, name, float(die.x), float(die.y), die.turn, float(die.scale))
    if drawn.cube is not None:
        _lay(image, f"cube-{drawn.cube.text}", float(drawn.cube.x), float(drawn.cube.y))
    made = BytesIO()
    image.convert("RGB").save(made, "JPEG", quality=QUALITY, progressive=True)
    return made.getvalue()


def sheet_svg() -> str:
    """Return the sheet of pieces as SVG text, from which `pieces.webp` is made."""
    height = HEIGHT + CELL * -(-len(pieces()) // IN_A_ROW)
    numbers = "".join(map(piece, picture(EMPTY, Way.AGAINST).labels))
    cells = "".join(
        f'<g transform="translate({_middle(index)}) scale({SCALE})">{drawn}</g>'
        for index, drawn in enumerate(pieces().values())
    )
    return styled(
        f'<svg viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{BACKGROUND}"/>'
        f'<g transform="translate({LEFT} {MARGIN}) scale({SCALE})">'
        f'<use href="#bg-empty"/>{numbers}</g>{cells}</svg>',
    )


@cache
def pieces() -> dict[str, str]:
    """Return whatever may lie on a board by its name, drawn around the origin."""
    return {name: piece(drawn) for name, drawn in _pieces()} | {"lock": '<use href="#bg-lock"/>'}


def _pieces() -> Iterator[tuple[str, Drawable]]:
    box = tray_slot("me", 0)
    size = number(box.width), number(box.height)
    for side in SIDES:
        yield f"man-{side}", Checker(side, "0", "0")
        for count in range(min(UNCOUNTED.values()) + 1, SLOTS + 1):
            yield f"man-{side}-{count}", Checker(side, "0", "0", count)
        yield f"slab-{side}", Slab(side, number(-box.width / 2), number(-box.height / 2), *size)
        for face in PIPS:
            yield f"die-{side}-{face}", Die(side, "0", "0", 0, "1", face, pips_of(face))
    for value in CUBES:
        yield f"cube-{value}", DrawnCube("0", "0", str(value))


@cache
def _sheet() -> Image.Image:
    with Image.open(SHEET) as sheet:
        return sheet.convert("RGBA")


def _middle(index: int) -> str:
    """The middle of a cell of the sheet."""
    row, column = divmod(index, IN_A_ROW)
    return f"{column * CELL + CELL // 2} {HEIGHT + row * CELL + CELL // 2}"


@cache
def _cell(name: str, turn: int, scale: float) -> Image.Image:
    """A piece out of the sheet, turned by so many degrees."""
    row, column = divmod(list(pieces()).index(name), IN_A_ROW)
    corner = column * CELL, HEIGHT + row * CELL
    cell = _sheet().crop((*corner, corner[0] + CELL, corner[1] + CELL))
    if turn:
        cell = cell.rotate(-turn, Image.Resampling.BICUBIC)
    if scale != 1:
        edge = round(CELL * scale)
        cell = cell.resize((edge, edge), Image.Resampling.LANCZOS)
    return cell


def _lay(
    image: Image.Image, name: str, x: float, y: float, turn: int = 0, scale: float = 1
) -> None:
    """Lay a piece on the board, its middle at a spot in the units of the board."""
    cell = _cell(name, turn, scale)
    corner = round(LEFT + x * SCALE - cell.width / 2), round(MARGIN + y * SCALE - cell.height / 2)
    image.alpha_composite(cell, corner)
