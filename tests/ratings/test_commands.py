"""manage.py elo for people and as JSON lines."""

import json
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from harness.waiting import PROGRAM_SECONDS
from ratings.management.commands.elo import answer

ROOT = Path(__file__).parents[2]
CASES = json.loads((ROOT / "tests" / "vectors" / "elo.json").read_text())
ASKED = ("winner_elo", "winner_experience", "loser_elo", "loser_experience", "n")


@pytest.mark.slow
def test_lines_are_answered_in_the_format_of_the_worked_cases() -> None:
    lines = "".join(json.dumps({key: case[key] for key in ASKED}) + "\n" for case in CASES)
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
    assert told == [{key: case[key] for key in case if key not in ASKED} for case in CASES]


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
    told = answer(line)
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
    facts = {key: CASES[0][key] for key in ASKED} | {name: value}
    assert part in answer(json.dumps(facts))["error"]


def test_rating_may_be_a_json_number() -> None:
    facts = {key: CASES[0][key] for key in ASKED} | {"winner_elo": 1500.0, "loser_elo": 1500}
    assert answer(json.dumps(facts))["winner_new"] == CASES[0]["winner_new"]


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
