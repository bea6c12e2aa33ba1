"""The published examples of the protocol, value by value."""

import json
from pathlib import Path

import pytest

from backgammon.dice import chain
from backgammon.dice.opening import commitment, context_hash, open_hash
from backgammon.dice.rolls import block, dice_of_bytes, roll_dice, roll_message

FILE = Path(__file__).parents[1] / "vectors" / "dice.json"
VECTORS = json.loads(FILE.read_text())
CASES = VECTORS["cases"]
ACCEPTED = [case for case in CASES if case["expect"] == "accept"]


def raw(case, name):
    return bytes.fromhex(case[name])


def by_name(cases):
    return pytest.mark.parametrize("case", cases, ids=[case["name"] for case in cases])


@by_name(CASES)
def test_the_opening_is_what_the_terms_and_tips_say(case):
    ctx = context_hash(case["terms"].encode())
    assert ctx.hex() == case["ctx"]
    tips = [raw(case, name) for name in ("s0", "w", "b")]
    assert open_hash(raw(case, "game_id"), ctx, case["mode"], *tips).hex() == case["open_hash"]


@by_name([case for case in ACCEPTED if case["mode"] == "K"])
def test_a_commitment_holds_its_seed(case):
    for role, name in ((chain.WHITE, "W"), (chain.BLACK, "B")):
        args = raw(case, "game_id"), raw(case, "ctx"), role, raw(case, "s0")
        assert commitment(*args, raw(case, f"seed_{name}")).hex() == case[name.lower()]


@by_name(ACCEPTED)
def test_every_roll_gives_its_block_and_its_dice(case):
    for roll in case["rolls"]:
        game_id, ctx = raw(case, "game_id"), raw(case, "ctx")
        parts = {"white": raw(roll, "eW"), "black": raw(roll, "eB")}
        named = {name: roll[name] for name in ("n", "kind", "flags")}
        message = roll_message(game_id, ctx, **named, **parts)
        assert len(message) == 128
        assert block(raw(roll, "s"), message, 0).hex() == roll["block0"]
        dice = roll_dice(raw(roll, "s"), game_id=game_id, ctx=ctx, **named, **parts)
        assert list(dice) == roll["dice"]


@by_name([case for case in ACCEPTED if case["mode"] == "L"])
def test_the_house_steps_back_to_its_tip(case):
    game_id = raw(case, "game_id")
    for roll in case["rolls"]:
        house = raw(roll, "s")
        assert chain.chains_back(game_id, chain.HOUSE, house, raw(case, "s0"), roll["n"] + 1)


@by_name(VECTORS["mapping_cases"])
def test_bytes_become_dice(case):
    stream = iter(bytes.fromhex(case["bytes"]))
    assert list(dice_of_bytes(stream, 2)) == case["dice"]
    assert len(bytes.fromhex(case["bytes"])) - len(list(stream)) == case["bytes_used"]
