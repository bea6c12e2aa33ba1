"""One variant for many games at once: its search, and what ended games count."""

from collections.abc import Callable
from typing import Final

import numpy as np

from analysis.nets.search import BORNE_OFF, BOTH_MOTHERS, GOES_ON, MOTHER, Search, Steps
from games.bots.nets.boards import Bytes, Floats, Numbers, boards_of, kind_of
from games.bots.nets.inputs import Inputs
from games.bots.nets.net import OUTPUTS, Net, equities
from games.rules.variant import Variant

#: a judge gives a number for each board, in the view of who has just moved.
Judge = Callable[[Bytes, Steps], Floats]

_MISERE: Final = "misere"


class Game:
    """The tables, the search and the start of a variant."""

    def __init__(self, variant: Variant) -> None:
        self.variant, self.kind = variant, kind_of(variant)
        self.inputs, self.search = Inputs(self.kind), Search(variant, self.kind)
        self.start: Bytes = boards_of([variant.start])[0]

    def ended(self, boards: Bytes, standing: Steps) -> Floats:
        """The outputs that are true of boards where the game is over."""
        found = np.zeros((len(boards), OUTPUTS), np.float32)
        off = standing == BORNE_OFF
        found[:, 0] = off | (standing == MOTHER)
        found[standing == BOTH_MOTHERS, 0] = 0.5
        found[standing == MOTHER, 1] = 1
        left = self.variant.checkers - (boards[:, 0] >> 4)
        if self.kind.most > 2:
            found[off, 1] = (left[off] - 1) / (self.kind.most - 1)
        else:
            found[off, 1] = left[off] == self.variant.checkers
        if self.variant.key == _MISERE:
            found[off] = 0
        return found

    def chances(self, net: Net, boards: Bytes, standing: Steps) -> Floats:
        """The net's outputs; where a game is over, the true ones."""
        found = net.chances(boards)
        over = np.flatnonzero(standing != GOES_ON)
        found[over] = self.ended(boards[over], standing[over])
        return found

    def worth(self, chances: Floats) -> Floats:
        """Points of a plain game."""
        return equities(chances, self.kind.most)


def best_of_each(worth: Floats, games: Numbers, count: int) -> Numbers:
    """The row with the most for each game; `games` is sorted and none is missing."""
    begins = np.searchsorted(games, np.arange(count))
    most = np.maximum.reduceat(worth, begins)
    rows = np.flatnonzero(worth == most[games])
    best = np.zeros(count, np.intp)
    best[games[rows[::-1]]] = rows[::-1]
    return best
