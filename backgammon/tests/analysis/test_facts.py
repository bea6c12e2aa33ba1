"""The facts of a play are counted on the board: shots in 36ths, points, hits, checkers off."""

import pytest

from backgammon.counting.positions import roll_of
from backgammon.counting.situation import Situation
from backgammon.facts.plays import PlayFacts, differences, facts_of
from backgammon.facts.shots import blots, shots
from backgammon.rules.position import Position
from backgammon.rules.variants import by_key

START = by_key("backgammon").start


def alone(distance: int) -> Position:
    """An own blot so far before a single opposing checker, and nothing else near."""
    points = [0] * 24
    points[17] = 1
    points[17 - distance] = -1
    return Position.parse(" ".join(map(str, points)) + " | bar 0 0 | off 14 14")


@pytest.mark.parametrize(
    ("distance", "rolls"),
    # Magriel, "Backgammon", 1976: the table of shots of a single checker, with nothing between
    [(1, 11), (2, 12), (3, 14), (4, 15), (5, 15), (6, 17), (7, 6), (8, 6), (9, 5), (10, 3),
     (11, 2), (12, 3), (15, 1), (16, 1)],
)  # fmt: skip
def test_shots_are_those_of_the_books(distance: int, rolls: int) -> None:
    assert shots(alone(distance)) == rolls


def test_a_blot_that_nobody_can_reach_is_no_blot() -> None:
    assert blots(alone(3)) == (18,)
    past = Position.parse("1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 -1 0 | bar 0 0 | off 14 14")
    assert (blots(past), shots(past)) == ((), 0)


def test_a_checker_in_the_opponents_home_is_no_risk() -> None:
    back = Position.parse("0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 -1 1 0 0 0 | bar 0 0 | off 14 14")
    assert (blots(back), shots(back)) == ((21,), 0)


def made(position: Position, dice: tuple[int, int], text: str) -> PlayFacts:
    play = roll_of(Situation(position), dice, text).played
    assert play is not None
    return facts_of(position, play.result)


def test_points_that_are_made_and_given_up() -> None:
    five = made(START, (3, 1), "8/5 6/5")
    assert (five.made, five.broken, five.blots, five.home) == ((5,), (), (), 2)
    six = made(START, (6, 4), "24/18 13/9")
    assert (six.made, six.broken, six.back) == ((), (24,), 1)
    assert (six.blots, six.shots) == ((9, 18, 24), 27)


def test_a_play_that_hits_and_one_that_bears_off() -> None:
    hit = made(alone(3), (2, 1), "18/15*")
    assert (hit.hits, hit.blots) == (1, (15,))
    off = Position.parse("2 2 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 -2 | bar 0 0 | off 11 13")
    assert made(off, (6, 5), "2/off(2)").off == 2


def test_two_plays_differ_in_what_they_do() -> None:
    best, other = made(START, (3, 1), "8/5 6/5"), made(START, (3, 1), "24/20")
    found = {each.name: (each.best, each.played) for each in differences(best, other)}
    assert found["made"] == ((5,), ())
    assert found["broken"] == ((), (24,))
    assert "shots" not in found
    slot = made(START, (3, 1), "13/10 6/5")
    assert differences(best, slot)[0].name == "shots"
    assert differences(best, best) == []
