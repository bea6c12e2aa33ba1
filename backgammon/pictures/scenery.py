"""The empty board: its points, trays and grain, as `static/board/scenery.js` draws them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from backgammon.pictures.geometry import (
    HEIGHT,
    LENGTH,
    SLOTS,
    UNIT,
    WIDTH,
    Y_BOTTOM,
    Y_TOP,
    Box,
    Side,
    is_top,
    point_x,
    tray_slot,
)
from backgammon.pictures.marks import number

GRAIN_LINES: Final = 40
#: how strong the lines of the grain are; those of one strength are one path
GRAIN_OPACITIES: Final = (0.07, 0.11, 0.15, 0.19)
SIDES: Final[tuple[Side, ...]] = ("me", "op")
#: the radius of a slot's corners
CORNER: Final = 4


class Points(NamedTuple):
    """The six points of one colour ("a" or "b") in a row: a gradient goes over its whole path."""

    colour: str
    outline: str


class Grain(NamedTuple):
    """The lines of the wood that are equally strong."""

    lines: str
    opacity: str


class EmptyBoard(NamedTuple):
    """The shapes drawn under all checkers, as few paths: each is copied into every drawn board."""

    points: tuple[Points, ...]
    bevels: str
    slots: str
    grain: tuple[Grain, ...]


@cache
def empty_board() -> EmptyBoard:
    """The board without checkers and numbers."""
    boxes = [tray_slot(side, i) for side in SIDES for i in range(SLOTS)]
    rows = [range(first, first + 12, 2) for first in (1, 2, 13, 14)]
    return EmptyBoard(
        points=tuple(
            Points("a" if row[0] % 2 else "b", "".join(map(_outline, row))) for row in rows
        ),
        bevels="".join(map(_bevel, range(1, 25))),
        slots="".join(map(_rounded, boxes)),
        grain=tuple(_grain()),
    )


def _base_and_tip(point: int) -> tuple[float, float, int]:
    """The heights at which a point begins and ends, and which way it goes: 1 is down."""
    sign = 1 if is_top(point) else -1
    base = Y_TOP + 3 if is_top(point) else Y_BOTTOM - 3
    return base, base + sign * LENGTH, sign


def _outline(point: int) -> str:
    x, wing, n = point_x(point), UNIT / 2 - 4, number
    base, tip, sign = _base_and_tip(point)
    return (
        f"M{n(x - wing)} {n(base)}L{n(x + wing)} {n(base)}L{n(x + 2.5)} {n(tip)}"
        f"Q{n(x)} {n(tip + sign * 7)} {n(x - 2.5)} {n(tip)}Z"
    )


def _bevel(point: int) -> str:
    x, wing, n = point_x(point), UNIT / 2 - 17, number
    base, tip, sign = _base_and_tip(point)
    rim, top = base + sign * 6, tip - sign * 74
    return f"M{n(x - wing)} {n(rim)}L{n(x)} {n(top)}L{n(x + wing)} {n(rim)}"


def _rounded(box: Box) -> str:
    """A slot's outline with round corners."""
    n, r = number, CORNER
    width, height = n(box.width - 2 * r), n(box.height - 2 * r)
    return (
        f"M{n(box.x + r)} {n(box.y)}h{width}a{r} {r} 0 0 1 {r} {r}v{height}a{r} {r} 0 0 1 -{r} {r}"
        f"h-{width}a{r} {r} 0 0 1 -{r} -{r}v-{height}a{r} {r} 0 0 1 {r} -{r}"
    )


def _grain() -> Iterator[Grain]:
    state = 41

    def share() -> float:
        nonlocal state
        state = state * 16807 % 2147483647
        return state / 2147483647

    n = number
    lines = dict.fromkeys(GRAIN_OPACITIES, "")
    for _line in range(GRAIN_LINES):
        y, bend = share() * HEIGHT, 6 + share() * 14
        line = (
            f"M-20 {n(y)}C{n(WIDTH * 0.25)} {n(y + bend)} {n(WIDTH * 0.4)} {n(y - bend * 1.4)}"
            f" {n(WIDTH * 0.55)} {n(y + (share() - 0.5) * bend)}"
            f"S{n(WIDTH * 0.85)} {n(y + bend)} {n(WIDTH + 20)} {n(y + (share() - 0.5) * 30)}"
        )
        lines[GRAIN_OPACITIES[int(share() * len(GRAIN_OPACITIES))]] += line
    for opacity, drawn in lines.items():
        yield Grain(drawn, f"{opacity:.2f}")
