"""The learning of a net: Adam on cross-entropy, towards the lambda-returns of finished games."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from backgammon.evaluation.nets.boards import Bytes, Flags, Floats
from backgammon.evaluation.nets.endings import other_side
from backgammon.evaluation.nets.inputs import Inputs
from backgammon.evaluation.nets.net import Weights, squashed

HIDDEN: Final = 80
LAMBDA: Final = 0.7
RATE_FIRST: Final = 3e-3
RATE_LAST: Final = 3e-4
BATCH: Final = 512
#: so many boards are collected before the net learns from them, each once.
COLLECTED: Final = 16 * BATCH

_FIRST_SPREAD: Final = 0.1
_SECOND_SPREAD: Final = 0.5
_OFFSETS: Final = (0.0, -1.5, -1.5)
_MOMENT: Final = 0.9
_SQUARE: Final = 0.999
_TINY: Final = 1e-8


def fresh(
    inputs: Inputs,
    random: np.random.Generator,
    hidden: int = HIDDEN,
    offsets: Sequence[float] = _OFFSETS,
) -> Weights:
    """Weights before the first game; there are as many outputs as offsets."""
    spread = _SECOND_SPREAD / np.sqrt(hidden)
    return Weights(
        (random.standard_normal((inputs.count, hidden)) * _FIRST_SPREAD).astype(np.float32),
        np.zeros(hidden, np.float32),
        (random.standard_normal((hidden, len(offsets))) * spread).astype(np.float32),
        np.array(offsets, np.float32),
    )


class Learner:
    """Changes the weights in place, one batch after the other."""

    def __init__(self, inputs: Inputs, weights: Weights) -> None:
        self.inputs, self.weights = inputs, weights
        self.moments = [np.zeros_like(array) for array in weights.all()]
        self.squares = [np.zeros_like(array) for array in weights.all()]
        self.steps = 0

    def learn(
        self, boards: Bytes, wanted: Floats, rate: float, random: np.random.Generator
    ) -> None:
        """One pass over the boards in random order, in batches; a last part is left out."""
        order = random.permutation(len(boards))
        for at in range(0, len(boards) - BATCH + 1, BATCH):
            chosen = order[at : at + BATCH]
            self._step(self.inputs.all_of(boards[chosen]), wanted[chosen], rate)

    def _step(self, rows: Floats, wanted: Floats, rate: float) -> None:
        first, first_offset, second, second_offset = self.weights.all()
        hidden = squashed(rows @ first + first_offset)
        error = (squashed(hidden @ second + second_offset) - wanted) / np.float32(len(rows))
        back = error @ second.T * hidden * (1 - hidden)
        slopes = (rows.T @ back, back.sum(0), hidden.T @ error, error.sum(0))
        self.steps += 1
        rate_now = rate / (1 - _MOMENT**self.steps)
        scale = 1 - _SQUARE**self.steps
        for array, slope, moment, square in zip(
            self.weights.all(), slopes, self.moments, self.squares, strict=True
        ):
            moment += np.float32(1 - _MOMENT) * (slope - moment)
            square += np.float32(1 - _SQUARE) * (slope * slope - square)
            array -= (rate_now * moment / (np.sqrt(square / scale) + _TINY)).astype(np.float32)


def returns(values: Floats, theirs: Flags) -> Floats:
    """The outputs that the net should have had for each board of a game but the last one.

    `values` are its outputs in order, in the view of who had moved; the last one is the result.
    `theirs` says which boards are in the second player's view. Computed backwards: a board's
    value is between the next board's and what was made of the rest of the game.
    """
    seen = values.astype(np.float64)
    seen[theirs] = other_side(seen[theirs])
    wanted = np.empty_like(seen[:-1])
    future = seen[-1]
    for at in range(len(wanted) - 1, -1, -1):
        future = (1 - LAMBDA) * seen[at + 1] + LAMBDA * future
        wanted[at] = future
    wanted[theirs[:-1]] = other_side(wanted[theirs[:-1]])
    return wanted.astype(np.float32)
