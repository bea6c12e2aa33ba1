"""Everything that decides about the worth of a position."""

from dataclasses import dataclass, replace
from typing import Final

from backgammon.rules.cube import Cube
from backgammon.rules.position import Position

#: the owners of a cube in a situation.
MINE: Final = 0
THEIRS: Final = 1

CENTRED: Final = Cube()

Away = tuple[int, int]


#: the engines' match tables end here: a player who needs more has no equity.
AWAY_MOST: Final = 25


class MatchTooLong(ValueError):
    """A match to more points than the match tables have is read, but not judged."""

    code = "match_too_long"

    def __init__(self, length: int) -> None:
        super().__init__(
            f"the match to {length} points was read, but it is not judged: only matches to"
            f" {AWAY_MOST} points or fewer are"
        )


@dataclass(frozen=True, slots=True)
class Situation:
    """A position with its cube and score, as the player on roll sees it.

    The owner of the cube is `MINE` for the player on roll and `THEIRS` for the opponent. `away` is
    what the player on roll and the opponent still need to win the match; None in unlimited play,
    where alone Jacoby's rule, beavers and raccoons exist. `crawford` is set in Crawford's game.
    """

    position: Position
    cube: Cube = CENTRED
    has_cube: bool = True
    away: Away | None = None
    crawford: bool = False
    jacoby: bool = False
    beavers: bool = False
    raccoons: bool = False
    variant: str = "backgammon"

    @property
    def cube_turns_most(self) -> int:
        """How often the cube may be turned in one exchange: a double, a beaver, a raccoon."""
        if self.away is not None or not self.beavers:
            return 1
        return 3 if self.raccoons else 2

    def doubled(self) -> "Situation":
        """The same position after a double that was taken."""
        return replace(self, cube=self.cube.taken_by(THEIRS))
