"""The terms of a chouette, fixed when its table is opened."""

from typing import Final, Literal

import msgspec

from backgammon.rules.cube import HIGHEST_CAP, CubeRules

PEOPLE_LEAST: Final = 3
PEOPLE_MOST: Final = 6
#: nobody is a lone taker among fewer members whom the box doubled at once.
DOUBLED_LEAST: Final = 3

Consulting = Literal["never", "own_cube", "always"]
Cubes = Literal["each", "one"]
LoneTaker = Literal["free", "beavers"]


class ChouetteTerms(msgspec.Struct, frozen=True, kw_only=True):
    """`consulting`: when members may advise the captain; `own_cube`: once theirs was turned.

    Advice is about plays alone, never about cubes. `cubes`: one for each member, or one for the
    whole team, about which its captain decides; then there are no beavers, whatever `beavers` says.
    `limit_points`: the most that a pair can win in a game; 0 without credits.
    `lone_taker`: free, or a member who alone takes a double by the box must beaver or drop; without
    beavers there is no such rule.
    """

    jacoby: bool = True
    beavers: bool = True
    cube_cap: int = HIGHEST_CAP
    limit_points: int = 0
    consulting: Consulting = "own_cube"
    cubes: Cubes = "each"
    lone_taker: LoneTaker = "free"

    def counted(self, points: int) -> int:
        """So many points as far as the limit counts them."""
        return min(points, self.limit_points) if self.limit_points else points

    @property
    def one_cube(self) -> bool:
        """Whether the whole team has one cube."""
        return self.cubes == "one"

    @property
    def lone_taker_beavers(self) -> bool:
        """Whether a lone taker beavers or drops."""
        return self.lone_taker == "beavers" and self.cube_rules.beavers

    @property
    def cube_rules(self) -> CubeRules:
        """The rules of every cube."""
        beavers = self.beavers and not self.one_cube
        return CubeRules(cap=self.cube_cap, jacoby=self.jacoby, beavers=beavers)
