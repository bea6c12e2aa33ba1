"""The answer to a question: plays with their moves, and the cube in words."""

from dataclasses import replace

import pytest

from backgammon.analysis.answers import PLAYS_MOST, answer_line
from backgammon.analysis.questions import analyse
from backgammon.analysis.verdicts import verdict
from backgammon.counting.positions import key_of
from backgammon.counting.situation import Situation
from backgammon.engines.sage import Sage
from backgammon.rules.errors import InvalidScore
from backgammon.rules.variants import by_key
from backgammon.rules.xgid import Xgid


def answer(text: str, depth: str = "quick", engine: Sage | None = None) -> dict[str, object]:
    return answer_line(key_of(Xgid.parse(text)), engine or Sage(), depth)  # type: ignore[arg-type] # tests name real ones


def test_the_best_play_of_an_opening_is_known() -> None:
    line = answer("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10")
    options = line["options"]
    assert isinstance(options, list)
    assert options[0]["text"] == "8/5 6/5"
    assert sorted(options[0]["moves"]) == [[6, 5], [8, 5]]
    assert options[0]["loss"] == 0 < options[1]["loss"]
    assert len(options) == PLAYS_MOST < int(str(line["choices"]))
    losses = [option["loss"] for option in options]
    assert losses == sorted(losses)


def test_a_score_beyond_the_match_table_is_refused() -> None:
    """Every equity there would be nought."""
    far = Situation(by_key("backgammon").start, away=(31, 5))
    with pytest.raises(InvalidScore, match="needs 31 points; the match table ends at 25"):
        analyse(far, (3, 1), depth="quick")
    assert analyse(replace(far, away=(25, 5)), (3, 1), depth="quick").judgement.best == "8/5 6/5"


def test_a_deep_search_says_how_far_it_is() -> None:
    told: list[int] = []
    line = answer("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10", "deep", Sage(told.append))
    assert line["ply"] == 3
    assert told == sorted(told)
    assert told[0] < 30 < told[-1] < 100


@pytest.mark.parametrize(
    ("no_double", "double_take", "turns_most", "expected"),
    [
        (0.3, 0.1, 1, "no_double"),
        (0.5, 0.7, 1, "double_take"),
        (0.9, 1.2, 1, "double_drop"),
        (1.3, 1.5, 1, "too_good"),
        (-0.2, -0.4, 2, "no_double_beaver"),
        (-0.9, -0.4, 2, "double_beaver"),
        (-0.2, -0.4, 1, "no_double"),
    ],
)
def test_a_verdict_follows_from_three_equities(
    no_double: float, double_take: float, turns_most: int, expected: str
) -> None:
    assert verdict(no_double, double_take, turns_most) == expected


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        ("XGID=-b----E-C---eE---c-e----B-:1:-1:1:00:0:0:0:0:10", "not_yours"),
        ("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:4:2:1:5:10", "crawford"),
        ("XGID=-b----E-C---eE---c-e----B-:1:1:1:00:3:2:0:5:10", "dead"),
    ],
)
def test_where_nobody_may_double_the_answer_says_why(text: str, refusal: str) -> None:
    line = answer(text)
    assert (line["verdict"], line["refusal"]) == ("no_cube", refusal)
    assert line["double_take"] is None
    assert isinstance(line["no_double"], float)


def test_the_owner_of_the_cube_redoubles() -> None:
    assert answer("XGID=-b----E-C---eE---c-e----B-:1:1:1:00:0:0:0:0:10")["redouble"] is True
