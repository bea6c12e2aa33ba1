"""Eight random games of every variant: each ends, with a result that the variant has.

Three hundred with PASCH_TEST_LONG.
"""

from __future__ import annotations

import random

import pytest

from backgammon.rules.variant import Options, Termination, Variant
from backgammon.rules.variants import ALL, by_key
from backgammon.tests.amounts import amount
from backgammon.tests.rules.playing import RandomGame

GAMES = amount(8, long=120)
DRAWS = {Termination.BOTH_MOTHERS, Termination.FROZEN}


@pytest.mark.slow
@pytest.mark.parametrize("variant", ALL, ids=lambda variant: variant.key)
def test_random_games_end(variant: Variant) -> None:
    chance = random.Random(variant.key)
    for _ in range(GAMES):
        outcome = RandomGame(variant, chance).play()
        if outcome.winner is None:
            assert outcome.level == 0
            assert outcome.termination in DRAWS
        else:
            assert outcome.level in variant.levels
            assert outcome.winner == ("opponent" if variant.key == "misere" else "mover")


@pytest.mark.parametrize("key", ["backgammon", "portes"])
def test_random_games_end_with_every_optional_rule(key: str) -> None:
    options = Options(max_stack=5, no_hit_and_run=True)
    chance = random.Random(key)
    for _ in range(amount(4, long=40)):
        RandomGame(by_key(key), chance, options).play()
