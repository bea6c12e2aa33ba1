"""Marks drawn over a board: arrows of moves, and the way that all checkers of a side go."""

from __future__ import annotations

from itertools import pairwise
from math import hypot
from typing import Final, Literal, NamedTuple

from backgammon.pictures.geometry import INNER, UNIT, Y_MID, Side, Spot, is_top, point_x
from backgammon.rules.position import Way

#: what an arrow means: the best or own play, a second one, the opponent's play, or a mistake
Kind = Literal["best", "second", "theirs", "wrong"]

HEAD: Final = 42
#: from the middle of the first point to where a way begins, beside its checkers
BESIDE: Final = 52
#: where the opponent's checkers begin at the turn, the way goes around them
OUTSIDE: Final = 58
#: rounded corners of a way
CORNER: Final = 60
#: how far the way of each side lies from the middle of the board
LANES: Final[dict[Side, float]] = {"me": INNER * 0.36, "op": INNER * 0.23}


class Mark(NamedTuple):
    """An arrow as SVG has it: the data of its line and of its head, and where its badge lies."""

    kind: str
    line: str
    head: str
    x: str
    y: str
    badge: str = ""


def number(value: float) -> str:
    """A coordinate as SVG has it, whatever the reader's language."""
    return f"{value:.1f}".removesuffix(".0")


def _at(spot: Spot) -> str:
    return f"{number(spot.x)} {number(spot.y)}"


def _head(end: Spot, before: Spot) -> tuple[str, Spot]:
    """The triangle that ends at `end`, and where the line stops that leads there."""
    length = hypot(end.x - before.x, end.y - before.y) or 1
    dx, dy = (end.x - before.x) / length, (end.y - before.y) / length
    base = Spot(end.x - dx * HEAD, end.y - dy * HEAD)
    wing = HEAD * 0.55
    left = Spot(base.x - dy * wing, base.y + dx * wing)
    right = Spot(base.x + dy * wing, base.y - dx * wing)
    return f"M{_at(end)}L{_at(left)}L{_at(right)}Z", Spot(
        end.x - dx * HEAD * 0.8, end.y - dy * HEAD * 0.8
    )


def arrow(start: Spot, end: Spot, kind: str = "best", badge: str = "") -> Mark:
    """An arrow from spot to spot, bent towards the middle of the board."""
    half = Spot((start.x + end.x) / 2, (start.y + end.y) / 2)
    length = hypot(end.x - start.x, end.y - start.y) or 1
    bend = min(length * 0.25, 130)
    normal = Spot((end.y - start.y) / length, -(end.x - start.x) / length)
    towards = Spot(half.x + normal.x * bend, half.y + normal.y * bend)
    away = Spot(half.x - normal.x * bend, half.y - normal.y * bend)
    control = min(towards, away, key=lambda spot: (abs(spot.y - Y_MID), spot.x))
    head, stop = _head(end, control)
    middle = Spot((start.x + 2 * control.x + stop.x) / 4, (start.y + 2 * control.y + stop.y) / 4)
    line = f"M{_at(start)}Q{_at(control)} {_at(stop)}"
    return Mark(kind, line, head, number(middle.x), number(middle.y), badge)


def route(side: Side, way: Way) -> Mark:
    """The way of a side's checkers from its 24 to its 1, around one end of the board.

    The drawing has the viewer's numbers, so the opponent's points are the `way` across.
    """
    points = list(range(24, 0, -1))
    if side == "op":
        points = [way.across(point) for point in points]
    lane = LANES[side]
    spots = [Spot(point_x(p), Y_MID - lane if is_top(p) else Y_MID + lane) for p in points]
    turn = next(before for before, after in pairwise(spots) if before.y != after.y)
    out = 1 if turn.x > spots[0].x else -1
    start = Spot(spots[0].x + out * BESIDE, spots[0].y)
    end = Spot(spots[-1].x + out * BESIDE, spots[-1].y)
    down = 1 if end.y > start.y else -1
    inset = turn.x - out * (LANES["me"] - lane)
    if way is Way.HALF and side == "me":
        inset = turn.x + out * OUTSIDE
    head, stop = _head(end, Spot(end.x + out * UNIT, end.y))
    line = (
        f"M{_at(start)}L{_at(Spot(inset - out * CORNER, start.y))}"
        f"Q{_at(Spot(inset, start.y))} {_at(Spot(inset, start.y + down * CORNER))}"
        f"L{_at(Spot(inset, end.y - down * CORNER))}"
        f"Q{_at(Spot(inset, end.y))} {_at(Spot(inset - out * CORNER, end.y))}L{_at(stop)}"
    )
    return Mark("best" if side == "me" else "theirs", line, head, number(start.x), number(start.y))
