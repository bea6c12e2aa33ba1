"""Against bgsage's move generator (C++), on 1,800 positions of three games
(20,000 with PASCH_TEST_LONG).

bgsage writes a board as 26 numbers: the opponent's bar, points 1..24 with the mover's checkers
positive, the mover's bar. It allows the last checker to go off directly, as we do (D7).
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import bgsage
import pytest

from backgammon.rules.position import Position
from backgammon.rules.variant import Variant
from backgammon.rules.variants import by_key
from backgammon.tests.amounts import amount
from backgammon.tests.rules.playing import rolled_positions, scattered

PLAYED, SCATTERED = amount(500, long=6_000), amount(100, long=1_000)


def bgsage_board(position: Position) -> list[int]:
    return [position.bar[1], *position.points, position.bar[0]]


def positions(variant: Variant) -> Iterator[tuple[Position, tuple[int, ...]]]:
    for rolled in rolled_positions(variant, seed=21, number=PLAYED):
        yield rolled.position, rolled.dice
    chance = random.Random(22)
    for _ in range(SCATTERED):
        yield scattered(variant, chance), (chance.randint(1, 6), chance.randint(1, 6))


@pytest.mark.parametrize("key", ["backgammon", "nackgammon", "hypergammon"])
def test_the_results_are_bgsages(key: str) -> None:
    variant = by_key(key)
    compared = 0
    for position, dice in positions(variant):
        board = bgsage_board(position)
        theirs = {tuple(after) for after in bgsage.possible_moves(board, *dice)}
        plays = variant.legal_plays(position, dice)
        ours = {tuple(bgsage_board(result)) for result in plays.results}
        # bgsage answers a roll without a legal play with no board, we with the unchanged one.
        assert ours == (theirs or {tuple(board)}), f"{position.text()} {dice}"
        compared += 1
    assert compared == PLAYED + SCATTERED
