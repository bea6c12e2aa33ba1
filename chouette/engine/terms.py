"""The terms of a chouette, fixed when its table is opened."""

from typing import Final, Literal

import msgspec

from games.rules.cube import HIGHEST_CAP, CubeRules

PEOPLE_LEAST: Final = 3
PEOPLE_MOST: Final = 6

Consulting = Literal["never", "own_cube", "always"]
Cubes = Literal["each", "one"]


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """`consulting`: when members may advise the captain; `own_cube`: once theirs was turned.

    Advice is about plays alone, never about cubes. `cubes`: one for each member, or one for the
    whole team, about which its captain decides; then there are no beavers, whatever `beavers` says.
    """

    jacoby: bool = True
    beavers: bool = True
    cube_cap: int = HIGHEST_CAP
    consulting: Consulting = "own_cube"
    cubes: Cubes = "each"

    @property
    def one_cube(self) -> bool:
        """Whether the whole team has one cube."""
        return self.cubes == "one"

    @property
    def cube_rules(self) -> CubeRules:
        """The rules of every cube."""
        beavers = self.beavers and not self.one_cube
        return CubeRules(cap=self.cube_cap, jacoby=self.jacoby, beavers=beavers)
