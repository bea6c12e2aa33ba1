"""Positions from which practice matches begin: the board after some legal plays by chance."""

from random import Random
from typing import Final

from backgammon.rules.variants import by_key
from games.modes.registry import mode_of
from games.modes.terms import Terms
from games.table.setup import Setup

TURNS_MOST: Final = 30


def placed(terms: Terms, random: Random) -> Setup | None:
    """A position for two of three practice tables, with a cube where there is one; else None."""
    if not mode_of(terms).is_practice or terms.series or random.random() < 1 / 3:
        return None
    variant = by_key(terms.variant)
    position = variant.start
    for _ in range(random.randrange(TURNS_MOST)):
        dice = tuple(random.randint(1, 6) for _ in range(variant.dice_count))
        _, after = variant.legal_plays(position, dice).pick(random.randrange)
        if variant.outcome(after):
            break
        position = after.turned(variant.way)
    on_roll = random.randrange(2)
    seen = position.turned(variant.way) if on_roll else position
    owner = random.choice((None, 0, 1)) if terms.has_cube else None
    value = 1 if owner is None else min(random.choice((2, 4)), terms.cube_cap)
    return Setup(position=seen.text(), on_roll=on_roll, cube_value=value, cube_owner=owner)
