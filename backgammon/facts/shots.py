"""How many rolls of the opponent hit, counted by the rules themselves."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from backgammon.rules.position import Position
from backgammon.rules.variants import by_key

ROLLS: Final = tuple((a, b, 1 if a == b else 2) for a in range(1, 7) for b in range(1, a + 1))

#: the own points up to here have something to lose.
_RISKED_MOST: Final = 18


def blots(position: Position) -> tuple[int, ...]:
    """The own points with a single checker that an opposing checker may still come to."""
    back = farthest_opposing(position)
    return tuple(
        point for point, count in enumerate(position.points, start=1) if count == 1 and point > back
    )


def farthest_opposing(position: Position) -> int:
    """The own point of the hindmost opposing checker: 0 on the bar, 25 if all are off."""
    if position.bar[1]:
        return 0
    return next((point for point, count in enumerate(position.points, 1) if count < 0), 25)


@lru_cache(maxsize=256)
def shots(position: Position, variant: str = "backgammon") -> int:
    """Of the opponent's 36 rolls, those with a legal play that hits the player who has just moved.

    The position is in the view of that player. Checkers in the opponent's home are left out: being
    hit there costs few pips, and nearly every roll does it.
    """
    rules = by_key(variant)
    targets = [rules.way.across(point) for point in blots(position) if point <= _RISKED_MOST]
    theirs = position.turned(rules.way)
    return sum(weight for a, b, weight in ROLLS if _hits(theirs, (a, b), targets, variant))


def _hits(position: Position, dice: tuple[int, int], targets: Sequence[int], variant: str) -> bool:
    """Whether the player on roll has a play that hits on one of these points of theirs."""
    if not targets:
        return False
    plays = by_key(variant).legal_plays(position, dice)
    return any(
        result.points[point - 1] != -1 for _moves, result in plays.graph.ends() for point in targets
    )
