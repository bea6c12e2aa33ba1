"""The points of a game, a resignation and a forfeit."""

from __future__ import annotations

import pytest

from backgammon.rules.errors import InvalidPosition, InvalidScore
from backgammon.rules.position import Position
from backgammon.rules.scoring import (
    counted_level,
    game_points,
    leave_level,
    leave_points,
    resignation_levels,
)
from backgammon.rules.variants import ALL, by_key

RACE = "0 0 0 0 7 7 0 0 0 0 0 1 0 -5 0 0 0 0 0 0 0 -5 -5 0 | bar 0 0 | off 0 0"
ONE_OFF = "-2 0 0 4 5 5 0 0 0 0 0 0 0 0 0 0 0 0 0 -5 0 0 0 0 | bar 0 0 | off 1 8"


def test_the_cube_multiplies_the_level() -> None:
    assert game_points(4, 3) == 12
    assert game_points(8, 0) == 0
    with pytest.raises(InvalidScore):
        game_points(0, 1)


def test_jacoby_counts_gammons_only_after_a_take() -> None:
    assert [counted_level(n, jacoby=True) for n in (0, 1, 2, 3)] == [0, 1, 1, 1]
    assert [counted_level(n, jacoby=True, double_taken=True) for n in (1, 2, 3)] == [1, 2, 3]
    assert counted_level(3) == 3


@pytest.mark.parametrize(
    ("key", "level"),
    [
        ("backgammon", 3),
        ("nackgammon", 3),
        ("hypergammon", 3),
        ("short_nardi", 3),
        ("portes", 2),
        ("misere", 1),
        ("acey_deucey", 15),
        ("plakoto", 2),
        ("tapa", 2),
        ("long_nardi", 2),
        ("fevga", 2),
        ("gul_bara", 2),
        ("russian", 2),
        ("tabula", 2),
    ],
)
def test_leaving_at_the_start_costs_everything(key: str, level: int) -> None:
    variant = by_key(key)
    assert leave_level(variant, variant.start) == level
    assert variant in ALL


@pytest.mark.parametrize(("rearmost", "level"), [(17, 2), (18, 2), (19, 3), (20, 3)])
def test_in_a_race_a_backgammon_needs_a_man_in_the_winners_home(rearmost: int, level: int) -> None:
    points = [0] * 24
    points[0], points[rearmost - 1], points[23] = 14, 1, -15
    position = Position(tuple(points))
    assert position.race()
    assert leave_level(by_key("backgammon"), position) == level


def test_a_checker_off_saves_all_but_one() -> None:
    position = Position.parse(ONE_OFF)
    assert leave_level(by_key("portes"), position) == 1
    assert leave_level(by_key("misere"), position) == 1
    acey = Position.parse("0 0 0 0 5 5 0 0 0 0 0 0 0 0 0 0 0 0 0 -5 0 0 0 0 | bar 0 0 | off 5 10")
    assert leave_level(by_key("acey_deucey"), acey) == 10


def test_resigning_is_offered_up_to_what_can_still_be_lost() -> None:
    backgammon = by_key("backgammon")
    race = Position.parse(RACE)
    assert resignation_levels(backgammon, backgammon.start) == (1, 2, 3)
    assert resignation_levels(backgammon, race) == (1, 2)
    assert resignation_levels(backgammon, race, refused_level=1) == (2,)
    assert resignation_levels(backgammon, race, jacoby=True) == (1,)
    assert resignation_levels(backgammon, race, jacoby=True, double_taken=True) == (1, 2)
    assert resignation_levels(backgammon, Position.parse(ONE_OFF)) == (1,)


@pytest.mark.parametrize(
    ("cube", "level", "answers_double", "needed", "points"),
    [
        (1, 3, False, None, 3),
        (4, 2, False, None, 8),
        (4, 3, True, None, 4),
        (4, 3, False, 5, 5),
        (2, 1, True, 1, 1),
    ],
)
def test_a_leaver_loses(
    cube: int, level: int, answers_double: bool, needed: int | None, points: int
) -> None:
    assert leave_points(cube, level, answers_double=answers_double, points_needed=needed) == points


def test_an_impossible_position_has_no_level() -> None:
    with pytest.raises(InvalidPosition):
        leave_level(by_key("backgammon"), by_key("nackgammon").start.__class__((0,) * 24))
