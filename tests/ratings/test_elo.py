"""The rating formula and its command: worked cases, and properties for any pair of players."""

import json
import subprocess
import sys
from decimal import Context, Decimal, localcontext
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from hypothesis import given
from hypothesis import strategies as st

from harness.waiting import PROGRAM_SECONDS
from ratings.elo import EloError, EloStanding, ramp, rate, strength, whole
from ratings.management.commands.elo import answer as line_answer

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


# --- the command ----------------------------------------------------------------------------------
ROOT = Path(__file__).parents[2]
LINES = json.loads((ROOT / "tests" / "vectors" / "elo.json").read_text())
ASKED = ("winner_elo", "winner_experience", "loser_elo", "loser_experience", "n")


@pytest.mark.slow
def test_lines_are_answered_in_the_format_of_the_worked_cases() -> None:
    lines = "".join(json.dumps({key: case[key] for key in ASKED}) + "\n" for case in LINES)
    done = subprocess.run(
        [sys.executable, "manage.py", "elo", "--json"],
        cwd=ROOT,
        input=lines,
        capture_output=True,
        text=True,
        timeout=PROGRAM_SECONDS,
        check=True,
    )
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert told == [{key: case[key] for key in case if key not in ASKED} for case in LINES]


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("nonsense", "Expecting value"),
        ("[]", "not a JSON object"),
        ("{}", "missing: winner_elo"),
        ('{"winner_elo": NaN}', "NaN"),
        ('{"winner_elo": "x"}', "missing"),
        ("[" * 100_000, "recursion"),
        ('{"n": 1' + "0" * 5000 + "}", "digits"),
    ],
)
def test_bad_line_is_answered_with_its_error(line: str, part: str) -> None:
    told = line_answer(line)
    assert list(told) == ["error"]
    assert part in told["error"]


@pytest.mark.parametrize(
    ("name", "value", "part"),
    [
        ("winner_elo", "abc", "winner_elo: 'abc' is not a number"),
        ("winner_elo", True, "winner_elo"),
        ("winner_elo", "1e9999", "winner: rating"),
        ("loser_elo", None, "loser_elo"),
        ("loser_elo", "sNaN", "loser: rating"),
        ("loser_elo", [], "loser_elo"),
        ("winner_experience", -1, "winner: experience -1"),
        ("winner_experience", "3", "not a whole number"),
        ("loser_experience", 1.5, "not a whole number"),
        ("n", 0, "n 0 is not between"),
        ("n", True, "not a whole number"),
    ],
)
def test_bad_value_is_named(name: str, value: object, part: str) -> None:
    facts = {key: LINES[0][key] for key in ASKED} | {name: value}
    assert part in line_answer(json.dumps(facts))["error"]


def test_rating_may_be_a_json_number() -> None:
    facts = {key: LINES[0][key] for key in ASKED} | {"winner_elo": 1500.0, "loser_elo": 1500}
    assert line_answer(json.dumps(facts))["winner_new"] == LINES[0]["winner_new"]


def test_people_read_both_changes() -> None:
    out = StringIO()
    call_command("elo", "1500", "1600", "--n", "5", "--winner-experience", "400", stdout=out)
    assert out.getvalue().splitlines() == [
        "winner 1500.0000 -> 1505.0446 (+5.0446), experience 400 -> 405",
        "loser  1600.0000 -> 1574.7769 (-25.2231), experience 0 -> 5",
    ]


def test_people_hear_what_is_wrong() -> None:
    with pytest.raises(CommandError, match="winner_elo: 'x' is not a number"):
        call_command("elo", "x", "1500")
