"""The dice of many games that are played side by side, and what follows a roll in the same turn."""

from itertools import permutations
from typing import Final

import numpy as np

from analysis.nets.search import Steps
from games.bots.nets.boards import Flags, Numbers
from games.rules.variant import Variant

_STEPS: Final = 4
_FACES: Final = 6
_HEAD_DOUBLES: Final = (3, 4, 6)
#: stands for "any double, by choice" among the rolls that follow.
_CHOICE: Final = (0, 0)


class Rolls:
    """Whose turn it is in each game, the dice, and the rolls that follow a double."""

    def __init__(self, variant: Variant, count: int, random: np.random.Generator) -> None:
        self.variant, self.count, self.random = variant, count, random
        self.turns = np.zeros((count, 2), np.intp)
        self.mover = np.zeros(count, np.int8)
        self.following: list[list[tuple[int, int]]] = [[] for _ in range(count)]
        self.again = np.zeros(count, bool)
        self.dice: Numbers = np.zeros((count, variant.dice_count), np.intp)

    def begun(self, game: int, starter: int) -> None:
        """A new game in this place."""
        self.turns[game], self.mover[game] = 0, starter
        self.following[game], self.again[game] = [], False

    def roll(self) -> tuple[Steps, Numbers]:
        """Roll in every game: the orders in which dice may be played, and the games they are of."""
        dice = self.random.integers(1, _FACES + 1, self.dice.shape)
        for game, rolls in enumerate(self.following):
            if rolls:
                dice[game] = rolls[0]
        self.dice = -np.sort(-dice, axis=1)
        return orders(self.dice)

    def first_doubles(self) -> Flags:
        """Where a player's first roll is 3-3, 4-4 or 6-6 (Long Nardi)."""
        mine = self.turns[np.arange(self.count), self.mover]
        double = self.dice[:, 0] == self.dice[:, -1]
        found: Flags = (mine == 0) & double & np.isin(self.dice[:, 0], _HEAD_DOUBLES)
        return found

    def played(self, steps: Steps) -> Flags:
        """The rolls have been played, `steps` dice of each; which games pass to the other side."""
        passing = np.ones(self.count, bool)
        for game in self._in_question():
            passing[game] = self._passes(int(game), int(steps[game]))
        turned = np.flatnonzero(passing)
        self.turns[turned, self.mover[turned]] += 1
        self.mover[turned] ^= 1
        return passing

    def _in_question(self) -> Numbers:
        if self.variant.dice_count != 2:
            return np.zeros(0, np.intp)
        double = self.dice[:, 0] == self.dice[:, 1]
        low = (self.dice[:, 0] == 2) & (self.dice[:, 1] == 1)
        return np.flatnonzero(double | low)

    def _passes(self, game: int, steps: int) -> bool:
        first, second = (int(die) for die in self.dice[game])
        full = steps == (_STEPS if first == second else 2)
        if self.following[game]:
            self.following[game].pop(0)
        else:
            own = int(self.turns[game, self.mover[game]])
            flow = self.variant.flow((first, second), all_played=full, own_turns_before=own)
            self.following[game] = [*flow.rolls, *[_CHOICE] * flow.choose_double]
            self.again[game] = flow.roll_again
        if not full:
            self.following[game], self.again[game] = [], False
        if self.following[game]:
            return False
        once_more = bool(self.again[game])
        self.again[game] = False
        return not once_more


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
