"""The judgement of a net about plays, one or two plies deep.

One ply asks the net about each result. Two plies play the opponent's best answer, by the net, to
each of their rolls, and take the mean; what follows a double in the same turn is left out.
"""

from collections.abc import Sequence
from functools import cache
from typing import Final

import numpy as np

from backgammon.evaluation.nets.boards import Bytes, Floats, boards_of, kind_of
from backgammon.evaluation.nets.endings import best_of_each, ended, every_roll, orders, other_side
from backgammon.evaluation.nets.net import Net, equities
from backgammon.evaluation.nets.search import GOES_ON, Search, Steps
from backgammon.evaluation.nets.trained import net_of
from backgammon.rules.position import Position
from backgammon.rules.variant import Variant
from backgammon.rules.variants import by_key

#: the two-ply search looks at so many plays, the best of the one-ply search.
DEEPER_MOST: Final = 4


class NetJudge:
    """The net of one variant with its search; one object serves a process."""

    def __init__(self, variant: Variant, net: Net) -> None:
        self.variant, self.net, self.kind = variant, net, kind_of(variant)
        self.search = Search(variant, self.kind)
        rolls, self.weights = every_roll(variant.dice_count)
        self.steps, self.owners = orders(rolls)
        self.rolls = len(rolls)
        self.doubles = rolls[:, 0] == rolls[:, -1]
        self._numbers = {tuple(map(int, roll)): number for number, roll in enumerate(rolls)}

    def roll_number(self, dice: Sequence[int]) -> int:
        """The place of a roll among `best_of_rolls`."""
        return self._numbers[tuple(sorted(dice, reverse=True))]

    def after(self, results: Sequence[Position]) -> Floats:
        """The chances after each play for the player who made it, (results, 3), one ply."""
        boards = boards_of(results)
        return self._chances(boards, self.search.standing(boards))

    def after_reply(self, results: Sequence[Position]) -> Floats:
        """The same two plies deep."""
        boards = boards_of(results)
        standing = self.search.standing(boards)
        found = self._chances(boards, standing)
        goes_on = np.flatnonzero(standing == GOES_ON)
        if len(goes_on):
            found[goes_on] = other_side(self.before_roll(self.kind.turned(boards[goes_on])))
        return found

    def before_roll(self, boards: Bytes) -> Floats:
        """The chances of the player who is to roll, the mean over the rolls, (boards, 3)."""
        best = self.best_of_rolls(boards).reshape(len(boards), self.rolls, -1)
        mean: Floats = (best * self.weights[None, :, None]).sum(1)
        return mean

    def best_of_rolls(self, boards: Bytes) -> Floats:
        """The chances after the best play of every roll, (boards x rolls, 3)."""
        count = len(boards) * self.rolls
        games = np.arange(len(boards))[:, None] * self.rolls
        found = self.search.results(
            np.repeat(boards, self.rolls, 0),
            np.tile(self.steps, (len(boards), 1)),
            (games + self.owners).reshape(-1),
            np.zeros(count, bool),
        )
        chances = self._chances(found.boards, found.standing)
        return chances[best_of_each(self.worth(chances), found.games, count)]

    def worth(self, chances: Floats) -> Floats:
        """Points of a plain game without a cube."""
        return equities(chances, self.kind.most)

    def _chances(self, boards: Bytes, standing: Steps) -> Floats:
        found = self.net.chances(boards)
        over = np.flatnonzero(standing != GOES_ON)
        found[over] = ended(self.variant, boards[over], standing[over])
        return found


def equities_plain(judge: NetJudge, results: Sequence[Position]) -> list[float]:
    """The equity after each play, one ply deep."""
    return [float(each) for each in judge.worth(judge.after(results))]


def equities_deep(judge: NetJudge, results: Sequence[Position]) -> list[float]:
    """The equity after each play: the best ones two plies deep, and none above those."""
    worth = judge.worth(judge.after(results)).astype(float)
    best = np.argsort(-worth, kind="stable")[:DEEPER_MOST]
    deeper = judge.worth(judge.after_reply([results[at] for at in best]))
    others = np.setdiff1d(np.arange(len(results)), best)
    worth[best] = deeper
    if len(others):
        worth[others] = np.minimum(worth[others], deeper.min())
    return [float(each) for each in worth]


@cache
def judge_of(key: str) -> NetJudge | None:
    """The judge of a variant; None if this version has no net for it."""
    net = net_of(key)
    return None if net is None else NetJudge(by_key(key), net)
