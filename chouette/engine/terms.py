"""The terms of a chouette, fixed when its table is opened."""

from typing import Final, Literal

import msgspec

from games.rules.cube import HIGHEST_CAP, CubeRules

PEOPLE_LEAST: Final = 3
PEOPLE_MOST: Final = 6

Consulting = Literal["never", "own_cube", "always"]


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """`consulting`: when members may advise the captain; `own_cube`: once theirs was turned.

    Advice is about plays alone, never about cubes.
    """

    jacoby: bool = True
    beavers: bool = True
    cube_cap: int = HIGHEST_CAP
    consulting: Consulting = "own_cube"

    @property
    def cube_rules(self) -> CubeRules:
        """The rules of every cube."""
        return CubeRules(cap=self.cube_cap, jacoby=self.jacoby, beavers=self.beavers)
