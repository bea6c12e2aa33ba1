"""The worth of ended games, and the choice among the results of many rolls."""

from itertools import combinations_with_replacement, permutations
from math import factorial
from typing import Any, Final, TypeVar

import numpy as np
import numpy.typing as npt

from backgammon.evaluation.nets.boards import Bytes, Floats, Numbers
from backgammon.evaluation.nets.net import OUTPUTS
from backgammon.evaluation.nets.search import BORNE_OFF, BOTH_MOTHERS, MOTHER, Steps
from backgammon.rules.variant import Variant

Precision = TypeVar("Precision", bound=np.floating[Any])

_LOST_BY_WINNING: Final = "misere"
_DRAW: Final = 0.5


def ended(variant: Variant, boards: Bytes, standing: Steps) -> Floats:
    """The outputs that are true of boards where the game is over, (boards, 3)."""
    most, found = max(variant.levels), np.zeros((len(boards), OUTPUTS), np.float32)
    off, mother = standing == BORNE_OFF, standing == MOTHER
    found[:, 0] = off | mother
    found[standing == BOTH_MOTHERS, 0] = _DRAW
    found[mother, 1] = 1
    left = variant.checkers - (boards[:, 0] >> 4).astype(np.intp)
    if most > 2:
        found[off, 1] = (left[off] - 1) / (most - 1)
    else:
        found[off, 1] = left[off] == variant.checkers
    if variant.key == _LOST_BY_WINNING:
        found[off] = 0
    return found


def other_side(chances: npt.NDArray[Precision]) -> npt.NDArray[Precision]:
    """The same chances as the opponent has them."""
    return np.stack([1 - chances[:, 0], chances[:, 2], chances[:, 1]], 1)


def best_of_each(worth: Floats, games: Numbers, count: int) -> Numbers:
    """The row with the most for each game; `games` is sorted and none is missing."""
    begins = np.searchsorted(games, np.arange(count))
    most = np.maximum.reduceat(worth, begins)
    rows = np.flatnonzero(worth == most[games])
    best = np.zeros(count, np.intp)
    best[games[rows[::-1]]] = rows[::-1]
    return best


_STEPS: Final = 4
_FACES: Final = 6


def every_roll(dice_count: int) -> tuple[Numbers, Floats]:
    """Every different roll, highest die first, (rolls, dice), and how likely each is."""
    rolls = [roll[::-1] for roll in combinations_with_replacement(range(1, _FACES + 1), dice_count)]
    ways = []
    for roll in rolls:
        alike = 1
        for face in set(roll):
            alike *= factorial(roll.count(face))
        ways.append(factorial(dice_count) / alike)
    return np.array(rolls), (np.array(ways) / _FACES**dice_count).astype(np.float32)


def orders(dice: Numbers) -> tuple[Steps, Numbers]:
    """The orders of the dice of each game, (orders, 4), and the games they belong to."""
    if dice.shape[1] == 2:
        return _orders_of_two(dice)
    found, games = [], []
    for order in permutations(range(dice.shape[1])):
        steps = np.zeros((len(dice), _STEPS), np.int8)
        steps[:, : dice.shape[1]] = dice[:, order]
        found.append(steps)
        games.append(np.arange(len(dice)))
    steps, owners = np.concatenate(found), np.concatenate(games)
    named = np.column_stack([owners, steps])
    _, once = np.unique(named, axis=0, return_index=True)
    return steps[once], owners[once]


def _orders_of_two(dice: Numbers) -> tuple[Steps, Numbers]:
    high, low = dice[:, 0], dice[:, 1]
    double, chosen = high == low, high == 0
    steps = np.zeros((len(dice), _STEPS), np.int8)
    steps[:, 0], steps[:, 1] = high, low
    steps[double] = high[double, None]
    single = np.flatnonzero(~double)
    other = np.zeros((len(single), _STEPS), np.int8)
    other[:, 0], other[:, 1] = low[single], high[single]
    named = np.flatnonzero(chosen)
    any_double = np.tile(np.repeat(np.arange(1, _FACES + 1), _STEPS), len(named))
    return (
        np.concatenate([steps[~chosen], other, any_double.reshape(-1, _STEPS).astype(np.int8)]),
        np.concatenate([np.flatnonzero(~chosen), single, np.repeat(named, _FACES)]),
    )
