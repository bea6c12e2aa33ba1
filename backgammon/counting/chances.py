"""Equity in the unit of the result: the chance to win the match, or points in unlimited play.

The match equity table is the engine's; here it is a function of what both players need before the
next game.
"""

from collections.abc import Callable
from dataclasses import dataclass

from backgammon.counting.situation import Away, Situation

#: the chance of the first to win the match before a game, and whether it comes after Crawford's.
Table = Callable[[Away, bool], float]


@dataclass(frozen=True, slots=True)
class Span:
    """The result that losing and that winning a plain game now comes to."""

    lost: float
    won: float

    def result(self, equity: float) -> float:
        """The result that an equity stands for."""
        return self.lost + (equity + 1) / 2 * (self.won - self.lost)

    def part(self, equity: float) -> float:
        """The part of the result that a difference in equity makes."""
        return equity / 2 * (self.won - self.lost)


def span(situation: Situation, table: Table) -> Span:
    """The span of a game at this score with this cube."""
    value = situation.cube.value
    return Span(lost=outcome(situation, -value, table), won=outcome(situation, value, table))


def outcome(situation: Situation, points: int, table: Table) -> float:
    """The result of winning so many points (below 0: of losing them), for the player on roll."""
    if situation.away is None:
        return points
    mine, theirs = situation.away
    over = situation.crawford or min(mine, theirs) == 1
    won, lost = max(points, 0), max(-points, 0)
    return _chance((mine - won, theirs - lost), over, table)


def _chance(away: Away, crawford_over: bool, table: Table) -> float:
    if away[0] <= 0:
        return 1.0
    if away[1] <= 0:
        return 0.0
    return table(away, crawford_over)
