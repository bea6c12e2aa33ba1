"""The worth of ended games, and the choice among the results of many rolls."""

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
