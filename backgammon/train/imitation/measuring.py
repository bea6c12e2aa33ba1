"""How good the net for devices is: its distance from bgsage's equities, and what its plays lose."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import sqrt
from random import Random
from typing import Final

import numpy as np

from backgammon.counting.decisions import DecidedPlay
from backgammon.counting.judging import judge_play
from backgammon.counting.positions import roll_of
from backgammon.counting.situation import Situation
from backgammon.engines.engine import Engine
from backgammon.engines.sage import house_engine
from backgammon.evaluation.nets.boards import Floats
from backgammon.evaluation.nets.device import DeviceNet
from backgammon.evaluation.sage import CHECKERS
from backgammon.rules.notation import format_play
from backgammon.rules.position import Way
from backgammon.rules.variants import by_key
from backgammon.train.imitation.lessons import Lessons

#: a PR is so many thousandths of a point lost in each decision.
_PR: Final = 500
_JUDGED_PLIES: Final = 2
_Z: Final = 1.96


@dataclass(frozen=True, slots=True)
class Distance:
    """The mean and the root mean square of the differences between two lists of equities."""

    boards: int
    mean: float
    root: float


@dataclass(frozen=True, slots=True)
class PlayError:
    """Return the PR of a net's plays with its 95 % band, over the counted decisions."""

    decisions: int
    pr: float
    band: float
    same_percent: float

    def text(self) -> str:
        """`PR 3.10 ± 0.51, the best play in 71 % of 500 decisions`."""
        return (
            f"PR {self.pr:.2f} ± {self.band:.2f},"
            f" the best play in {self.same_percent:.0f} % of {self.decisions} decisions"
        )


def distance(net: DeviceNet, lessons: Lessons) -> Distance:
    """The distance of the net's equities without a cube from those it should have learnt."""
    apart = np.abs(_equities(net.chances(lessons.boards)) - _equities(lessons.chances))
    return Distance(len(apart), float(apart.mean()), sqrt(float((apart**2).mean())))


def play_error(
    engine: Engine, count: int, seed: int, told: Callable[[int], None] = lambda done: None
) -> PlayError:
    """The PR of an engine's plays one ply deep, judged by bgsage two plies deep."""
    losses: list[float] = []
    for play in _rolls(seed):
        choice = engine.plays(play, 1)[0]
        situation = play.situation
        moves = next(each.moves for each in play.choices if each.result == choice.result)
        text = format_play(by_key(situation.variant), situation.position, moves)
        made = roll_of(situation, (play.dice[0], play.dice[1]), text)
        judgement = judge_play(made, house_engine().plays(made, _JUDGED_PLIES))
        if judgement.counted and judgement.loss is not None:
            losses.append(judgement.loss)
            told(len(losses))
        if len(losses) == count:
            break
    lost = np.array(losses)
    return PlayError(
        count,
        _PR * float(lost.mean()),
        _PR * _Z * float(lost.std()) / sqrt(count),
        100 * float((lost < 1e-9).mean()),
    )


def _rolls(seed: int) -> Iterator[DecidedPlay]:
    """The rolls of games that bgsage's bare net plays for money; both sides, without end."""
    random, start = Random(seed), by_key("backgammon").start
    while True:
        position = start
        while max(position.off) < CHECKERS:
            dice = (random.randint(1, 6), random.randint(1, 6))
            play = roll_of(Situation(position), (max(dice), min(dice)))
            yield play
            position = house_engine().plays(play, 1)[0].result.turned(Way.AGAINST)


def _equities(chances: Floats) -> Floats:
    win, gammon, backgammon, lost_gammon, lost_backgammon = chances.T
    found: Floats = 2 * win - 1 + gammon + backgammon - lost_gammon - lost_backgammon
    return found
