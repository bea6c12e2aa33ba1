"""One variant for many games at once: its search, and what ended games count."""

from collections.abc import Callable

import numpy as np

from backgammon.evaluation.nets.boards import Bytes, Floats, Numbers, boards_of, kind_of
from backgammon.evaluation.nets.endings import ended
from backgammon.evaluation.nets.inputs import Inputs
from backgammon.evaluation.nets.net import Net, equities
from backgammon.evaluation.nets.search import GOES_ON, Search, Steps
from backgammon.rules.variant import Variant

#: a judge gives a number for each board, in the view of who has just moved; its arguments are the
#: boards, how they stand, and the games they belong to, in rising order.
Judge = Callable[[Bytes, Steps, Numbers], Floats]


class TrainingGame:
    """The tables, the search and the start of a variant."""

    def __init__(self, variant: Variant) -> None:
        self.variant, self.kind = variant, kind_of(variant)
        self.inputs, self.search = Inputs(self.kind), Search(variant, self.kind)
        self.start: Bytes = boards_of([variant.start])[0]

    def chances(self, net: Net, boards: Bytes, standing: Steps) -> Floats:
        """The net's outputs; where a game is over, the true ones."""
        found = net.chances(boards)
        over = np.flatnonzero(standing != GOES_ON)
        found[over] = ended(self.variant, boards[over], standing[over])
        return found

    def worth(self, chances: Floats) -> Floats:
        """Points of a plain game."""
        return equities(chances, self.kind.most)
