"""The dice of many games that are played side by side, and what follows a roll in the same turn."""

from typing import Final

import numpy as np

from backgammon.evaluation.nets.boards import Flags, Numbers
from backgammon.evaluation.nets.orders import orders
from backgammon.evaluation.nets.search import Steps
from backgammon.rules.variant import Variant

_STEPS: Final = 4
_FACES: Final = 6
_HEAD_DOUBLES: Final = (3, 4, 6)
#: stands for "any double, by choice" among the rolls that follow.
_CHOICE: Final = (0, 0)


class Rolls:
    """The player on turn in each game, the dice, and the rolls that follow a double."""

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
