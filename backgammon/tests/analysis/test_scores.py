"""The cube at other scores, take points and gammon values of an answer."""

import pytest

from backgammon.analysis.answers import answer_line
from backgammon.analysis.scores import SCORES_MOST
from backgammon.counting.positions import key_of
from backgammon.engines.sage import Sage
from backgammon.rules.xgid import Xgid

BOARD = "-b----E-C---eE---c-e----B-"


def line(rest: str, board: str = BOARD) -> dict[str, object]:
    return answer_line(key_of(Xgid.parse(f"XGID={board}:{rest}")), Sage(), "quick")


def test_every_score_has_the_verdict_that_its_own_question_has() -> None:
    board = "-b---BDBB---dC--ac-e----B-"
    scores = line("0:0:1:00:0:0:0:0:10", board)["scores"]
    assert isinstance(scores, list)
    assert [len(row) for row in scores] == [SCORES_MOST] * SCORES_MOST
    for mine, theirs in ((2, 2), (2, 5), (4, 3), (7, 7)):
        asked = line(f"0:0:1:00:{7 - mine}:{7 - theirs}:0:7:10", board)
        assert asked["verdict"] == scores[mine - 1][theirs - 1]
    assert scores[0] == ["no_cube"] * SCORES_MOST, "whoever needs one point turns no cube"
    assert (
        line("0:0:1:00:3:2:0:7:10", board)["unlimited"]
        == line("0:0:1:00:0:0:0:0:10", board)["verdict"]
    )


@pytest.mark.parametrize(
    ("rest", "values"),
    [
        ("0:0:1:00:0:0:0:0:10", (0.5, 0.5)),
        ("0:0:1:00:4:4:0:5:10", (0.0, 0.0)),  # one point is enough for both
        ("0:0:1:00:3:4:1:5:10", (1.0, 0.0)),  # Crawford's game: a gammon wins the match
    ],
)
def test_gammons_are_worth_what_the_score_makes_of_them(
    rest: str, values: tuple[float, float]
) -> None:
    found = line(rest)["gammon_values"]
    assert isinstance(found, list)
    assert found == pytest.approx(values, abs=0.07)


def test_the_take_point_without_gammons_is_a_quarter() -> None:
    found = line("0:0:1:00:0:0:0:0:10", "---BBBBB-----------bbbbb--")
    assert found["take_point"] == pytest.approx(0.25, abs=0.02)
    assert found["double_point"] == pytest.approx(0.5, abs=0.02)
