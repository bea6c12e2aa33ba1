"""The cube and the score that an equity holds for, and the equities before a roll.

All equities are in points of the present cube.
"""

from dataclasses import dataclass, replace
from typing import Final, Literal

Owner = Literal["centred", "mine", "theirs"]

#: win, gammon, backgammon, lost gammon, lost backgammon; each includes the next.
Chances = tuple[float, float, float, float, float]

_FLIPPED: Final[dict[Owner, Owner]] = {"centred": "centred", "mine": "theirs", "theirs": "mine"}


@dataclass(frozen=True, slots=True)
class Stakes:
    """The cube and the score, as the player sees them whose equity is sought.

    `away` is what this player and the opponent still need; (0, 0) is unlimited play, where alone
    `jacoby` and `beavers` may be set.
    """

    cube_value: int = 1
    owner: Owner = "centred"
    away: tuple[int, int] = (0, 0)
    crawford: bool = False
    jacoby: bool = False
    beavers: bool = False
    has_cube: bool = True

    def flipped(self) -> "Stakes":
        """The same as the opponent sees it."""
        return replace(self, owner=_FLIPPED[self.owner], away=self.away[::-1])

    def doubled(self) -> "Stakes":
        """After a double of this player that was taken."""
        return replace(self, cube_value=2 * self.cube_value, owner="theirs")

    @property
    def is_match(self) -> bool:
        """Whether a score counts."""
        return self.away != (0, 0)

    @property
    def no_cube(self) -> bool:
        """Whether nobody can turn the cube; at a score Crawford's rule says the same."""
        return not self.has_cube or self.crawford

    @property
    def to_the_end(self) -> bool:
        """Whether the equity is that of playing to the end for points, without a cube."""
        return not self.is_match and not self.has_cube

    @property
    def may_double(self) -> bool:
        """Whether this player, on roll, can turn the cube."""
        return self.owner != "theirs" and not self.no_cube


@dataclass(frozen=True, slots=True)
class CubeWorth:
    """The equity of the player on roll: without a double, and doubled and taken.

    A double that is dropped is worth 1.
    """

    no_double: float
    double_take: float
    chances: Chances

    @property
    def outright(self) -> float:
        """The equity if the game is played to its end without the cube, in unlimited play."""
        return cubeless(self.chances)


def turned(chances: Chances) -> Chances:
    """The chances of the other player."""
    win, gammon, backgammon, lost_gammon, lost_backgammon = chances
    return (1.0 - win, lost_gammon, lost_backgammon, gammon, backgammon)


def cubeless(chances: Chances) -> float:
    """The equity of playing to the end in unlimited play with the cube at 1."""
    win, gammon, backgammon, lost_gammon, lost_backgammon = chances
    return 2 * win - 1 + gammon - lost_gammon + backgammon - lost_backgammon
