"""A position as a picture: every checker, number, die and arrow with its place.

`picture` takes a position in its mover's view, as the rules have it. The viewer is the mover
unless `turned`; the viewer's checkers are always the light ones. All points that are passed in
(arrows, labels) have the mover's numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, Literal, NamedTuple

from backgammon.pictures.geometry import (
    DIE,
    FRAME,
    HEIGHT,
    WIDTH,
    X_BAR,
    X_LEFT,
    X_RIGHT,
    Y_MID,
    Side,
    Spot,
    bar_spot,
    cube_spot,
    die_spot,
    is_top,
    point_x,
    stack_spot,
    tray_middle,
    tray_slot,
)
from backgammon.pictures.marks import Mark, arrow, number, route
from backgammon.rules.moves import BAR, OFF, Move
from backgammon.rules.position import Position, Way

#: what of the board is shown; "near" is the viewer's row, "home-bar" their home and the bar
Part = Literal["all", "right", "left", "near", "home", "home-bar", "outer", "far-home", "far-outer"]

_HALF: Final = 6 * 100 + 12
VIEW_BOXES: Final[dict[Part, tuple[float, float, float, float]]] = {
    "all": (0, 0, WIDTH, HEIGHT),
    "right": (X_RIGHT - 6, 0, _HALF, HEIGHT),
    "left": (X_LEFT - 6, 0, _HALF, HEIGHT),
    "near": (X_LEFT - 6, Y_MID, X_RIGHT - X_LEFT + _HALF, HEIGHT / 2),
    "home-bar": (X_BAR, Y_MID, X_RIGHT - X_BAR + _HALF - 6, HEIGHT / 2),
    "home": (X_RIGHT - 6, Y_MID, _HALF, HEIGHT / 2),
    "outer": (X_LEFT - 6, Y_MID, _HALF, HEIGHT / 2),
    "far-home": (X_RIGHT - 6, 0, _HALF, HEIGHT / 2),
    "far-outer": (X_LEFT - 6, 0, _HALF, HEIGHT / 2),
}
#: how far a checker, a die, the cube or a number reaches from its middle, at most
REACH: Final = 60
#: the most checkers of a stack that are not counted
UNCOUNTED: Final = {True: 3, False: 5}
#: where the pips of a die lie, in thirds from its middle
PIPS: Final = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


class Arrow(NamedTuple):
    """An arrow for one checker: 25 is the bar or the hand, 0 the tray.

    `badge` is one or two characters in a circle on it, as the die or the number of the move.
    """

    source: int
    target: int
    badge: str = ""
    kind: str = "best"


class Label(NamedTuple):
    """The number, or another short text, on the frame beside a point."""

    x: str
    y: str
    text: str
    hot: bool = False


class Checker(NamedTuple):
    """A checker; `stack` is how many lie in it if it is too large to be counted by eye."""

    side: Side
    x: str
    y: str
    stack: int | None = None


class Slab(NamedTuple):
    """A checker in a tray, seen from its edge; at `x` and `y` is its upper left corner."""

    side: Side
    x: str
    y: str
    width: str
    height: str


class Die(NamedTuple):
    """A die with its pips; `turn` is in degrees."""

    side: Side
    x: str
    y: str
    turn: int
    scale: str
    face: int
    pips: tuple[tuple[str, str], ...]


class DrawnCube(NamedTuple):
    """The doubling cube; at 1 it shows 64, as a wooden one does."""

    x: str
    y: str
    text: str


@dataclass(frozen=True, slots=True)
class Picture:
    """Everything on a drawn board but the board itself. Coordinates are text, as SVG has them."""

    view_box: str
    width: str
    height: str
    labels: tuple[Label, ...]
    checkers: tuple[Checker, ...]
    pinned: tuple[tuple[str, str], ...]
    slabs: tuple[Slab, ...]
    dice: tuple[Die, ...]
    cube: DrawnCube | None
    arrows: tuple[Mark, ...]


def picture(
    position: Position,
    way: Way,
    *,
    turned: bool = False,
    dice: Sequence[int] = (),
    cube: int | None = None,
    cube_owner: Side | None = None,
    arrows: Sequence[Arrow] = (),
    directions: bool = False,
    labels: Mapping[int, str] | None = None,
    part: Part = "all",
) -> Picture:
    """A position drawn for one player.

    `labels` replaces the numbers of single points (in the mover's numbers; "" leaves one out).
    `directions` draws the ways of both sides. The dice are the mover's. What lies wholly outside
    of the `part` is left out.
    """
    seen = position.turned(way) if turned else position
    view_box = tuple(map(number, VIEW_BOXES[part]))
    texts = {way.across(p) if turned else p: text for p, text in (labels or {}).items()}
    marks = tuple(_arrows(position, way, arrows, turned))
    if directions:
        marks = (route("me", way), route("op", way), *marks)
    within = partial(_within, VIEW_BOXES[part])
    thrown = (_die("op" if turned else "me", dice, index) for index in range(len(dice)))
    lying = _cube(cube, cube_owner)
    return Picture(
        view_box=" ".join(view_box),
        width=view_box[2],
        height=view_box[3],
        labels=tuple(filter(within, _labels(texts))),
        checkers=tuple(filter(within, _checkers(seen))),
        pinned=tuple(_pinned(seen)),
        slabs=tuple(filter(within, _slabs(seen))),
        dice=tuple(filter(within, thrown)),
        cube=lying if lying and within(lying) else None,
        arrows=marks,
    )


def _within(
    view_box: tuple[float, float, float, float], each: Label | Checker | Slab | Die | DrawnCube
) -> bool:
    """Whether a part of this may be seen in the view box."""
    x, y, width, height = view_box
    near = x - REACH <= float(each.x) <= x + width + REACH
    return near and y - REACH <= float(each.y) <= y + height + REACH


def moves_as_arrows(moves: Sequence[Move]) -> tuple[Arrow, ...]:
    """One arrow for each move of a play, with its die."""
    return tuple(Arrow(move.source, move.target, str(move.die)) for move in moves)


def _labels(texts: Mapping[int, str]) -> list[Label]:
    found = []
    for point in range(1, 25):
        y = FRAME - 16 if is_top(point) else HEIGHT - FRAME + 32
        text = texts.get(point, str(point))
        if text:
            found.append(Label(number(point_x(point)), number(y), text, point in texts))
    return found


def _checkers(seen: Position) -> list[Checker]:
    found: list[Checker] = []
    for point, count in enumerate(seen.points, start=1):
        side, other = _sides(count)
        lift = 1 if point in seen.pinned else 0
        if lift:
            found.append(_checker(other, stack_spot(point, 0, abs(count) + 1)))
        stack = [stack_spot(point, i + lift, abs(count) + lift) for i in range(abs(count))]
        found.extend(_stack(side, stack, UNCOUNTED[False]))
    bars: tuple[Side, Side] = ("me", "op")
    for side, count in zip(bars, seen.bar, strict=True):
        stack = [bar_spot(side, index, count) for index in range(count)]
        found.extend(_stack(side, stack, UNCOUNTED[True]))
    return found


def _sides(count: int) -> tuple[Side, Side]:
    """The side on top of a point with so many checkers, and the other one."""
    return ("me", "op") if count > 0 else ("op", "me")


def _stack(side: Side, spots: list[Spot], uncounted: int) -> list[Checker]:
    counted = len(spots) if len(spots) > uncounted else None
    return [
        _checker(side, spot, counted if index == len(spots) - 1 else None)
        for index, spot in enumerate(spots)
    ]


def _checker(side: Side, spot: Spot, count: int | None = None) -> Checker:
    return Checker(side, number(spot.x), number(spot.y), count)


def _pinned(seen: Position) -> list[tuple[str, str]]:
    spots = (stack_spot(point, 0, abs(seen.points[point - 1]) + 1) for point in seen.pinned)
    return [(number(spot.x), number(spot.y)) for spot in spots]


def _slabs(seen: Position) -> list[Slab]:
    sides: tuple[Side, Side] = ("me", "op")
    found = []
    for side, off, hand in zip(sides, seen.off, seen.hand, strict=True):
        for index in range(off + hand):
            box = tray_slot(side, index)
            found.append(Slab(side, *map(number, box)))
    return found


def _die(side: Side, dice: Sequence[int], index: int) -> Die:
    spot, size, turn = die_spot(side, index, len(dice))
    scale, face = f"{size / DIE:.2g}", dice[index]
    return Die(side, number(spot.x), number(spot.y), turn, scale, face, pips_of(face))


def pips_of(face: int) -> tuple[tuple[str, str], ...]:
    """Return where the pips of a face lie, from the middle of the die."""
    return tuple((number(x * 22.3), number(y * 22.3)) for x, y in PIPS[face])


def _cube(value: int | None, owner: Side | None) -> DrawnCube | None:
    if value is None:
        return None
    spot, _size = cube_spot(owner)
    return DrawnCube(number(spot.x), number(spot.y), str(64 if value == 1 else value))


def _arrows(position: Position, way: Way, arrows: Sequence[Arrow], turned: bool) -> list[Mark]:
    """The arrows, each from the top of its stack as the ones before of its play have left it.

    What was played, and every play to try, begins on the whole position.
    """
    boards: dict[str, _Board] = {}
    found = []
    for each in arrows:
        play = each.kind if each.kind == "played" or each.kind.startswith("try") else ""
        board = boards.setdefault(play, _Board(position, way, turned))
        spots = board.carry(each.source, each.target, each.kind)
        found.append(arrow(*spots, each.kind, each.badge))
    return found


class _Board:
    """How many checkers of each side lie on each place while arrows are followed."""

    def __init__(self, position: Position, way: Way, turned: bool) -> None:
        self.way = way
        self.turned = turned
        self.pinned = set(position.pinned)
        self.own = dict(enumerate((0, *position.points)))
        self.bar = position.bar[0]
        self.hand = position.hand[0]

    def carry(self, source: int, target: int, kind: str) -> tuple[Spot, Spot]:
        """Where a checker starts and where it comes to lie; the mover's unless it is "theirs"."""
        sign = -1 if kind == "theirs" else 1
        start = self._top(source, sign)
        if 1 <= source <= 24 and self.own[source] * sign > 0:
            self.own[source] -= sign
        elif source == BAR and self.bar and sign > 0:
            self.bar -= 1
        if target != OFF and 1 <= target <= 24:
            same = self.own[target] * sign >= 0
            self.own[target] = self.own[target] + sign if same else sign
        return start, self._top(target, sign)

    def _top(self, place: int, sign: int) -> Spot:
        side: Side = "me" if (sign > 0) != self.turned else "op"
        if place == OFF or (place == BAR and not self.bar and self.hand):
            return tray_middle(side)
        if place == BAR:
            return bar_spot(side, max(self.bar - 1, 0), max(self.bar, 1))
        count = max(abs(self.own[place]), 1)
        lift = 1 if place in self.pinned else 0
        point = self.way.across(place) if self.turned else place
        return stack_spot(point, count - 1 + lift, count + lift)
