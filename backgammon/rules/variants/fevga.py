"""Fevga, the Greek running game; the third game of Tavli."""

from __future__ import annotations

from backgammon.rules.families import Blocking
from backgammon.rules.movement import StepRule
from backgammon.rules.naming import gettext_noop
from backgammon.rules.packed import (
    OFF_LANE,
    held_points,
    opposing_mask,
    own_lanes,
    own_mask,
    point_bits,
)
from backgammon.rules.position import Way
from backgammon.rules.search import BoardRule
from backgammon.rules.variant import Turn

_RUNNER_IS_PAST = own_lanes(1, 11) | own_mask(OFF_LANE)
_IN_FRONT_OF = [own_lanes(12, source - 1) for source in range(25)]
_START_QUARTER = point_bits(range(19, 25))


class Fevga(Blocking):
    """One runner must pass the opponent's start before anyone else may leave."""

    key = "fevga"
    name = gettext_noop("Fevga")

    def step_rules(self, turn: Turn) -> list[StepRule]:
        return [_runner_first, _start_quarter_stays_open]

    def end_rule(self, turn: Turn) -> BoardRule | None:
        return lock_rule(turn.board)


def _runner_first(board: int, source: int, target: int, after: int) -> bool:
    """Until an own checker has passed the opponent's start only the front-most one moves."""
    return bool(board & _RUNNER_IS_PAST) or not board & _IN_FRONT_OF[source]


def _start_quarter_stays_open(board: int, source: int, target: int, after: int) -> bool:
    """No move may leave all six points of the own starting quarter occupied."""
    return held_points(after) & _START_QUARTER != _START_QUARTER


def lock_rule(start: int) -> BoardRule | None:
    """Drops results with all opposing checkers on one point and six own points right before it.

    None if the opponent's checkers are not gathered or too close to the end of their path.
    """
    gathered = [point for point in range(1, 25) if start & opposing_mask(point)]
    if len(gathered) != 1:
        return None
    his_point = Way.HALF.across(gathered[0])
    if his_point <= 6:
        return None
    wall = point_bits(Way.HALF.across(his_point - step) for step in range(1, 7))
    return lambda board: held_points(board) & wall == wall
