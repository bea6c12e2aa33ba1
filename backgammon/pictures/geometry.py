"""Where everything on a drawn board lies: the wide layout of `static/board/geometry.js`.

A unit is a hundredth of a point's width. The viewer's home is at the right. A test compares the
numbers with those of the script.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

#: whose thing it is: the viewer's or the opponent's
Side = Literal["me", "op"]

UNIT: Final = 100
SLOTS: Final = 15
FRAME: Final = 50
BAR: Final = 108
CUBE_TRAY: Final = 132
OFF_TRAY: Final = 150
RAIL: Final = 22
INNER: Final = 1040
LENGTH: Final = 436
DIE: Final = 84
RADIUS: Final = 46.6
STACK_BEYOND: Final = 18

WIDTH: Final = 2 * FRAME + CUBE_TRAY + OFF_TRAY + 2 * RAIL + 12 * UNIT + BAR
HEIGHT: Final = 2 * FRAME + INNER
X_LEFT: Final = FRAME + CUBE_TRAY + RAIL
X_BAR: Final = X_LEFT + 6 * UNIT
X_RIGHT: Final = X_BAR + BAR
X_OFF: Final = WIDTH - FRAME - OFF_TRAY
Y_TOP: Final = FRAME
Y_MID: Final = FRAME + INNER / 2
Y_BOTTOM: Final = FRAME + INNER
TRAY_HEIGHT: Final = INNER * 0.43
#: from the middle of the board to the first checker on the bar
BAR_FIRST: Final = 120
#: distance of neighbours in a stack with room
PITCH: Final = 2 * RADIUS + 1.4


class Spot(NamedTuple):
    """A place on the drawing, in units from its upper left corner."""

    x: float
    y: float


class Box(NamedTuple):
    """A rectangle on the drawing: its upper left corner and its size, in units."""

    x: float
    y: float
    width: float
    height: float


def is_top(point: int) -> bool:
    """Whether a point lies in the upper row."""
    return point > 12


def point_x(point: int) -> float:
    """The middle of a point's column."""
    column = 12 - point if point <= 12 else point - 13
    return (X_LEFT if column < 6 else X_RIGHT - 6 * UNIT) + column * UNIT + UNIT / 2


def stack_spot(point: int, index: int, count: int) -> Spot:
    """The centre of checker `index` (0 at the frame) in a stack of `count` on a point."""
    count = max(count, index + 1)
    pitch = PITCH
    if count > 1:
        pitch = min(PITCH, (LENGTH + STACK_BEYOND - 2 * RADIUS) / (count - 1))
    away = RADIUS + 8 + index * pitch
    return Spot(point_x(point), Y_TOP + away if is_top(point) else Y_BOTTOM - away)


def bar_spot(side: Side, index: int, count: int) -> Spot:
    """The centre of a checker on the bar; the viewer's wait in the upper half."""
    room = INNER / 2 - BAR_FIRST - RADIUS - 8
    step = min(PITCH, room / (count - 1)) if count > 1 else 0
    away = BAR_FIRST + index * step
    return Spot(X_BAR + BAR / 2, Y_MID - away if side == "me" else Y_MID + away)


def tray(side: Side) -> Box:
    """The tray of a side's checkers that are off, or not yet entered."""
    return Box(X_OFF, Y_BOTTOM - TRAY_HEIGHT if side == "me" else Y_TOP, OFF_TRAY, TRAY_HEIGHT)


def tray_slot(side: Side, index: int) -> Box:
    """The slot `index` of a side's tray."""
    box = tray(side)
    step = (box.height - 9) / SLOTS
    y = box.y + 6 + index * step
    if side == "me":
        y = box.y + box.height - 6 - (index + 1) * step
    return Box(box.x + 12, y + 1, box.width - 24, step - 3)


def tray_middle(side: Side) -> Spot:
    """Where an arrow to or from a tray ends."""
    box = tray(side)
    return Spot(box.x + box.width / 2, box.y + box.height / 2)


def die_spot(side: Side, index: int, count: int) -> tuple[Spot, float, int]:
    """The centre, the edge and the turn (in degrees) of die `index` of `count`."""
    size = DIE * (0.78 if count > 2 else 1)
    centre = X_RIGHT + 46 + count * size * 0.62 if side == "me" else X_LEFT + 3 * UNIT
    return (
        Spot(centre + (index - (count - 1) / 2) * size * 1.24, Y_MID),
        size,
        3 if index % 2 else -4,
    )


def cube_spot(owner: Side | None) -> tuple[Spot, float]:
    """The centre and the edge of the cube: on the middle of the bar until somebody owns it."""
    if owner is None:
        return Spot(X_BAR + BAR / 2, Y_MID), 96
    y = Y_BOTTOM - 84 if owner == "me" else Y_TOP + 84
    return Spot(FRAME + CUBE_TRAY / 2, y), 96
