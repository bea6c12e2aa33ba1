"""The orders in which the dice of many rolls may be played."""

from itertools import combinations_with_replacement, permutations
from math import factorial
from typing import Final

import numpy as np

from backgammon.evaluation.nets.boards import Floats, Numbers
from backgammon.evaluation.nets.search import Steps

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
