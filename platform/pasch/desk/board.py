"""A position drawn by the server as SVG, for pages that must work without any script.

Seat 0 sits below, its home board on the right. Lengths are units of the drawing: a point is 40
wide, the board 580 by 420; the template (templates/desk/board.html) turns the values into shapes.
"""

from dataclasses import dataclass
from typing import Final

from backgammon.rules.position import POINTS, Position

STEP: Final = 40
RADIUS: Final = 18
WIDTH: Final = 14 * STEP + 20
HEIGHT: Final = 420
STACK_MAX: Final = 5
_BAR_X: Final = 6 * STEP + STEP // 2
_OFF_X: Final = 13 * STEP + STEP // 2 + 10


@dataclass(frozen=True, slots=True)
class DrawnChecker:
    """One drawn checker: its middle, whose it is, and a number where it stands for a stack."""

    x: int
    y: int
    seat: int
    count: str = ""


@dataclass(frozen=True, slots=True)
class Triangle:
    """One point: its number, its shape, and where the number is written."""

    number: int
    shape: str
    dark: bool
    x: int
    label_y: int


@dataclass(frozen=True, slots=True)
class BoardDrawing:
    """All that is drawn of a position."""

    triangles: tuple[Triangle, ...]
    checkers: tuple[DrawnChecker, ...]
    width: int = WIDTH
    height: int = HEIGHT
    radius: int = RADIUS


def board_drawing(position: Position) -> BoardDrawing:
    """Draw a position given in seat 0's numbering."""
    checkers: list[DrawnChecker] = []
    for number in range(1, POINTS + 1):
        checkers += _stack(position, number)
    for seat in (0, 1):
        checkers += _tray(_BAR_X, 150 if seat else HEIGHT - 150, seat, position.bar[seat])
        checkers += _tray(_OFF_X, 60 if seat else HEIGHT - 60, seat, position.off[seat])
        checkers += _tray(_BAR_X, 100 if seat else HEIGHT - 100, seat, position.hand[seat])
    triangles = tuple(_triangle(number) for number in range(1, POINTS + 1))
    return BoardDrawing(triangles, tuple(checkers))


def _triangle(number: int) -> Triangle:
    x = _x(number)
    left, right = x - STEP // 2, x + STEP // 2
    if number <= POINTS // 2:
        shape = f"M{left} {HEIGHT - 20}L{x} {HEIGHT - 190}L{right} {HEIGHT - 20}z"
        return Triangle(number, shape, number % 2 == 0, x, HEIGHT - 6)
    shape = f"M{left} 20L{x} 190L{right} 20z"
    return Triangle(number, shape, number % 2 == 0, x, 14)


def _x(number: int) -> int:
    column = POINTS // 2 - number if number <= POINTS // 2 else number - POINTS // 2 - 1
    return column * STEP + STEP // 2 + (STEP if column >= 6 else 0)


def _stack(position: Position, number: int) -> list[DrawnChecker]:
    count = position.points[number - 1]
    seat = 0 if count > 0 else 1
    pinned = number in position.pinned
    stack = [1 - seat] if pinned else []
    stack += [seat] * abs(count)
    drawn = stack[:STACK_MAX]
    more = f"{abs(count)}" if len(stack) > STACK_MAX else ""
    return [
        DrawnChecker(_x(number), _y(number, depth), owner, more if depth == len(drawn) - 1 else "")
        for depth, owner in enumerate(drawn)
    ]


def _y(number: int, depth: int) -> int:
    away = 20 + RADIUS + 1 + depth * 2 * RADIUS
    return HEIGHT - away if number <= POINTS // 2 else away


def _tray(x: int, y: int, seat: int, count: int) -> list[DrawnChecker]:
    return [DrawnChecker(x, y, seat, str(count) if count > 1 else "")] if count else []
