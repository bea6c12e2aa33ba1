"""The value of a game: at its end, on leaving the table, on resigning.

A game scores cube value x level; `Variant.outcome` gives the level of a finished board.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from backgammon.rules.errors import InvalidScore
from backgammon.rules.position import Position
from backgammon.rules.variant import Variant


def game_points(cube_value: int, level: int) -> int:
    """The points of a game: the cube's value times the level (0 in a draw).

    :raises InvalidScore: if the cube shows less than 1 or the level is negative.
    """
    if cube_value < 1 or level < 0:
        raise InvalidScore(f"cube {cube_value} x level {level} is no result of a game")
    return cube_value * level


def counted_level(level: int, *, jacoby: bool = False, double_taken: bool = False) -> int:
    """The level that counts: under the Jacoby rule 1 unless a double was taken in this game."""
    return min(level, 1) if jacoby and not double_taken else level


def leave_level(
    variant: Variant, position: Position, *, jacoby: bool = False, double_taken: bool = False
) -> int:
    """The largest level the player may still lose: the cost of leaving the table.

    `position` is seen by the player who leaves, as if they were to move, whichever side is on roll.
    Never too little: see `Variant.most_to_lose` for the reasons.

    :raises InvalidPosition: if the position cannot stand in this variant.
    """
    variant.check(position)
    return counted_level(most_to_lose(variant, position), jacoby=jacoby, double_taken=double_taken)


@lru_cache(maxsize=1024)  # a position comes up several times, and again after the roll
def most_to_lose(variant: Variant, position: Position) -> int:
    """`leave_level` where every level counts, of a position that came about by these rules."""
    return variant.most_to_lose(position)


def resignation_levels(
    variant: Variant,
    position: Position,
    *,
    refused_level: int = 0,
    jacoby: bool = False,
    double_taken: bool = False,
    decides: Callable[[int], bool] = lambda level: False,
) -> tuple[int, ...]:
    """The levels at which the player who sees `position` as mover may offer to resign.

    Nothing above the largest level they can still lose, nor above the first that `decides`: all
    higher ones give the opponent as much. And nothing up to `refused_level`, which the opponent
    has refused in this turn. An offer of the largest must be accepted. The position came about by
    these rules.
    """
    most = most_to_lose(variant, position)
    most = counted_level(most, jacoby=jacoby, double_taken=double_taken)
    most = next((level for level in variant.levels if level < most and decides(level)), most)
    return tuple([level for level in variant.levels if refused_level < level <= most])


def leave_points(
    cube_value: int,
    level: int,
    *,
    answers_double: bool = False,
    points_needed: int | None = None,
) -> int:
    """The points a leaver loses, capped in a match at what the opponent still needs.

    `cube_value` is the value before an unanswered double. A leaver who has a double to answer
    drops it (level 1); their own offer, if still unanswered, is void.
    """
    points = game_points(cube_value, 1 if answers_double else level)
    return points if points_needed is None else min(points, points_needed)
