"""No roll takes long: the graphs of the worst boards stay small and quick."""

from __future__ import annotations

from time import thread_time

import pytest

from backgammon.rules.position import Position
from backgammon.rules.variant import Variant
from backgammon.rules.variants import ALL

MOST_NODES = 4_000
MOST_SECONDS = 0.080
"""Processor time for the plays and the graph that clients get, on the slowest machine we know."""

SPREAD = "-15 0 1 1 0 1 1 0 0 1 0 1 1 0 1 1 0 1 1 1 1 0 1 1 | bar 0 0 | off 0 0"
SPREAD_FOR_THREE = "0 0 0 1 1 1 0 1 0 1 1 1 0 1 1 0 0 1 1 1 1 1 1 -15 | bar 0 0 | off 0 0"


@pytest.mark.parametrize("variant", ALL, ids=lambda variant: variant.key)
def test_fifteen_men_alone_and_the_smallest_dice_are_the_worst(variant: Variant) -> None:
    """Every checker on a point of its own and nothing in the way: the most different plays."""
    if variant.checkers == 3:
        position, dice = variant.start, (1, 1)
    elif variant.dice_count == 3:
        position, dice = Position.parse(SPREAD_FOR_THREE), (1, 2, 3)
    else:
        position, dice = Position.parse(SPREAD), (1, 1)
    times = []
    for _ in range(3):
        begin = thread_time()
        nodes = len(variant.legal_plays(position, dice).graph.nodes)
        times.append(thread_time() - begin)
        assert nodes <= MOST_NODES
    assert min(times) < MOST_SECONDS
