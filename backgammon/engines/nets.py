"""The nets of the house as an engine, for variants that bgsage does not support.

A net judges by the chances to win, to win double and to lose double, in points of a game without a
cube; the score of a match counts only where both players need one point. It is younger than bgsage
and was never measured against people.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import lru_cache
from hashlib import sha256
from typing import Final

import numpy as np

from backgammon.counting.decisions import DecidedPlay
from backgammon.counting.judging import CubeValue, PlayValue
from backgammon.counting.situation import Away, Situation
from backgammon.engines.engine import EngineError
from backgammon.engines.sage import order_of
from backgammon.evaluation import sage
from backgammon.evaluation.nets.boards import Floats, boards_of
from backgammon.evaluation.nets.inputs import VERSION
from backgammon.evaluation.nets.judge import DEEPER_MOST, NetJudge, judge_of
from backgammon.evaluation.nets.trained import digest_of
from backgammon.evaluation.stakes import Chances

#: the deepest search of a net.
PLY_MOST: Final = 2

_LETTERS: Final = 8
_LAST_POINT: Final = (1, 1)


class Nets:
    """The nets of some variants; one object serves a whole process."""

    name = "house nets"

    def __init__(self, variants: frozenset[str]) -> None:
        self.variants = variants
        self.judges = {key: _judge(key) for key in variants}
        digests = "".join(digest_of(key) for key in sorted(variants))
        self.version = f"{VERSION}-{sha256(digests.encode()).hexdigest()[:_LETTERS]}"

    def telling(self, told: Callable[[int], None]) -> Nets:
        """The same engine: it answers at once."""
        return self

    def supports(self, situation: Situation) -> bool:
        """Games of these variants without a cube."""
        return situation.variant in self.variants and not situation.has_cube

    def plays(self, play: DecidedPlay, ply: int) -> list[PlayValue]:
        """The choices of a roll, the best first."""
        judge, situation = self.judges[play.situation.variant], play.situation
        results = [choice.result for choice in play.choices]
        found = judge.after(results)
        worth = _worth(judge, found, situation.away)
        plies = np.ones(len(results), int)
        if ply > 1:
            deeper = set(np.argsort(-worth, kind="stable")[:DEEPER_MOST].tolist())
            made = play.played
            deeper |= {at for at, result in enumerate(results) if made and made.result == result}
            chosen = sorted(deeper)
            found[chosen] = judge.after_reply([results[at] for at in chosen])
            worth = _worth(judge, found, situation.away)
            plies[chosen] = PLY_MOST
        values = [
            PlayValue(result, float(worth[at]), int(plies[at]), _five(found[at]))
            for at, result in enumerate(results)
        ]
        return sorted(values, key=lambda value: (-value.ply, *order_of(value)))

    def cube(self, situation: Situation, ply: int) -> CubeValue:
        """No answer: these games have no cube."""
        raise EngineError(f"{situation.variant} is judged without a cube")

    def luck(self, play: DecidedPlay) -> float:
        """The equity of the roll's best play less the mean over all rolls, one ply deep."""
        judge, away = self.judges[play.situation.variant], play.situation.away
        boards = boards_of([play.situation.position])
        best = _worth(judge, judge.best_of_rolls(boards), away)
        weights = judge.weights.copy()
        if play.opening:
            weights[judge.doubles] = 0
        mean = float((best * weights).sum() / weights.sum())
        return float(best[judge.roll_number(play.dice)]) - mean

    def table(self, away: Away, crawford_over: bool) -> float:
        """The chance to win the match, by the table of Kazaross and XG2."""
        return sage.match_chance(away, crawford_over)


def nets_for(variants: Collection[str]) -> Nets | None:
    """The engine for a match in these variants, if there is a net for each."""
    wanted = frozenset(variants)
    return _nets(wanted) if wanted and all(judge_of(key) for key in wanted) else None


@lru_cache(maxsize=64)
def _nets(variants: frozenset[str]) -> Nets:
    return Nets(variants)


def _judge(key: str) -> NetJudge:
    judge = judge_of(key)
    if judge is None:
        raise EngineError(f"there is no net for {key}")
    return judge


def _worth(judge: NetJudge, chances: Floats, away: Away | None) -> Floats:
    """Points of a plain game; where both need one point a double game counts no more."""
    if away == _LAST_POINT:
        return 2 * chances[:, 0] - 1
    return judge.worth(chances)


def _five(chances: Floats) -> Chances:
    """The chances as other engines write them; there are no backgammons."""
    win, double, lost_double = (float(chance) for chance in chances)
    return (win, double, 0.0, lost_double, 0.0)
