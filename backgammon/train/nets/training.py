"""Self-play: a net plays hundreds of games side by side and learns from each when it ends."""

from collections.abc import Callable
from typing import Final

import numpy as np

from backgammon.evaluation.nets.boards import Bytes, Flags, Floats, Numbers
from backgammon.evaluation.nets.endings import best_of_each, orders
from backgammon.evaluation.nets.net import Net, Weights
from backgammon.evaluation.nets.search import GOES_ON, Steps
from backgammon.rules.variant import Variant
from backgammon.train.nets.game import TrainingGame
from backgammon.train.nets.learning import COLLECTED, RATE_FIRST, RATE_LAST, Learner, fresh, returns

#: how many games are played side by side.
TABLES: Final = 256
_KEPT: Final = 1024
#: after so many turns the last value stands for the result.
TURNS_MOST: Final = 700
_LEFT_OUT: Final = -1


class SelfPlay:
    """The games of a training, from fresh weights or from given ones."""

    def __init__(self, game: TrainingGame, seed: int, weights: Weights | None = None) -> None:
        self.game, self.random = game, np.random.default_rng(seed)
        self.weights = weights or fresh(game.inputs, self.random)
        self.learner = Learner(game.inputs, self.weights)
        self.rolls = Rolls(game.variant, TABLES, self.random)
        self.rolls.mover[:] = self.random.integers(0, 2, TABLES)
        self.boards: Bytes = np.repeat(game.start[None], TABLES, 0)
        self.past_boards = np.zeros((_KEPT, TABLES, game.start.size), np.uint8)
        self.past_chances = np.zeros((_KEPT, TABLES, 3), np.float32)
        self.past_movers = np.zeros((_KEPT, TABLES), np.int8)
        self.begun, self.turn, self.games = np.zeros(TABLES, np.intp), 0, 0
        self.net = Net(game.inputs, self.weights)
        self.collected: list[tuple[Bytes, Floats]] = []

    def play(self, games: int, told: Callable[[int], None] = lambda done: None) -> Net:
        """Play until so many games have ended, and return the net.

        The rate of learning falls with the games that have ended; the same seed and number of
        games give the same net on the same machine and libraries.
        """
        while self.games < games:
            self._turn()
            if sum(len(boards) for boards, _ in self.collected) >= COLLECTED:
                rate = RATE_FIRST * (RATE_LAST / RATE_FIRST) ** min(1.0, self.games / games)
                self._learn(rate)
                told(self.games)
        return self.net

    def _learn(self, rate: float) -> None:
        boards = np.concatenate([boards for boards, _ in self.collected])
        wanted = np.concatenate([wanted for _, wanted in self.collected])
        self.learner.learn(boards, wanted, rate, self.random)
        self.net, self.collected = Net(self.game.inputs, self.weights), []

    def _turn(self) -> None:
        """One roll in every game."""
        rolls, at = self.rolls, self.turn % _KEPT
        steps, owners = rolls.roll()
        found = self.game.search.results(self.boards, steps, owners, rolls.first_doubles())
        chances = self.game.chances(self.net, found.boards, found.standing)
        best = best_of_each(self.game.worth(chances), found.games, TABLES)
        self.boards, standing = found.boards[best], found.standing[best]
        mover = rolls.mover.copy()
        passing = rolls.played(found.played)
        self.past_boards[at], self.past_chances[at] = self.boards, chances[best]
        self.past_movers[at] = np.where(passing | (standing != GOES_ON), mover, _LEFT_OUT)
        ended = np.flatnonzero((standing != GOES_ON) | (self.turn - self.begun >= TURNS_MOST))
        self._end(ended, standing)
        passing[ended] = False
        turned = np.flatnonzero(passing)
        self.boards[turned] = self.game.kind.turned(self.boards[turned])
        self.turn += 1

    def _end(self, ended: Numbers, standing: Steps) -> None:
        """Keep what is to be learnt from these games, and begin new ones in their places."""
        for game in ended:
            turns = np.arange(self.begun[game], self.turn + 1) % _KEPT
            movers = self.past_movers[turns, game]
            turns, movers = turns[movers != _LEFT_OUT], movers[movers != _LEFT_OUT]
            if len(turns) > 1:
                wanted = returns(self.past_chances[turns, game], movers == 1)
                self.collected.append((self.past_boards[turns[:-1], game], wanted))
            self.games += int(standing[game] != GOES_ON)
            self.begun[game] = self.turn + 1
            self.rolls.begun(int(game), int(self.random.integers(0, 2)))
            self.boards[game] = self.game.start


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
