"""Hypothesis strategies for the rules: possible positions, rolls, options."""

from __future__ import annotations

import random

from hypothesis import strategies as st

from backgammon.rules.position import Position
from backgammon.rules.variant import Variant
from backgammon.rules.variants import ALL
from backgammon.tests.rules.playing import scattered

variants = st.sampled_from(ALL)


def positions(variant: Variant) -> st.SearchStrategy[Position]:
    """Any possible position of this variant."""
    return st.integers(0, 2**32).map(lambda seed: scattered(variant, random.Random(seed)))


def dice(variant: Variant) -> st.SearchStrategy[tuple[int, ...]]:
    return st.tuples(*[st.integers(1, 6)] * variant.dice_count)


@st.composite
def situations(draw: st.DrawFn) -> tuple[Variant, Position, tuple[int, ...], bool]:
    """A variant, a position, a roll, and whether it is the player's first turn."""
    variant = draw(variants)
    return variant, draw(positions(variant)), draw(dice(variant)), draw(st.booleans())


words = st.text(st.sampled_from("0123456789-p| barofhnd"), max_size=80)
"""Texts that look a little like positions."""
