"""The empty board: its points, trays and grain, as `static/board/scenery.js` draws them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from games.pictures.geometry import (
    HEIGHT,
    LENGTH,
    SLOTS,
    UNIT,
    WIDTH,
    Y_BOTTOM,
    Y_TOP,
    Box,
    is_top,
    point_x,
    tray_slot,
)
from games.pictures.marks import number

GRAIN_LINES: Final = 40


class Wedge(NamedTuple):
    """A point of the board: the colour "a" or "b", its outline and its bevel."""

    colour: str
    outline: str
    bevel: str


class Grain(NamedTuple):
    """A line of the wood."""

    line: str
    opacity: str


class EmptyBoard(NamedTuple):
    """The shapes drawn under all checkers."""

    wedges: tuple[Wedge, ...]
    slots: tuple[tuple[str, ...], ...]
    grain: tuple[Grain, ...]


@cache
def empty_board() -> EmptyBoard:
    """The board without checkers and numbers."""
    boxes: list[Box] = [tray_slot("me", i) for i in range(SLOTS)]
    boxes += [tray_slot("op", i) for i in range(SLOTS)]
    return EmptyBoard(
        tuple(_wedge(point) for point in range(1, 25)),
        tuple(tuple(map(number, box)) for box in boxes),
        tuple(_grain()),
    )


def _wedge(point: int) -> Wedge:
    x = point_x(point)
    sign = 1 if is_top(point) else -1
    base = Y_TOP + 3 if is_top(point) else Y_BOTTOM - 3
    wing, tip = UNIT / 2 - 4, base + sign * LENGTH
    n = number
    outline = (
        f"M{n(x - wing)} {n(base)}L{n(x + wing)} {n(base)}L{n(x + 2.5)} {n(tip)}"
        f"Q{n(x)} {n(tip + sign * 7)} {n(x - 2.5)} {n(tip)}Z"
    )
    rim, top = base + sign * 6, tip - sign * 74
    bevel = f"M{n(x - wing + 13)} {n(rim)}L{n(x)} {n(top)}L{n(x + wing - 13)} {n(rim)}"
    return Wedge("a" if point % 2 else "b", outline, bevel)


def _grain() -> Iterator[Grain]:
    state = 41

    def share() -> float:
        nonlocal state
        state = state * 16807 % 2147483647
        return state / 2147483647

    n = number
    for _line in range(GRAIN_LINES):
        y, bend = share() * HEIGHT, 6 + share() * 14
        line = (
            f"M-20 {n(y)}C{n(WIDTH * 0.25)} {n(y + bend)} {n(WIDTH * 0.4)} {n(y - bend * 1.4)}"
            f" {n(WIDTH * 0.55)} {n(y + (share() - 0.5) * bend)}"
            f"S{n(WIDTH * 0.85)} {n(y + bend)} {n(WIDTH + 20)} {n(y + (share() - 0.5) * 30)}"
        )
        yield Grain(line, f"{0.05 + share() * 0.15:.2f}")
