"""The engine behind the house bot: the equity of plays and cube decisions, one ply deep.

It supports backgammon and what shares its moves. It is loaded on first use, once in each process:
loading takes a tenth of a second, and the process grows by 32 MB. An answer takes less than a
millisecond and is of expert strength. Hypergammon is answered by the exact table
(`backgammon/evaluation/hypergammon`) where the house has one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from backgammon.evaluation import sage
from backgammon.evaluation.hypergammon import here
from backgammon.evaluation.hypergammon.table import Table
from backgammon.evaluation.sage import CubeWorth
from backgammon.rules.cube import Cube
from backgammon.rules.position import Position

#: the variants without a cube whose plays it judges by its chances; a backgammon counts two there.
BY_CHANCES: Final = frozenset({"portes"})

#: how many turns the engine looks ahead.
PLIES: Final = 1


@dataclass(frozen=True, slots=True)
class Stakes:
    """The cube, its rules and the score in a game, as the mover (seat `mover`) sees them.

    `away` is what the mover and the opponent still need; (0, 0) where no score counts.
    """

    cube: Cube
    mover: int
    away: tuple[int, int] = (0, 0)
    crawford: bool = False
    jacoby: bool = False
    beavers: bool = False
    variant: str = "backgammon"

    def told(self) -> sage.Stakes:
        """The same in the engine's words."""
        owner: sage.Owner = "centred"
        if self.cube.owner is not None:
            owner = "mine" if self.cube.owner == self.mover else "theirs"
        return sage.Stakes(
            cube_value=self.cube.value,
            owner=owner,
            away=self.away,
            crawford=self.crawford,
            jacoby=self.jacoby,
            beavers=self.beavers,
        )


def plays_worth(position: Position, results: Sequence[Position], stakes: Stakes) -> list[float]:
    """The mover's equity after each of the plays that lead to `results`."""
    told = stakes.told()
    if stakes.variant in BY_CHANCES:
        return [_by_chances(position, result) for result in results]
    if table := _exact(stakes):
        return [table.after_play(result, told)[0] for result in results]
    before = sage.board_of(position)
    return [sage.after_play(sage.board_of(result), before, told, PLIES)[0] for result in results]


def cube_worth(position: Position, stakes: Stakes) -> CubeWorth:
    """The equity of doubling for the mover before the roll."""
    if table := _exact(stakes):
        return table.before_roll(position, stakes.told())
    return sage.before_roll(sage.board_of(position), stakes.told(), PLIES)


def worth_of_end(level: int, stakes: Stakes) -> float:
    """The equity of a game that ends at this level for the mover; a loss with a minus."""
    return sage.worth_of_end(level, stakes.told())


def outright(chances: sage.Chances, stakes: Stakes) -> float:
    """The mover's equity if the game is played to its end with the cube as it lies."""
    win, gammon, backgammon, lost_gammon, lost_backgammon = chances
    ends = {
        1: win - gammon,
        2: gammon - backgammon,
        3: backgammon,
        -1: 1 - win - lost_gammon,
        -2: lost_gammon - lost_backgammon,
        -3: lost_backgammon,
    }
    return sum(chance * worth_of_end(level, stakes) for level, chance in ends.items())


def _by_chances(position: Position, result: Position) -> float:
    before = sage.board_of(position)
    told = sage.Stakes(has_cube=False)
    win, gammon, _, lost_gammon, _ = sage.after_play(sage.board_of(result), before, told, PLIES)[1]
    return 2 * win - 1 + gammon - lost_gammon


def _exact(stakes: Stakes) -> Table | None:
    return here.table() if stakes.variant == here.KEY else None
