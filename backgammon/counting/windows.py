"""When doubling and taking become right at a score: two points of the chance to win.

The cube is taken for dead after the double, so both players play to the end of the game. A live
cube makes taking a little easier. Gammons are weighed with the chances of the position.

Source: risk and gain as in the manual of GNU Backgammon, "Take points", and Janowski, "Take-Points
in Money Games", 1993. In unlimited play without gammons they are 25 and 50 %.
"""

from dataclasses import dataclass

from backgammon.counting.chances import Table, outcome
from backgammon.counting.judging import Chances
from backgammon.counting.situation import Situation


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
