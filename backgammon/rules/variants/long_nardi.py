"""Long Nardi (Narde, Langbackgammon), the game of the Russian-speaking world and the Caucasus."""

from __future__ import annotations

from backgammon.rules.families import Blocking
from backgammon.rules.movement import StepRule
from backgammon.rules.naming import gettext_noop
from backgammon.rules.packed import OFF_LANE, held_points, opposing_mask, point_bits
from backgammon.rules.variant import Turn

HEAD = 24
_TWO_FROM_HEAD = ((3, 3, 3, 3), (4, 4, 4, 4), (6, 6, 6, 6))
_HIS_PATH = (*range(12, 0, -1), *range(24, 12, -1))
"""The opponent's path, from their 24 to their 1, in the mover's numbers."""


class LongNardi(Blocking):
    """One checker a turn leaves the head, and no six in a row may wall the opponent in."""

    key = "long_nardi"
    name = gettext_noop("Long Nardi")

    def step_rules(self, turn: Turn) -> list[StepRule]:
        rules = [head_rule(turn)]
        prime = prime_rule(turn.board)
        return rules if prime is None else [*rules, prime]


def head_rule(turn: Turn) -> StepRule:
    """At most one checker may leave the head in a turn.

    In a player's first turn of the game 3-3, 4-4 and 6-6, which the heads alone would stop,
    let a second one leave.
    """
    may_leave = 2 if turn.first_turn and turn.dice in _TWO_FROM_HEAD else 1
    least = (turn.board >> 8 * HEAD & 15) - may_leave

    def rule(board: int, source: int, target: int, after: int) -> bool:
        return source != HEAD or after >> 8 * HEAD & 15 >= least

    return rule


def prime_rule(start: int) -> StepRule | None:
    """No move may leave six own points in a row with no opposing checker beyond them.

    "In a row" and "beyond" are measured on the opponent's path, so a wall across the mover's
    points 1 and 24 counts. None if the opponent already has a checker off and so is never
    walled in.
    """
    if start & opposing_mask(OFF_LANE):
        return None
    walls: dict[int, list[int]] = {point: [] for point in _HIS_PATH}
    standing = []
    for window in _windows_with_nobody_beyond(start):
        wall = point_bits(window)
        if held_points(start) & wall == wall:
            standing.append(wall)
        for point in window:
            walls[point].append(wall)

    def rule(board: int, source: int, target: int, after: int) -> bool:
        held = held_points(after)
        risen = walls[target] if target else []
        return all(held & wall != wall for wall in (*risen, *standing))

    return rule


def _windows_with_nobody_beyond(start: int) -> list[tuple[int, ...]]:
    """The stretches of six points on the opponent's path that none of their checkers has passed."""
    windows = []
    for first in range(len(_HIS_PATH) - 6, -1, -1):
        window = _HIS_PATH[first : first + 6]
        windows.append(window)
        if start & opposing_mask(window[-1]):
            break
    return windows
