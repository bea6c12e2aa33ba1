"""Exercises without a database: themes, grades, boxes, and what the engine makes."""

from datetime import UTC, datetime, timedelta
from random import Random

import pytest

from analysis.exercises.boxes import BOX_DAYS, Tried, standing_of
from analysis.exercises.grading import difficulty_of, grade_of, graded
from analysis.exercises.themes import THEMES, theme_of
from analysis.training.house_set import lines_of_file
from analysis.training.making import made, mixed
from backgammon.counting.positions import roll_of, situation_of
from backgammon.rules.xgid import Xgid
from tests.analysis.test_queue import ENGINE

NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("theme", "xgid"),
    [
        ("opening", "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"),
        ("bar", "XGID=-b----E-C---eE---c-e----AA:0:0:1:31:0:0:0:0:10"),
        ("off", "XGID=-CGB--A-------------bdbeb-:1:-1:1:41:0:0:0:0:10"),
        ("race", "XGID=-ABCCABAA-----A-----bcebb-:1:1:1:44:0:0:0:0:10"),
        ("priming", "XGID=-aAa-BCCBB-----b-c-bcb-A--:0:0:1:63:0:0:0:0:10"),
        ("hitting", "XGID=-a-a-CC-DA--cB---c-dc---B-:0:0:1:32:0:0:0:0:10"),
        ("holding", "XGID=---B-CCc--B--C-b-bbdB---b-:0:0:1:21:0:0:0:0:10"),
        ("middle", "XGID=-A---bDCB---cB-b--Ccc-b---:0:0:1:33:0:0:0:0:10"),
    ],
)
def test_a_theme_is_a_fact_of_the_position(theme: str, xgid: str) -> None:
    asked = Xgid.parse(xgid)
    situation = situation_of(asked)
    assert asked.dice
    results = [choice.result for choice in roll_of(situation, asked.dice).choices]
    assert theme_of("play", situation, results) == theme
    assert theme_of("take", situation) == "take"


@pytest.mark.parametrize(
    ("loss", "grade"),
    [(0.0, "found"), (0.0199, "found"), (0.02, "close"), (0.04, "error"), (0.08, "blunder")],
)
def test_the_grade_is_that_of_the_loss(loss: float, grade: str) -> None:
    assert grade_of(loss) == grade


def test_an_answer_that_is_not_listed_loses_at_least_as_much_as_the_worst() -> None:
    options = [("8/4 6/4", 0.16), ("13/9 6/4", 0.05)]
    assert graded("8/4 6/4", options).loss == 0
    assert graded("13/9 6/4", options).loss == pytest.approx(0.11)
    other = graded("24/18", options)
    assert (other.loss, other.at_least) == (pytest.approx(0.11), True)
    assert [difficulty_of(gap, misleading=False) for gap in (0.2, 0.07, 0.03)] == [1, 2, 3]


def test_what_is_found_rests_longer_and_longer() -> None:
    at, tries = NOON, []
    for days in (*BOX_DAYS[1:], BOX_DAYS[-1]):
        tries.append(Tried(0.0, at))
        standing = standing_of(tries)
        assert standing is not None
        assert standing.due_at - at == timedelta(days=days)
        at = standing.due_at
    assert standing.box == len(BOX_DAYS)
    assert standing_of([]) is None


def test_a_wrong_answer_leads_back_and_a_repetition_too_early_counts_for_nothing() -> None:
    found, again = Tried(0.0, NOON), Tried(0.0, NOON + timedelta(hours=1))
    first, second = standing_of([found]), standing_of([found, again])
    assert first is not None
    assert second is not None
    assert (second.box, second.due_at) == (first.box, first.due_at) == (2, NOON + timedelta(days=3))
    wrong = Tried(0.1, NOON + timedelta(hours=2))
    back = standing_of([found, again, wrong])
    assert back is not None
    assert (back.box, back.due_at, back.last) == (1, wrong.at + timedelta(days=1), "blunder")


@pytest.mark.slow
def test_the_engine_makes_exercises_with_a_clear_best_option() -> None:
    """The same seed makes the same ones."""
    rows = list(made(ENGINE, 3, Random(7)))
    assert rows == list(made(ENGINE, 3, Random(7)))
    for row in rows:
        equities = [option["equity"] for option in row["line"]["options"]]
        assert equities[0] - equities[1] + 0.0001 >= 0.03
        assert equities[0] == max(equities)
    assert sorted(map(str, mixed(rows))) == sorted(map(str, rows))


def test_the_set_of_the_house_has_every_theme_and_both_answers() -> None:
    lines = lines_of_file()
    assert len({line["xgid"] for line in lines}) == len(lines) >= 60
    assert [line["theme"] for line in lines[: len(THEMES)]] == list(THEMES)
    for kind in ("double", "take"):
        best = {line["line"]["options"][0]["text"] for line in lines if line["kind"] == kind}
        assert len(best) == 2
    for line in lines:
        asked = Xgid.parse(line["xgid"])
        situation = situation_of(asked)
        results = []
        if asked.dice:
            results = [choice.result for choice in roll_of(situation, asked.dice).choices]
        assert theme_of(line["kind"], situation, results) == line["theme"]
