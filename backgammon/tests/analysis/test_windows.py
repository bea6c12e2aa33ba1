"""The window of a double: the known points of unlimited play, and those of a score."""

import pytest

from backgammon.counting.chances import window
from backgammon.counting.situation import MINE, Situation
from backgammon.engines.sage import house_engine
from backgammon.rules.cube import Cube
from backgammon.rules.variants import by_key

START = by_key("backgammon").start
PLAIN = (0.6, 0.0, 0.0, 0.0, 0.0)
TABLE = house_engine().table


def test_without_gammons_unlimited_play_has_25_and_50() -> None:
    found = window(Situation(START), PLAIN, TABLE)
    assert found is not None
    assert (found.take, found.double) == (0.25, 0.5)


def test_gammons_of_the_doubler_make_taking_dearer() -> None:
    found = window(Situation(START), (0.6, 0.3, 0.0, 0.0, 0.0), TABLE)
    assert found is not None
    # half of the wins are worth 4 with the cube at 2: 3p - 1 against 1
    assert found.take == pytest.approx((3 - 1) / (3 + 2))
    assert found.double < 0.5


def test_with_jacoby_gammons_count_after_a_double_only() -> None:
    chances = (0.6, 0.3, 0.0, 0.0, 0.0)
    free, jacoby = Situation(START), Situation(START, jacoby=True)
    without, with_rule = window(free, chances, TABLE), window(jacoby, chances, TABLE)
    assert without is not None
    assert with_rule is not None
    assert with_rule.double < without.double
    owned = window(Situation(START, Cube(2, MINE), jacoby=True), chances, TABLE)
    assert owned is not None
    assert owned.double == pytest.approx(without.double)


def test_at_two_points_each_the_cube_is_worth_the_match() -> None:
    found = window(Situation(START, away=(2, 2)), PLAIN, TABLE)
    assert found is not None
    # whoever takes plays for the match; dropping leaves one point against two, Crawford's game
    assert found.take == pytest.approx(TABLE((2, 1), False) * 1.0, abs=0.02)
    assert 0.45 < found.double <= 0.5


def test_a_cube_that_decides_nothing_has_no_window() -> None:
    assert window(Situation(START, Cube(2, MINE), away=(1, 1)), PLAIN, TABLE) is None
