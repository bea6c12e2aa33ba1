"""The learning of both parts of the net: some passes over the same lessons, at a falling rate."""

from typing import Final

import numpy as np

from backgammon.evaluation.nets.boards import kind_of
from backgammon.evaluation.nets.device import KEY
from backgammon.evaluation.nets.inputs import Inputs
from backgammon.evaluation.nets.net import Net
from backgammon.rules.variants import by_key
from backgammon.train.imitation.lessons import Lessons
from backgammon.train.nets.learning import BATCH, Learner, fresh

RATE_FIRST: Final = 4e-3
RATE_LAST: Final = 5e-5
_OFFSETS: Final = (0.0, -1.5, -4.0, -1.5, -4.0)
_SEED: Final = 1
_PART: Final = 64 * BATCH


def learnt(
    lessons: Lessons,
    hidden: int,
    passes: int,
) -> Net:
    """A net with so many hidden units after so many passes; the same lessons give the same net."""
    inputs, random = Inputs(kind_of(by_key(KEY))), np.random.default_rng(_SEED)
    learner = Learner(inputs, fresh(inputs, random, hidden, _OFFSETS))
    count = len(lessons.boards)
    for number in range(passes):
        order = random.permutation(count)
        for at in range(0, count, _PART):
            share = (number + at / count) / passes
            chosen = order[at : at + _PART]
            rate = RATE_FIRST * (RATE_LAST / RATE_FIRST) ** share
            learner.learn(lessons.boards[chosen], lessons.chances[chosen], rate, random)
    return Net(inputs, learner.weights)
