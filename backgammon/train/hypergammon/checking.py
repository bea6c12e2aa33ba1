"""Whether a table is right, by what made no use of it: the rules of the house, and the pencil."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

import numpy as np

from backgammon.evaluation.hypergammon.arrangements import COUNT, GONE, may_meet, position_of
from backgammon.evaluation.hypergammon.table import COLUMNS, HypergammonTable
from backgammon.evaluation.stakes import Stakes
from backgammon.rules.position import Position
from backgammon.rules.scoring import counted_level
from backgammon.rules.variants import by_key
from backgammon.train.hypergammon.plays import ROLLS

#: the cubes of unlimited play that the table knows, as the player on roll sees them.
CUBES: Final = (
    Stakes(has_cube=False),
    Stakes(owner="theirs"),
    Stakes(owner="mine"),
    Stakes(),
    Stakes(jacoby=True),
    Stakes(jacoby=True, beavers=True),
)

#: how far a position may be from what the plays of its rolls make of it.
RESIDUAL_MOST: Final = 1e-4

#: how far equal numbers may be apart after rounding.
_ROUNDED: Final = 2e-5


@dataclass(frozen=True, slots=True)
class ByHand:
    """A last position with what it is worth, counted by hand.

    `mine` and `theirs` are the points of both sides' checkers, the rest is off. `win` is out of
    1, `centred` is the equity of rolling with the cube in the middle.
    """

    mine: tuple[int, ...]
    theirs: tuple[int, ...]
    win: float
    centred: float


#: from 6 the last checker goes off with 27 of 36 rolls, from 5 with 31, from 6 and 1 two go off
#: with 15: 5 doubles (not 1-1), and 6 with any other number. A double at 3/4 is a drop, and at 1/2
#: a take.
BY_HAND: Final = (
    ByHand((1,), (1,), 1.0, 1.0),
    ByHand((6,), (1,), 27 / 36, 2 * 27 / 36 - 1),
    ByHand((6,), (6,), 1 - 9 / 36 * 27 / 36, 27 / 36 - 9 / 36),
    ByHand((5,), (1,), 31 / 36, 2 * 31 / 36 - 1),
    ByHand((6, 1), (1,), 15 / 36, 2 * 15 / 36 - 1),
)


def residuals(table: HypergammonTable, positions: Sequence[Position]) -> Iterator[float]:
    """For each position the largest difference to the mean of its rolls' best plays, by cube."""
    for position in positions:
        yield float(np.abs(_expected(table, position) - _told(table, position)).max())


def _told(
    table: HypergammonTable, position: Position
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.array([table.before_roll(position, cube).no_double for cube in CUBES])


def _expected(
    table: HypergammonTable, position: Position
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    variant = by_key("hypergammon")
    mean = np.zeros(len(CUBES))
    for first, second, weight in ROLLS:
        results = variant.legal_plays(position, (first, second)).results
        worth = [[_after(table, result, cube) for cube in CUBES] for result in results]
        mean += weight / 36 * np.array(worth).max(axis=0)
    return mean


def _after(table: HypergammonTable, result: Position, cube: Stakes) -> float:
    """The worth of a play; what a game counts that has ended is asked of the rules."""
    outcome = by_key("hypergammon").outcome(result)
    if outcome is None:
        return table.after_play(result, cube)[0]
    centred = cube.has_cube and cube.owner == "centred"
    return float(counted_level(outcome.level, jacoby=cube.jacoby, double_taken=not centred))


def random_positions(count: int, seed: int) -> list[Position]:
    """Positions of which each is as likely as the others."""
    chance, found = Random(seed), list[Position]()
    while len(found) < count:
        mine, theirs = chance.randrange(COUNT), chance.randrange(COUNT)
        if GONE not in (mine, theirs) and may_meet(mine, theirs):
            found.append(position_of(mine, theirs))
    return found


def hand_position(case: ByHand) -> Position:
    """The position of a case."""
    points = [0] * 24
    for point in case.mine:
        points[point - 1] += 1
    for point in case.theirs:
        points[24 - point] -= 1
    return Position(tuple(points), off=(3 - len(case.mine), 3 - len(case.theirs)))


def wrong_by_hand(table: HypergammonTable) -> list[str]:
    """The cases of `BY_HAND` that the table answers otherwise."""
    found = []
    for case in BY_HAND:
        worth = table.before_roll(hand_position(case), Stakes())
        told = worth.chances[0], worth.no_double
        if not np.allclose(told, (case.win, case.centred), atol=_ROUNDED):
            found.append(f"{case}: the table says {told}")
    return found


def wrong_order(table: HypergammonTable) -> list[str]:
    """Chances that are out of order, and cubes worth more to the other side."""
    found = []
    for row in range(COUNT):
        entries = dict(zip(COLUMNS, np.asarray(table.entries[row]).T, strict=True))
        smaller = (
            ("backgammon", "gammon"),
            ("gammon", "win"),
            ("lost_backgammon", "lost_gammon"),
            ("theirs", "mine"),
            ("theirs", "centred"),
            ("centred", "mine"),
        )
        for small, large in smaller:
            if (entries[small] > entries[large] + _ROUNDED).any():
                found.append(f"row {row}: {small} is more than {large}")
        if (entries["lost_gammon"] > 1 - entries["win"] + _ROUNDED).any():
            found += [f"row {row}: more gammons are lost than games"] * (row != GONE)
    return found
