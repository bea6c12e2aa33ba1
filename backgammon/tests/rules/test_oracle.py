"""The engine against the naive oracle, on played and on scattered positions of every variant."""

from __future__ import annotations

import random

import pytest

from backgammon.rules.errors import RulesError
from backgammon.rules.position import Position
from backgammon.rules.variant import PLAIN, Options, Variant
from backgammon.rules.variants import ALL
from backgammon.tests.amounts import amount
from backgammon.tests.rules.oracle import WAYS, Oracle
from backgammon.tests.rules.playing import rolled_positions, scattered

variants = pytest.mark.parametrize("variant", ALL, ids=lambda variant: variant.key)


def agree(
    variant: Variant,
    position: Position,
    dice: tuple[int, ...],
    first_turn: bool = False,
    options: Options = PLAIN,
) -> None:
    plays = variant.legal_plays(position, dice, first_turn=first_turn, options=options)
    oracle = Oracle(
        variant.key,
        position,
        dice,
        first_turn,
        max_stack=options.max_stack,
        no_hit_and_run=options.no_hit_and_run,
    )
    results, dice_played = oracle.results()
    place = f"{variant.key} {position.text()} {dice} {first_turn}"
    assert {result.text() for result in plays.results} == results, place
    assert plays.dice_played == dice_played, place


@variants
def test_played_positions_have_the_oracles_results(variant: Variant) -> None:
    for rolled in rolled_positions(variant, seed=11, number=amount(25, long=240)):
        agree(variant, rolled.position, rolled.dice, rolled.first_turn)


@variants
def test_scattered_positions_have_the_oracles_results(variant: Variant) -> None:
    chance = random.Random(f"scattered {variant.key}")
    for _ in range(amount(30, long=300)):
        dice = tuple(chance.randint(1, 6) for _ in range(variant.dice_count))
        agree(variant, scattered(variant, chance), dice, first_turn=chance.random() < 0.2)


@pytest.mark.parametrize("key", ["backgammon", "nackgammon", "short_nardi", "portes"])
@pytest.mark.parametrize("options", [Options(max_stack=5), Options(no_hit_and_run=True)])
def test_optional_rules_have_the_oracles_results(key: str, options: Options) -> None:
    variant = next(variant for variant in ALL if variant.key == key)
    chance = random.Random(f"options {key}")
    for rolled in rolled_positions(variant, seed=12, number=amount(12, long=120)):
        agree(variant, rolled.position, rolled.dice, options=options)
    for _ in range(amount(12, long=120)):
        dice = (chance.randint(1, 6), chance.randint(1, 6))
        agree(variant, scattered(variant, chance), dice, options=options)


@variants
def test_the_oracle_knows_the_way_of_the_variant(variant: Variant) -> None:
    assert variant.way is WAYS.get(variant.key, variant.way)


@variants
def test_scattered_positions_can_stand(variant: Variant) -> None:
    chance = random.Random(5)
    for _ in range(200):
        position = scattered(variant, chance)
        try:
            variant.check(position)
        except RulesError as error:
            pytest.fail(f"{position.text()}: {error}")
