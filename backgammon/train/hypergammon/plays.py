"""The plays of one side's three checkers, for every arrangement of the other side at once.

What the other side has on the board matters in two ways: a point it holds is closed (three
checkers hold one at most), and its blots are hit where a checker lands. So a play is kept with
the points it lands on: it is impossible if one of them is closed, and hits the blots on the rest.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

from backgammon.evaluation.hypergammon.arrangements import ALL, BAR, GONE, NUMBER, OFF

#: every roll, the higher die first, and how many of the 36 it stands for.
ROLLS: Final = tuple((a, b, 1 if a == b else 2) for a in range(1, 7) for b in range(1, a + 1))

#: a set of points as bits: point p of the player who moves is bit p.
Points = int

_BOARD: Final = (1 << BAR) - 2  # the points 1 to 24
_HOME: Final = 6


@dataclass(frozen=True, slots=True)
class PlayWay:
    """One play of a roll: the arrangement it leads to, where it may hit, and when it is legal.

    `closed_for` are the closed points with which it is illegal. `only_closed` is set if it is
    illegal without any closed point, because then more of the roll can be played.
    """

    after: int
    hits: Points
    closed_for: Points
    only_closed: bool = False


@cache
def steps(number: int, die: int) -> tuple[tuple[int, Points], ...]:
    """Where one die can lead: the arrangement and the point landed on (no bit if borne off)."""
    places = ALL[number]
    sources = {BAR} if places[2] == BAR else set(places) - {OFF}
    found = []
    for source in sources:
        target = source - die
        if target <= OFF:
            if places[2] > _HOME or (target < OFF and source < places[2]):
                continue
            target = OFF
        left = list(places)
        left.remove(source)
        first, second, third = sorted([*left, target])
        found.append((NUMBER[first, second, third], 1 << target if target else 0))
    return tuple(found)


def ways(number: int, roll: tuple[int, int]) -> tuple[PlayWay, ...]:
    """Every play of a roll, whatever the other side has.

    Plays that differ in the points landed on are different, also if they lead to the same place.
    """
    own = 0
    for place in ALL[number]:
        own |= 1 << place
    paths = _paths(number, roll)
    touched = 0
    for reached in paths:
        for _, _, landed in reached:
            touched |= landed
    legal = {0: _legal(paths, 0)}
    for point in range(1, BAR):
        if (touched & ~own) >> point & 1:
            legal[1 << point] = _legal(paths, 1 << point)
    always = legal[0]
    found = []
    for play in sorted(set().union(*legal.values())):
        after, landed = play
        closed = sum(point for point, plays in legal.items() if point and play not in plays)
        if play in always:
            found.append(PlayWay(after, landed & _BOARD & ~own, closed))
        else:
            rest = _BOARD & ~sum(point for point, plays in legal.items() if play in plays)
            found.append(PlayWay(after, landed & _BOARD & ~own, rest, only_closed=True))
    return tuple(found)


#: what some dice lead to: an arrangement, the first die that was played, the points landed on.
_Reached = set[tuple[int, int, Points]]


def _paths(number: int, roll: tuple[int, int]) -> list[_Reached]:
    """The arrangements reached with no die, one die, two … if no point is closed."""
    orders = [roll, roll[::-1]] if roll[0] != roll[1] else [(roll[0],) * 4]
    depths = [_Reached() for _ in range(len(orders[0]) + 1)]
    depths[0].add((number, 0, 0))
    for order in orders:
        reached: _Reached = {(number, 0, 0)}
        for depth, die in enumerate(order, start=1):
            reached = {
                (after, first or die, landed | point)
                for at, first, landed in reached
                for after, point in steps(at, die)
            }
            depths[depth] |= reached
    return depths


def _legal(paths: list[_Reached], closed: Points) -> set[tuple[int, Points]]:
    """The plays that use the most dice, or end the game; of one die the higher."""
    open_paths = [[path for path in reached if not path[2] & closed] for reached in paths]
    most = max(depth for depth, reached in enumerate(open_paths) if reached)
    best = open_paths[most]
    if most == 1:
        higher = max(first for _, first, _ in best)
        best = [path for path in best if path[1] == higher]
    over = [path for reached in open_paths[1:] for path in reached if path[0] == GONE]
    return {(after, landed) for after, _, landed in (*best, *over)}
