"""bgsage, the engine behind the house bot: the equity of plays and cube decisions.

It supports three of the variants. It is loaded on first use, once in each process: loading takes a
third of a second, and the process grows by about 75 MB. An answer at one ply takes a few
milliseconds and is of expert strength.

The engine writes a board as 26 numbers: the opponent's bar, the points 1 to 24 with the mover's
checkers positive, the mover's bar.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from games.rules.cube import Cube
from games.rules.position import Position

VARIANTS: Final = frozenset({"backgammon", "nackgammon", "hypergammon"})

#: how many turns the engine looks ahead.
PLIES: Final = 1

Board = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Stakes:
    """The cube and its rules in a game, as the mover (seat `mover`) sees them."""

    cube: Cube
    mover: int
    jacoby: bool = False
    beavers: bool = False

    @property
    def owner(self) -> str:
        """The cube's owner in the engine's words."""
        if self.cube.owner is None:
            return "centered"
        return "player" if self.cube.owner == self.mover else "opponent"


@dataclass(frozen=True, slots=True)
class CubeWorth:
    """The mover's equity in points of the present cube: without a double, doubled and taken.

    A double that is dropped is worth 1. `outright` is the equity without any further cube.
    """

    no_double: float
    double_take: float
    outright: float


def board_of(position: Position) -> Board:
    """A position as the engine writes it."""
    return (position.bar[1], *position.points, position.bar[0])


def plays_worth(position: Position, dice: tuple[int, ...], stakes: Stakes) -> dict[Board, float]:
    """The mover's equity after every legal play, by the board it leads to."""
    answer = _analyzer().checker_play(
        list(board_of(position)),
        *dice,
        cube_value=stakes.cube.value,
        cube_owner=stakes.owner,
        jacoby=stakes.jacoby,
        beaver=stakes.beavers,
    )
    return {tuple(play.board): float(play.equity) for play in answer.moves}


def cube_worth(position: Position, stakes: Stakes) -> CubeWorth:
    """The equity of doubling for the mover before the roll."""
    answer = _analyzer().cube_action(
        list(board_of(position)),
        cube_value=stakes.cube.value,
        cube_owner=stakes.owner,
        jacoby=stakes.jacoby,
        beaver=stakes.beavers,
    )
    return CubeWorth(
        no_double=float(answer.equity_nd),
        double_take=float(answer.equity_dt),
        outright=float(answer.cubeless_equity),
    )


@cache
def _analyzer() -> Any:
    # here, because few processes ever need it; the package carries no types
    from bgsage import BgBotAnalyzer  # type: ignore[import-untyped] # it has no types

    return BgBotAnalyzer(eval_level=f"{PLIES}ply", cubeful=True)
