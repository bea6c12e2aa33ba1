"""The tests of the dice themselves: known tables, and the real mapping over a million rolls
(over ten with PASCH_TEST_LONG).
"""

import math
from collections import Counter
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backgammon.dice import statistics
from backgammon.dice.chain import HOUSE, chain_tip, step
from backgammon.dice.errors import BadRoll
from backgammon.dice.rolls import block, dice_of_bytes, roll_dice
from backgammon.tests.amounts import amount
from backgammon.tests.dice.games import secret

GAME_ID = bytes(16)


@pytest.mark.parametrize(
    ("statistic", "degrees", "p"),
    [
        # the critical values that every table of the chi-square distribution prints
        (3.841, 1, 0.05), (6.635, 1, 0.01), (10.828, 1, 0.001),
        (11.070, 5, 0.05), (43.773, 30, 0.05), (49.802, 35, 0.05), (66.619, 35, 0.001),
        (124.342, 100, 0.05),
    ],
)  # fmt: skip
def test_tails_are_those_of_the_tables(statistic, degrees, p):
    assert statistics.chi_square_tail(statistic, degrees) == pytest.approx(p, rel=1e-3)


@given(x=st.floats(1e-6, 700))
def test_two_degrees_are_the_exponential(x):
    assert statistics.chi_square_tail(x, 2) == pytest.approx(math.exp(-x / 2), rel=1e-9)


@given(x=st.floats(1e-3, 300))
def test_one_degree_is_the_normal_distribution(x):
    both_sides = math.erfc(math.sqrt(x / 2))
    assert statistics.chi_square_tail(x, 1) == pytest.approx(both_sides, rel=1e-9)


@given(degrees=st.integers(1, 2000), x=st.floats(0, 5000))
def test_tails_fall_and_stay_probabilities(degrees, x):
    here, beyond = (statistics.chi_square_tail(value, degrees) for value in (x, x + 1))
    assert 0 <= beyond <= here + 1e-12 <= 1 + 1e-11


def test_pips_have_their_mean_and_variance():
    assert pytest.approx(8 + 1 / 6) == statistics.PIPS_MEAN
    assert pytest.approx(18.47, abs=0.01) == statistics.PIPS_VARIANCE
    assert statistics.luck(36, 36 * 8 + 6) == pytest.approx(0)
    assert statistics.luck(100, 1000) == pytest.approx(183.333 / math.sqrt(1847.2), rel=1e-3)


def test_too_few_rolls_say_nothing():
    assert statistics.chi_square([4] * 36) is None
    assert statistics.doubles_test([0] * 35 + [29]) is None
    assert statistics.serial_test([0] * 1296) is None


def test_crooked_dice_are_found():
    cells = [100] * 36
    cells[statistics.cell_of(6, 6)] = 200
    assert statistics.chi_square(cells).p < statistics.ALARM_BELOW
    assert statistics.doubles_count(cells) == 700
    assert statistics.doubles_test(cells).p < 1e-3
    repeats = [0] * 1296
    for cell in range(36):
        repeats[37 * cell] = 20  # every roll twice
    assert statistics.serial_test(repeats).p < statistics.ALARM_BELOW


@cache
def mapping() -> tuple[bytes, bytes]:
    """The value of each byte by the real mapping, for `bytes.translate`; and the rejected bytes."""
    faces, rejected = bytearray(256), bytearray()
    for byte in range(256):
        try:
            (faces[byte],) = dice_of_bytes((byte,), 1)
        except BadRoll:
            rejected.append(byte)
    return bytes(faces), bytes(rejected)


def stream(blocks: int) -> bytes:
    """The blocks of one message after the other under the keys of a chain, 256 blocks a key."""
    key, made = secret("ten million rolls"), []
    for number in range(blocks):
        if number % 256 == 0:
            key = step(GAME_ID, HOUSE, key)
        made.append(block(key, b"BGD1.roll", number))
    return b"".join(made)


def cells_of(faces: bytes) -> list[int]:
    """How often each ordered pair of faces occurs in a sequence of rolls."""
    rolls = len(faces) // 2
    found = Counter(zip(faces[: 2 * rolls : 2], faces[1 : 2 * rolls : 2], strict=True))
    return [found[one, two] for one in range(1, 7) for two in range(1, 7)]


def test_every_face_has_42_bytes_and_four_are_rejected():
    faces, rejected = mapping()
    assert list(rejected) == [252, 253, 254, 255]
    assert [faces.translate(None, b"\0").count(face) for face in range(1, 7)] == [42] * 6


def test_a_million_rolls_are_even():
    """The blocks and the mapping of the real rolls, read in one stream instead of roll by roll."""
    faces, rejected = mapping()
    millions = amount(1, long=10)
    cells = cells_of(stream(63_700 * millions).translate(faces, rejected))
    assert sum(cells) > 1_000_000 * millions
    assert statistics.chi_square(cells).p > statistics.ALARM_BELOW
    assert statistics.doubles_test(cells).p > statistics.ALARM_BELOW


@pytest.mark.slow
def test_a_bias_of_the_modulus_is_found():
    """The same bytes without rejection: four faces become a little more frequent."""
    biased = bytes(byte % 6 + 1 for byte in range(256))
    cells = cells_of(stream(160_000).translate(biased))
    assert statistics.chi_square(cells).p < statistics.ALARM_BELOW


def test_whole_rolls_are_even_and_do_not_follow_each_other():
    cells, pairs, before = [0] * 36, [0] * 1296, None
    house, white, black = (secret(f"even {who}") for who in "SWB")
    for number in range(amount(40_000, long=120_000)):
        house, game_id = step(GAME_ID, HOUSE, house), number.to_bytes(16, "big")
        dice = roll_dice(
            house,
            game_id=game_id,
            ctx=white,
            n=number % 1024,
            kind=2,
            flags=0,
            white=white,
            black=black,
        )
        cell = statistics.cell_of(*dice)
        cells[cell] += 1
        if before is not None:
            pairs[36 * before + cell] += 1
        before = cell
    assert statistics.chi_square(cells).p > statistics.ALARM_BELOW
    assert statistics.serial_test(pairs).p > statistics.ALARM_BELOW


def test_the_same_secrets_in_another_game_give_other_dice():
    one, two = (
        [
            roll_dice(
                secret("S"), game_id=secret(game)[:16], ctx=secret("ctx"), n=n, kind=2, flags=0,
                white=secret("W"), black=secret("B"),
            )
            for n in range(40)
        ]
        for game in ("one", "two")
    )  # fmt: skip
    assert one != two
    same = chain_tip(bytes(16), HOUSE, secret("S"))
    assert same != chain_tip(bytes(15) + b"1", HOUSE, secret("S"))
