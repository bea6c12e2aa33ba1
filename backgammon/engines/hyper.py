"""The exact table of Hypergammon as an engine: unlimited play is looked up, not searched.

At a score the chances are those of the table, which are for play for points without a cube; what
they come to at the score, and with the cube there, is the estimate that bgsage makes of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from backgammon.counting.decisions import DecidedPlay
from backgammon.counting.judging import EXACT, CubeValue, PlayValue
from backgammon.counting.situation import Away, Situation
from backgammon.engines.sage import order_of, stakes_of
from backgammon.evaluation import sage
from backgammon.evaluation.hypergammon.table import KEY, VERSION, HypergammonTable
from backgammon.evaluation.sage import ROLLS
from backgammon.evaluation.stakes import Chances, Stakes
from backgammon.rules.position import Position
from backgammon.rules.variants import by_key

#: the depth of an answer at a score, whatever depth was asked for: nothing has been searched.
PLY: Final = 0

#: how many letters of the table's digest are in its version.
_LETTERS: Final = 8


class Hyper:
    """The table of the house; one object serves a whole process."""

    name = "Hypergammon table"
    variants = frozenset({KEY})

    def __init__(self, table: HypergammonTable) -> None:
        self.exact = table
        self.version = f"{VERSION}-{table.digest[:_LETTERS]}"

    def telling(self, told: Callable[[int], None]) -> Hyper:
        """The same engine: it answers at once."""
        return self

    def supports(self, situation: Situation) -> bool:
        """Hypergammon, at any score."""
        return situation.variant == KEY

    def plays(self, play: DecidedPlay, ply: int) -> list[PlayValue]:
        """The choices of a roll, the best first."""
        stakes, values = stakes_of(play.situation), []
        for choice in play.choices:
            equity, chances = self._after(choice.result, stakes)
            values.append(PlayValue(choice.result, equity, _depth(stakes), chances))
        return sorted(values, key=order_of)

    def cube(self, situation: Situation, ply: int) -> CubeValue:
        """The cube before the roll."""
        stakes, position = stakes_of(situation), situation.position
        worth = self.exact.before_roll(position, stakes)
        no_double, taken = worth.no_double, worth.double_take
        if stakes.is_match:
            board = sage.board_of(position)
            no_double, taken = sage.cube_by(worth.chances, board, stakes)
        return CubeValue(no_double, taken, _depth(stakes), worth.chances)

    def luck(self, play: DecidedPlay) -> float:
        """The equity of the roll's best play less the mean over all rolls."""
        best = {(a, b): self._best(play.situation, (a, b)) for a, b, _ in ROLLS}
        weights = {
            (a, b): weight * (a != b or not play.opening) for a, b, weight in ROLLS
        }  # the two dice of an opening differ
        total = sum(weight * best[roll] for roll, weight in weights.items())
        high, low = max(play.dice), min(play.dice)
        return best[high, low] - total / sum(weights.values())

    def table(self, away: Away, crawford_over: bool) -> float:
        """The chance to win the match, by the table of Kazaross and XG2."""
        return sage.match_chance(away, crawford_over)

    def _best(self, situation: Situation, roll: tuple[int, int]) -> float:
        stakes = stakes_of(situation)
        legal = by_key(KEY).legal_plays(situation.position, roll)
        return max(self._after(result, stakes)[0] for result in legal.results)

    def _after(self, result: Position, stakes: Stakes) -> tuple[float, Chances]:
        """The equity and the chances of the player who has just moved."""
        equity, chances = self.exact.after_play(result, stakes)
        if stakes.is_match:
            equity = sage.play_by(chances, sage.board_of(result), stakes)
        return equity, chances


def _depth(stakes: Stakes) -> int:
    return PLY if stakes.is_match else EXACT
