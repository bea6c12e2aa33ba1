"""A rollout that decides about an error where judges differ."""

import pytest

from backgammon.analysis.checks import check_of, checked, judges_differ
from backgammon.analysis.depths import judged, judged_at
from backgammon.analysis.json_lines import decision_line
from backgammon.counting.chances import span
from backgammon.counting.decisions import Answer, DecidedPlay, DecisionPlace, Doubling
from backgammon.counting.figures import Judged
from backgammon.counting.judging import ROLLED, RolledOut
from backgammon.counting.positions import roll_of, situation_of, xgid_of
from backgammon.engines.sage import house_engine
from backgammon.formats.record import CubeVerb

ENGINE = house_engine()
PLACE = DecisionPlace(1, 1, 0)
START = situation_of(xgid_of("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:5:10"))

#: X bears off on 19 of 36 rolls, else O does with the next roll, at 3 away and 4 away.
LAST_ROLL = situation_of(xgid_of("XGID=----A-A----------------b--:0:0:1:00:1:0:0:4:10"))


@pytest.mark.parametrize(
    ("losses", "differ"),
    [
        ([0.083, 0.043], True),
        ([0.083, 0.0431], False),
        ([0.012, 0.052], True),
        ([0.019, 0.0], False),
        ([0.061], False),
        ([0.061, 0.05, 0.02], True),
        ([], False),
    ],
)
def test_judges_differ_from_40_thousandths_on_about_an_error(
    losses: list[float], differ: bool
) -> None:
    assert judges_differ(losses) is differ


def blunder() -> DecidedPlay:
    return roll_of(START, (3, 1), "24/20")


def test_the_play_made_the_best_one_and_those_of_other_judges_are_rolled_out() -> None:
    play = blunder()
    course = check_of(play, judged(play, ENGINE, "deep"), ENGINE, {"24/23 13/10"}, "a")
    assert course is not None
    names = {each.option.text for each in course.candidates}
    assert names == {"8/5 6/5", "24/20", "24/23 13/10"}


def test_the_loss_is_that_of_the_rollout_with_its_standard_error() -> None:
    play = blunder()
    deep = judged(play, ENGINE, "deep")
    course = check_of(play, deep, ENGINE, (), "a")
    assert course is not None
    assert [each.option.text for each in course.candidates] == ["8/5 6/5", "24/20"]
    blocks = [[0.20, 0.10], [0.22, 0.14], [0.18, 0.06], [0.20, 0.10]]
    decided = checked(play, deep, course, blocks)
    assert decided.loss == pytest.approx(0.1)
    assert decided.mark == "??"
    assert decided.rolled is not None
    assert decided.rolled.trials == 4 * 36
    assert decided.rolled.error == pytest.approx(0.0082, abs=0.0001)
    assert [(o.text, o.ply) for o in decided.options[:2]] == [
        ("8/5 6/5", ROLLED),
        ("24/20", ROLLED),
    ]
    assert len(decided.options) == len(deep.options)
    assert all(option.ply <= 3 for option in decided.options[2:])
    turned = checked(play, deep, course, [block[::-1] for block in blocks])
    assert (turned.best, turned.loss, turned.mark) == ("24/20", 0.0, "")


def test_a_line_says_how_exact_the_loss_is() -> None:
    play = blunder()
    deep = judged(play, ENGINE, "deep")
    course = check_of(play, deep, ENGINE, (), "a")
    assert course is not None
    decided = checked(play, deep, course, [[0.2, 0.1]] * 4)
    lines = [
        decision_line(Judged(play, each, span(START, ENGINE.table)), ("a", "b"), ENGINE, "checked")
        for each in (deep, decided)
    ]
    assert lines[0]["rollout"] is None
    assert lines[1]["rollout"] == {"trials": 144, "error": 0.0}
    assert (lines[1]["loss"], lines[1]["ply"]) == (0.1, ROLLED)


def test_a_double_and_its_answer_are_decided_by_the_same_rollout() -> None:
    """19 of 36 win at once; a take and a drop are the doubler's two results."""
    doubling = Doubling(PLACE, LAST_ROLL, doubled=False)
    drop = Answer(PLACE, LAST_ROLL, 1, CubeVerb.DROP)
    for decision, loss in ((doubling, 0.3), (drop, 0.4)):
        searched = judged_at(decision, ENGINE, 2)
        course = check_of(decision, searched, ENGINE, (), "a")
        assert course is not None
        decided = checked(decision, searched, course, [[0.3, 0.6]] * 4)
        assert decided.loss == pytest.approx(loss)
        assert decided.rolled == RolledOut(144, 0.0)
        assert decided.cube is not None
        assert decided.cube.ply == ROLLED


def test_what_was_looked_up_is_not_rolled_out() -> None:
    situation = situation_of(xgid_of("XGID=----A-A----------------b--:0:0:1:00:0:0:0:0:10"))
    decision = Doubling(PLACE, situation, doubled=False)
    assert check_of(decision, judged_at(decision, ENGINE, 2), ENGINE, (), "a") is None
