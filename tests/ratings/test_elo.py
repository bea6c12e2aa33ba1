"""The rating formula: worked cases, and properties for any pair of players."""

import json
from decimal import Context, Decimal, localcontext
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.elo import EloError, EloStanding, ramp, rate, strength, whole

CASES = json.loads((Path(__file__).parents[1] / "vectors" / "elo.json").read_text())

elos = st.decimals("0", "4000", places=4)
standings = st.builds(EloStanding, elos, st.integers(0, 20_000))
worths = st.integers(1, 25)


def answer(case: dict) -> dict:
    outcome = rate(
        EloStanding(Decimal(case["winner_elo"]), case["winner_experience"]),
        EloStanding(Decimal(case["loser_elo"]), case["loser_experience"]),
        case["n"],
    )
    return {
        "winner_new": str(outcome.winner.elo),
        "loser_new": str(outcome.loser.elo),
        "winner_experience_new": outcome.winner.experience,
        "loser_experience_new": outcome.loser.experience,
    }


@pytest.mark.parametrize("number", range(len(CASES)))
def test_worked_case_comes_out_to_the_last_place(number: int) -> None:
    case = CASES[number]
    assert answer(case) == {key: case[key] for key in answer(case)}


@given(standings, standings, worths)
def test_winner_never_loses_and_loser_never_gains(
    winner: EloStanding, loser: EloStanding, n: int
) -> None:
    outcome = rate(winner, loser, n)
    assert outcome.winner.elo >= winner.elo
    assert outcome.loser.elo <= loser.elo
    assert outcome.winner.experience == winner.experience + n
    assert outcome.loser.experience == loser.experience + n


@given(elos, elos, st.integers(0, 20_000), worths)
def test_equal_experience_keeps_the_sum(one: Decimal, two: Decimal, experience: int, n: int):
    outcome = rate(EloStanding(one, experience), EloStanding(two, experience), n)
    assert abs(outcome.winner.elo + outcome.loser.elo - one - two) <= Decimal("0.0001")


@given(elos, elos, st.integers(0, 20_000), worths)
def test_upset_moves_more_than_the_expected(one: Decimal, two: Decimal, experience: int, n: int):
    low, high = sorted((one, two))
    upset = rate(EloStanding(low, experience), EloStanding(high, experience), n).winner.elo - low
    expected = (
        rate(EloStanding(high, experience), EloStanding(low, experience), n).winner.elo - high
    )
    assert upset >= expected


@given(standings, standings, worths)
def test_answer_ignores_the_surrounding_decimal_context(
    winner: EloStanding, loser: EloStanding, n: int
) -> None:
    usual = rate(winner, loser, n)
    with localcontext(Context(prec=5, rounding="ROUND_UP")):
        assert rate(winner, loser, n) == usual


@pytest.mark.parametrize(
    ("experience", "expected"), [(0, "5"), (1, "4.99"), (399, "1.01"), (400, "1"), (9000, "1")]
)
def test_newcomers_move_faster(experience: int, expected: str) -> None:
    assert ramp(experience) == Decimal(expected)


@pytest.mark.parametrize(
    ("elo", "group"),
    [
        ("1299.4999", 1),
        ("1299.5001", 2),
        ("1300", 2),
        ("1449", 2),
        ("1450", 3),
        ("1549", 3),
        ("1550", 4),
        ("1699", 4),
        ("1700", 5),
        ("1849", 5),
        ("1850", 6),
        ("-3", 1),
        ("9999", 6),
    ],
)
def test_strength_follows_the_rating_that_is_shown(elo: str, group: int) -> None:
    assert strength(Decimal(elo)) == group


@pytest.mark.parametrize(
    ("elo", "shown"), [("1477.6393", 1478), ("1500.5", 1500), ("1501.5", 1502)]
)
def test_rating_is_shown_whole(elo: str, shown: int) -> None:
    assert whole(Decimal(elo)) == shown


@pytest.mark.parametrize("elo", ["NaN", "Infinity", "-Infinity", "100000", "-100000"])
def test_no_rating_is_refused(elo: str) -> None:
    with pytest.raises(EloError):
        EloStanding(Decimal(elo), 0)


def test_negative_experience_is_refused() -> None:
    with pytest.raises(EloError):
        EloStanding(Decimal(1500), -1)


@pytest.mark.parametrize("n", [0, -1, 1001])
def test_worthless_match_is_refused(n: int) -> None:
    with pytest.raises(EloError):
        rate(EloStanding(), EloStanding(), n)


def test_extreme_difference_still_answers() -> None:
    outcome = rate(EloStanding(Decimal(99_999)), EloStanding(Decimal(-99_999)), 1000)
    assert outcome.winner.elo == Decimal("99999.0000")
