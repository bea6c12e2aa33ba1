"""The doubling cube: its state, and when a player may turn it.

Seats are 0 and 1. The table keeps track of the turn and of pending offers; this module has only
the cube and its rules. Values are powers of two.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import msgspec

from backgammon.rules.errors import InvalidCube

HIGHEST_CAP = 4096
"""No rule limits redoubling; 2^12 is also the limit of GNU Backgammon."""

_HOLLAND_ROLLS = 2


class CubeRefusal(Enum):
    """Why a seat may not double now."""

    NO_CUBE = "no_cube"
    """The variant or the table is played without a cube."""
    NOT_YOURS = "not_yours"
    """The opponent owns the cube."""
    FIRST_TURN = "first_turn"
    """Nobody doubles in the first turn of a game."""
    CRAWFORD = "crawford"
    """This is the Crawford game."""
    HOLLAND = "holland"
    """After Crawford both sides must have rolled twice first."""
    CAP = "cap"
    """The cube would exceed its highest value."""
    DEAD = "dead"
    """A plain win at the present value already wins the match; doubling could only hurt."""
    LIMIT = "limit"
    """A plain win at the present value already reaches the limit of the table."""


class Cube(msgspec.Struct, frozen=True):
    """The cube's value and its owner, a seat or None while it lies in the middle."""

    value: int = 1
    owner: int | None = None

    def __post_init__(self) -> None:
        if not 1 <= self.value <= HIGHEST_CAP or self.value & (self.value - 1):
            raise InvalidCube(f"a cube shows a power of two up to {HIGHEST_CAP}, not {self.value}")
        if self.owner not in (None, 0, 1):
            raise InvalidCube(f"a cube belongs to seat 0, seat 1 or nobody, not {self.owner!r}")

    def taken_by(self, taker: int) -> Cube:
        """After a double that `taker` took: twice the value, owned by `taker`."""
        return Cube(2 * self.value, taker)

    def beavered_by(self, beaverer: int) -> Cube:
        """After a beaver: the seat takes, redoubles at once and keeps the cube (4 times)."""
        return Cube(4 * self.value, beaverer)

    def raccooned_to(self, beaverer: int) -> Cube:
        """After a raccoon: the beaver is doubled once more, the beaverer keeps the cube (8)."""
        return Cube(8 * self.value, beaverer)


@dataclass(frozen=True, slots=True)
class CubeRules:
    """A table's agreement about the cube.

    `cap` is its highest value. `jacoby`, `beavers`, `raccoons` and `auto_doubles_max` belong to
    unlimited play, `crawford` and `holland` to matches; `check` refuses the other combinations.
    """

    cap: int = HIGHEST_CAP
    jacoby: bool = False
    beavers: bool = False
    raccoons: bool = False
    auto_doubles_max: int = 0
    crawford: bool = True
    holland: bool = False

    def check(self, *, is_match: bool) -> None:
        """Check that the agreed rules fit together.

        :raises InvalidCube: naming the rule that does not fit.
        """
        Cube(self.cap)
        if self.auto_doubles_max < 0:
            raise InvalidCube("the number of automatic doubles cannot be negative")
        if self.raccoons and not self.beavers:
            raise InvalidCube("raccoons answer beavers, so they need them")
        unlimited = {
            "jacoby": self.jacoby,
            "beavers": self.beavers,
            "automatic doubles": self.auto_doubles_max > 0,
        }
        for name, chosen in unlimited.items():
            if is_match and chosen:
                raise InvalidCube(f"{name} belong to unlimited play, not to a match")
        if is_match and self.holland and not self.crawford:
            raise InvalidCube("the Holland rule comes after a Crawford game, so it needs one")


def opening_cube(rules: CubeRules, *, equal_rolls: int) -> Cube:
    """The cube at the start of a game whose roll-off came up equal this many times.

    Each equal roll is an automatic double while the agreed number lasts; nobody owns the cube.
    """
    doubles = min(equal_rolls, rules.auto_doubles_max)
    return Cube(min(1 << doubles, rules.cap))


class CubeMoment(msgspec.Struct, frozen=True):
    """All that decides about a double, at the start of a seat's turn.

    `rolls` counts the rolls each seat has had in this game. `points_needed` is what each seat
    still needs to win the match, None in unlimited play; `limit_points` is the most points a
    game can be worth at this table, None without a limit.
    """

    cube: Cube
    has_cube: bool = True
    rolls: tuple[int, int] = (1, 1)
    is_crawford: bool = False
    is_post_crawford: bool = False
    points_needed: tuple[int, int] | None = None
    limit_points: int | None = None


def double_refusal(moment: CubeMoment, seat: int, rules: CubeRules) -> CubeRefusal | None:
    """Why `seat` may not double before its roll, or None if it may.

    The first turn is the very first of the game: neither player has played a roll.
    """
    cube = moment.cube
    if not moment.has_cube:
        return CubeRefusal.NO_CUBE
    if cube.owner not in (None, seat):
        return CubeRefusal.NOT_YOURS
    if moment.is_crawford:
        return CubeRefusal.CRAWFORD
    if sum(moment.rolls) == 0:
        return CubeRefusal.FIRST_TURN
    if rules.holland and moment.is_post_crawford and min(moment.rolls) < _HOLLAND_ROLLS:
        return CubeRefusal.HOLLAND
    if 2 * cube.value > rules.cap:
        return CubeRefusal.CAP
    if moment.points_needed is not None and cube.value >= moment.points_needed[seat]:
        return CubeRefusal.DEAD
    if moment.limit_points is not None and cube.value >= moment.limit_points:
        return CubeRefusal.LIMIT
    return None


def may_beaver(cube: Cube, rules: CubeRules, *, is_match: bool) -> bool:
    """Whether a double of `cube` (its value before) may be answered with a beaver."""
    return rules.beavers and not is_match and 4 * cube.value <= rules.cap


def may_raccoon(cube: Cube, rules: CubeRules, *, is_match: bool) -> bool:
    """Whether a beaver may be answered with a raccoon; `cube` as it was before the double."""
    return (
        rules.raccoons
        and may_beaver(cube, rules, is_match=is_match)
        and (8 * cube.value <= rules.cap)
    )


def points_for_dropping(cube: Cube, *, turns: int = 1) -> int:
    """The price of a drop; `cube` as it was before the first double of this exchange.

    `turns` counts how often the cube was turned in it: 1 after a double, 2 after a beaver (which
    the doubler gives up), 3 after a raccoon (which the beaverer gives up). Giving up costs the
    value before the last of these turns.
    """
    return cube.value << (turns - 1)
