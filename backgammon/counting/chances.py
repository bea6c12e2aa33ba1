"""Equity in the unit of the result: the chance to win the match, or points in unlimited play.

The match equity table is the engine's; here it is a function of what both players need before the
next game.
"""

from collections.abc import Callable
from dataclasses import dataclass

from backgammon.counting.judging import Chances
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


@dataclass(frozen=True, slots=True)
class Window:
    """Chances to win the game, from 0 to 1.

    `take`: what the player needs who was doubled, so that taking is no worse than dropping.
    `double`: what the player on roll needs, so that a double that is taken is no worse than none.
    """

    take: float
    double: float


def window(situation: Situation, chances: Chances, table: Table) -> Window | None:
    """The window of the player on roll with these chances; None where the cube decides nothing."""
    value = situation.cube.value
    plain = situation.jacoby and situation.cube.owner is None
    won, lost = _mean(situation, chances, value, table, plain=plain)
    won_doubled, lost_doubled = _mean(situation, chances, 2 * value, table)
    dropped = outcome(situation, value, table)
    risk, gain = lost - lost_doubled, won_doubled - won
    stake = won_doubled - lost_doubled
    if stake <= 0 or risk + gain <= 0:
        return None
    take = (won_doubled - dropped) / stake
    return Window(take=_share(take), double=_share(risk / (risk + gain)))


def gammon_value(situation: Situation, table: Table) -> float | None:
    """Return the gammon value of the player on roll, as a part of what winning adds to losing.

    It is 0.5 in unlimited play, 0 where a plain win is enough; None where nothing is at stake.
    """
    value = situation.cube.value
    won, lost = outcome(situation, value, table), outcome(situation, -value, table)
    if won <= lost:
        return None
    return (outcome(situation, 2 * value, table) - won) / (won - lost)


def _share(value: float) -> float:
    return min(1.0, max(0.0, value))


def _mean(
    situation: Situation, chances: Chances, value: int, table: Table, *, plain: bool = False
) -> tuple[float, float]:
    """The result of winning and of losing with this cube, with gammons as often as they come."""
    win, gammon, backgammon, lost_gammon, lost_backgammon = chances
    sides = ((1, win, gammon, backgammon), (-1, 1 - win, lost_gammon, lost_backgammon))
    found = []
    for sign, all_of, doubled, tripled in sides:
        shares = (1.0, 0.0, 0.0)
        if all_of > 0 and not plain:
            two, three = min(doubled / all_of, 1.0), min(tripled / all_of, 1.0)
            shares = (1 - two, max(0.0, two - three), three)
        results = (outcome(situation, sign * level * value, table) for level in (1, 2, 3))
        found.append(sum(share * each for share, each in zip(shares, results, strict=True)))
    return found[0], found[1]
