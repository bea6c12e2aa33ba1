"""A position as one integer, the form in which plays are searched.

One byte ("lane") a point: the low half counts the mover's checkers, the high half the opponent's.
Lane 0 holds the checkers borne off, lanes 1..24 the points, 25 the bar, 26 the hand. A move is one
addition, two positions are equal when their integers are, and turning the integer back into a
`Position` is a byte-wise translation. The mover's own *pinned* checkers cannot move in this turn;
they are kept apart, as a set of bits (bit p = point p), and so are not counted in any lane.
"""

from __future__ import annotations

from collections.abc import Iterable
from struct import Struct

from backgammon.rules.position import Position

LANES = 27
OFF_LANE, BAR_LANE, HAND_LANE = 0, 25, 26

_POINTS = Struct("24b")
_TO_LANE = bytes((n & 15) if n < 128 else ((256 - n) & 15) << 4 for n in range(256))
_FROM_LANE = bytes((b & 15) if b & 15 else -(b >> 4) & 255 for b in range(256))
_IS_SHARED = bytes(b > 15 and b & 15 > 0 for b in range(256))


def own_unit(lane: int) -> int:
    """One checker of the mover in this lane."""
    return 1 << 8 * lane


def own_mask(lane: int) -> int:
    """All bits that count the mover's checkers in this lane."""
    return 15 << 8 * lane


def opposing_unit(lane: int) -> int:
    """One checker of the opponent in this lane."""
    return 16 << 8 * lane


def opposing_mask(lane: int) -> int:
    """All bits that count the opponent's checkers in this lane."""
    return 240 << 8 * lane


def own_lanes(low: int, high: int) -> int:
    """The mover's bits of the lanes low..high, both included."""
    return sum(own_mask(lane) for lane in range(low, high + 1))


_OWN_POINTS = own_lanes(1, 24)


def held_points(board: int) -> int:
    """The points on which the mover has a checker that can move, as `point_bits` writes them.

    Adding 15 to a count carries into the next bit unless the count is 0.
    """
    return ((board & _OWN_POINTS) + _OWN_POINTS) & _POINT_BITS


def point_bits(points: Iterable[int]) -> int:
    """A set of points, comparable with `held_points`: one bit in each point's lane."""
    return sum(16 << 8 * point for point in points)


_POINT_BITS = point_bits(range(1, 25))


def pack(position: Position) -> tuple[int, int]:
    """A position as (board, trapped): the integer above and the bits of own pinned checkers."""
    trays = [mine | his << 4 for mine, his in (position.off, position.bar, position.hand)]
    body = _POINTS.pack(*position.points).translate(_TO_LANE)
    board = int.from_bytes(bytes((trays[0],)) + body + bytes(trays[1:]), "little")
    trapped = 0
    for point in position.pinned:
        if position.points[point - 1] > 0:
            board += opposing_unit(point)
        else:
            trapped |= 1 << point
    return board, trapped


def unpack(board: int, trapped: int = 0, *, pins: bool = False) -> Position:
    """The position of a board integer; with `pins`, a shared point means a pinned checker."""
    lanes = board.to_bytes(LANES, "little")
    points = _POINTS.unpack(lanes[1:25].translate(_FROM_LANE))
    off, bar, hand = lanes[0], lanes[25], lanes[26]
    pinned: tuple[int, ...] = ()
    if pins:
        shared = lanes[:25].translate(_IS_SHARED)
        if trapped or 1 in shared:
            pinned = tuple(p for p in range(1, 25) if trapped >> p & 1 or shared[p])
    return Position(
        points, (bar & 15, bar >> 4), (off & 15, off >> 4), (hand & 15, hand >> 4), pinned
    )
