"""Every way to place one side's three checkers, numbered.

A side sees its own checkers on 0 (off), 1 to 24 and 25 (bar), rising. The arrangements that hold
no point come first, then those that hold one (with two or three checkers), point by point and 26
for each: the rolls of the other side depend on that point alone.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement
from typing import Final

from backgammon.rules.position import Position

Arrangement = tuple[int, int, int]

OFF: Final = 0
BAR: Final = 25
CHECKERS: Final = 3


def held(arrangement: Arrangement) -> int:
    """The point that two or three checkers hold; 0 for none, as three checkers hold one at most."""
    first, second, third = arrangement
    if first == second and OFF < first < BAR:
        return first
    return second if second == third and OFF < second < BAR else 0


ALL: Final[tuple[Arrangement, ...]] = tuple(
    sorted(combinations_with_replacement(range(26), CHECKERS), key=lambda each: (held(each), each))
)

COUNT: Final = len(ALL)

#: how many hold no point.
LOOSE: Final = sum(not held(each) for each in ALL)

NUMBER: Final = {arrangement: number for number, arrangement in enumerate(ALL)}

#: the arrangement with all checkers off.
GONE: Final = NUMBER[OFF, OFF, OFF]


def level(loser: Arrangement) -> int:
    """The level of a lost game: 1, 2 for a gammon, 3 for a backgammon.

    The winner's home begins at the loser's point 19.
    """
    if loser[0] == OFF:
        return 1
    return 3 if loser[2] >= 19 else 2


def numbers_of(position: Position) -> tuple[int, int]:
    """The numbers of the mover's and the opponent's arrangement."""
    mine = [OFF] * position.off[0] + [BAR] * position.bar[0]
    theirs = [OFF] * position.off[1] + [BAR] * position.bar[1]
    for point, count in enumerate(position.points, start=1):
        if count > 0:
            mine += [point] * count
        elif count:
            theirs += [25 - point] * -count
    return _number(mine), _number(theirs)


def _number(places: list[int]) -> int:
    first, second, third = sorted(places)
    return NUMBER[first, second, third]


@cache
def position_of(mine: int, theirs: int) -> Position:
    """The position of two arrangements."""
    points = [0] * 24
    for place in ALL[mine]:
        if OFF < place < BAR:
            points[place - 1] += 1
    for place in ALL[theirs]:
        if OFF < place < BAR:
            points[24 - place] -= 1
    return Position(
        tuple(points),
        (ALL[mine].count(BAR), ALL[theirs].count(BAR)),
        (ALL[mine].count(OFF), ALL[theirs].count(OFF)),
    )


def may_meet(mine: int, theirs: int) -> bool:
    """Whether the two can stand against each other: no point is shared, and one side plays on."""
    shared = {25 - place for place in ALL[theirs] if OFF < place < BAR} & set(ALL[mine])
    return not shared and not mine == theirs == GONE
