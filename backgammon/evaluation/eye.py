"""A simple evaluation of positions, for the variants that the engine does not support.

The race, with terms for blots, points and prisoners: a sensible partner for practice, not an
expert. Everything is counted in pips and then scaled to points of equity.
"""

from math import tanh
from typing import Final

from backgammon.rules.moves import BAR
from backgammon.rules.position import Position
from backgammon.rules.variant import Variant

#: so many pips ahead are worth about one point.
PIPS_A_POINT: Final = 60.0

POINT_MADE: Final = 2.0
NEIGHBOUR: Final = 1.5
HELD_BACK: Final = 12.0
STRAGGLER: Final = 0.25
OFF: Final = 4.0
CROWD: Final = 1.5
START: Final = 24
SHOT_REACH: Final = 6
DIRECT_SHOT: Final = 0.4
INDIRECT_SHOT: Final = 0.12


def standing(variant: Variant, position: Position) -> float:
    """The equity of the position after a play for the player who made it, in points.

    Within the largest level of the variant, and never flat: however far ahead or behind, a better
    position is worth more. In misere the sign is reversed.
    """
    mine, his = position.pips(variant.way)
    ahead = float(his - mine)
    if position.contact(variant.way):  # without contact, points hold no checker up
        ahead += _safety(variant, position)
        holds = variant.movement.closed_by
        ahead += _shape(position.own(), holds)
        ahead -= _shape(position.turned(variant.way).own(), holds)
    ahead += _prisoners(position)
    ahead += OFF * (position.off[0] - position.off[1])
    if not variant.movement.hits:  # without hits, a crowd at the start is the danger
        ahead -= CROWD * max(0, position.points[START - 1])
    most = float(max(variant.levels))
    worth = most * tanh(ahead / PIPS_A_POINT / most)
    return -worth if variant.key == "misere" else worth


def _safety(variant: Variant, position: Position) -> float:
    """The cost of the mover's blots, and the value of opposing checkers that must enter."""
    if not (variant.movement.hits or variant.movement.pins):
        return 0.0
    across = variant.way.across
    hunters = [across(point) for point in position.opposing() if point != BAR]
    if position.bar[1] or position.hand[1]:
        hunters.append(BAR)
    cost = 0.0
    for point, count in position.own().items():
        if count != 1 or point == BAR or point in position.pinned:
            continue
        lost = 25 - point if variant.movement.hits else point + HELD_BACK
        cost += _chance_of_shot(across(point), hunters) * lost
    return -cost


def _chance_of_shot(point: int, hunters: list[int]) -> float:
    """How likely it is, roughly, that one of `hunters` reaches `point`, in the hunters' numbers."""
    distances = [hunter - point for hunter in hunters if hunter > point]
    if not distances:
        return 0.0
    return DIRECT_SHOT if min(distances) <= SHOT_REACH else INDIRECT_SHOT


def _shape(own: dict[int, int], holds: int) -> float:
    """Points made in a row hold the other side up; a checker far behind holds up its own.

    `holds` is how many checkers make a point.
    """
    made = {point for point, count in own.items() if count >= holds and point < BAR}
    rows = sum(point + 1 in made for point in made)
    rearmost = max(own, default=0)
    return POINT_MADE * len(made) + NEIGHBOUR * rows - STRAGGLER * rearmost


def _prisoners(position: Position) -> float:
    """Checkers pinned: the opponent's are held, the mover's own are stuck."""
    held = 0.0
    for point in position.pinned:
        held += HELD_BACK if position.points[point - 1] > 0 else -HELD_BACK
    return held
