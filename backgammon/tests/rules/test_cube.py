"""The doubling cube: the right to double, its value, and the price of a drop."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from backgammon.rules.cube import (
    Cube,
    CubeMoment,
    CubeRefusal,
    CubeRules,
    double_refusal,
    may_beaver,
    may_raccoon,
    opening_cube,
    points_for_dropping,
)
from backgammon.rules.errors import InvalidCube

PLAIN = CubeRules()
LATER = CubeMoment(Cube(), rolls=(3, 3))


@pytest.mark.parametrize(
    ("moment", "seat", "rules", "refusal"),
    [
        (LATER, 0, PLAIN, None),
        (replace(LATER, cube=Cube(2, 0)), 0, PLAIN, None),
        (replace(LATER, cube=Cube(2, 0)), 1, PLAIN, CubeRefusal.NOT_YOURS),
        (replace(LATER, has_cube=False), 0, PLAIN, CubeRefusal.NO_CUBE),
        (replace(LATER, is_crawford=True), 0, PLAIN, CubeRefusal.CRAWFORD),
        (replace(LATER, rolls=(0, 0)), 0, PLAIN, CubeRefusal.FIRST_TURN),
        (replace(LATER, rolls=(1, 0)), 1, PLAIN, None),
        (replace(LATER, cube=Cube(4096, 0)), 0, PLAIN, CubeRefusal.CAP),
        (replace(LATER, cube=Cube(64, 0)), 0, CubeRules(cap=64), CubeRefusal.CAP),
        (replace(LATER, cube=Cube(32, 0)), 0, CubeRules(cap=64), None),
        (replace(LATER, points_needed=(1, 4)), 0, PLAIN, CubeRefusal.DEAD),
        (replace(LATER, points_needed=(1, 4)), 1, PLAIN, None),
        (replace(LATER, cube=Cube(2, 1), points_needed=(5, 2)), 1, PLAIN, CubeRefusal.DEAD),
        (replace(LATER, cube=Cube(2, 1), points_needed=(5, 3)), 1, PLAIN, None),
        (replace(LATER, cube=Cube(8, 0), limit_points=10), 0, PLAIN, None),
        (replace(LATER, cube=Cube(16, 0), limit_points=10), 0, PLAIN, CubeRefusal.LIMIT),
    ],
)
def test_a_seat_may_double_unless(
    moment: CubeMoment, seat: int, rules: CubeRules, refusal: CubeRefusal | None
) -> None:
    assert double_refusal(moment, seat, rules) is refusal


def test_holland_lets_nobody_double_before_his_third_turn() -> None:
    """The beginner's turns come at rolls (0,0) (1,1) (2,2), the other's at (1,0) (2,1) (3,2)."""
    rules = CubeRules(holland=True)
    after_crawford = CubeMoment(Cube(), is_post_crawford=True, points_needed=(1, 4))
    refusals = [
        double_refusal(replace(after_crawford, rolls=rolls), 1, rules)
        for rolls in ((1, 0), (1, 1), (2, 1), (2, 2), (3, 2))
    ]
    assert refusals == [CubeRefusal.HOLLAND] * 3 + [None] * 2
    before = replace(after_crawford, is_post_crawford=False, rolls=(1, 0))
    assert double_refusal(before, 1, rules) is None


def test_a_double_a_beaver_and_a_raccoon() -> None:
    cube = Cube(2, owner=0)
    assert cube.taken_by(1) == Cube(4, 1)
    assert cube.beavered_by(1) == Cube(8, 1)
    assert cube.raccooned_to(1) == Cube(16, 1)


def test_dropping_costs_the_value_before_the_last_turn_of_the_cube() -> None:
    assert [points_for_dropping(Cube(2, 0), turns=turns) for turns in (1, 2, 3)] == [2, 4, 8]


@pytest.mark.parametrize(
    ("most", "equal_rolls", "value"), [(0, 3, 1), (1, 0, 1), (1, 1, 2), (1, 4, 2), (3, 2, 4)]
)
def test_automatic_doubles_leave_the_cube_in_the_middle(
    most: int, equal_rolls: int, value: int
) -> None:
    rules = CubeRules(auto_doubles_max=most)
    assert opening_cube(rules, equal_rolls=equal_rolls) == Cube(value, None)
    assert opening_cube(CubeRules(cap=1, auto_doubles_max=5), equal_rolls=4) == Cube(1)


@pytest.mark.parametrize("value", [0, -2, 3, 6, 8192])
def test_a_cube_shows_powers_of_two(value: int) -> None:
    with pytest.raises(InvalidCube, match="power of two"):
        Cube(value)


def test_a_cube_at_its_top_cannot_be_doubled() -> None:
    with pytest.raises(InvalidCube):
        Cube(4096, 0).taken_by(1)


@pytest.mark.parametrize(
    ("rules", "is_match", "message"),
    [
        (CubeRules(jacoby=True), True, "jacoby"),
        (CubeRules(beavers=True), True, "beavers"),
        (CubeRules(auto_doubles_max=1), True, "automatic"),
        (CubeRules(raccoons=True), False, "raccoons"),
        (CubeRules(holland=True, crawford=False), True, "Holland"),
        (CubeRules(auto_doubles_max=-1), False, "negative"),
        (CubeRules(cap=100), False, "power of two"),
    ],
)
def test_an_agreement_that_makes_no_sense_is_refused(
    rules: CubeRules, is_match: bool, message: str
) -> None:
    with pytest.raises(InvalidCube, match=message):
        rules.check(is_match=is_match)


@pytest.mark.parametrize("is_match", [True, False])
def test_the_defaults_make_sense(is_match: bool) -> None:
    CubeRules().check(is_match=is_match)
    CubeRules(holland=is_match, beavers=not is_match, raccoons=not is_match).check(
        is_match=is_match
    )


def test_beavers_and_raccoons_need_their_rule_and_room_under_the_cap() -> None:
    both = CubeRules(beavers=True, raccoons=True, cap=64)
    assert may_beaver(Cube(16, 0), both, is_match=False)
    assert not may_beaver(Cube(32, 0), both, is_match=False)
    assert not may_beaver(Cube(1), both, is_match=True)
    assert not may_beaver(Cube(1), CubeRules(), is_match=False)
    assert may_raccoon(Cube(8, 0), both, is_match=False)
    assert not may_raccoon(Cube(16, 0), both, is_match=False)
    assert not may_raccoon(Cube(1), CubeRules(beavers=True), is_match=False)
