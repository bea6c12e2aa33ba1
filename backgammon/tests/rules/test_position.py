"""Positions: their text, their errors, how they turn, pips and contact."""

from __future__ import annotations

import pytest

from backgammon.rules.errors import InvalidPosition
from backgammon.rules.position import Position, Way
from backgammon.rules.variants import by_key

START = "-2 0 0 0 0 5 0 3 0 0 0 -5 5 0 0 0 -3 0 -5 0 0 0 0 2 | bar 0 0 | off 0 0"
EMPTY = " ".join(["0"] * 24)


def test_a_text_is_read_with_or_without_its_hand_and_written_with_it() -> None:
    assert Position.parse(START).text() == START + " | hand 0 0"
    assert str(Position.parse(START + " | hand 0 0")) == START + " | hand 0 0"


def test_pins_are_read_and_written() -> None:
    text = f"1p -3p {' '.join(['0'] * 22)} | bar 0 0 | off 11 13 | hand 0 0"
    position = Position.parse(text)
    assert position.pinned == (1, 2)
    assert position.own() == {1: 1, 2: 1}
    assert position.opposing() == {1: 1, 2: 3}
    assert position.text() == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "24 points"),
        ("1 2 3 | bar 0 0 | off 0 0", "24 points, this one has 3"),
        (START.replace("5 0 3", "5 x 3"), "point 7: 'x'"),
        (START.replace("-2", "--2"), "point 1: '--2'"),
        (START.replace("-2", "²"), "point 1"),
        (START.replace("-2", "99"), "point 1: 99 checkers"),
        (START.replace("-2", "0p"), "point 1: nothing lies on top"),
        (EMPTY, "after the points"),
        (EMPTY + " | bar 0 0", "after the points"),
        (EMPTY + " | off 0 0 | bar 0 0", "expected 'bar a b'"),
        (EMPTY + " | bar 0 | off 0 0", "expected 'bar a b'"),
        (EMPTY + " | bar 0 -1 | off 0 0", "bar: two numbers"),
        (EMPTY + " | bar 0 0 | off 0 16", "off: two numbers"),
        (START + " | hand 0 0 | more 0 0", "after the points"),
    ],
)
def test_a_broken_text_is_refused_and_the_error_names_the_place(text: str, message: str) -> None:
    with pytest.raises(InvalidPosition, match=message):
        Position.parse(text)


@pytest.mark.parametrize(
    ("key", "position", "message"),
    [
        ("backgammon", f"{EMPTY} | bar 0 0 | off 15 14", "the opponent has 14 checkers"),
        ("hypergammon", START, "the mover has 15 checkers instead of 3"),
        ("plakoto", f"{EMPTY} | bar 1 0 | off 14 15", "plakoto has no bar"),
        ("long_nardi", f"{EMPTY} | bar 0 1 | off 15 14", "long_nardi has no bar"),
        ("backgammon", f"{EMPTY} | bar 0 0 | off 14 15 | hand 1 0", "backgammon has no hand"),
        ("backgammon", f"1p {EMPTY[2:]} | bar 0 0 | off 14 14", "never pinned|ever pinned"),
    ],
)
def test_a_position_that_cannot_stand_is_refused(key: str, position: str, message: str) -> None:
    with pytest.raises(InvalidPosition, match=message):
        by_key(key).legal_plays(Position.parse(position), (2, 1))


@pytest.mark.parametrize(
    "pinned", [(2, 1), (1, 1), (0,), (25,), (3,)], ids=["unsorted", "twice", "0", "25", "empty"]
)
def test_pins_must_be_somewhere_and_in_order(pinned: tuple[int, ...]) -> None:
    points = (1, 1, *[0] * 22)
    off = (13, 15 - len(pinned))
    with pytest.raises(InvalidPosition):
        by_key("plakoto").check(Position(points, off=off, pinned=pinned))


@pytest.mark.parametrize(
    ("way", "point", "his"),
    [
        (Way.AGAINST, 24, 1),
        (Way.AGAINST, 6, 19),
        (Way.HALF, 24, 12),
        (Way.HALF, 1, 13),
        (Way.SAME, 7, 7),
    ],
)
def test_the_two_numberings_meet(way: Way, point: int, his: int) -> None:
    assert way.across(point) == his
    assert way.across(his) == point


def test_a_turned_position_is_the_opponents_view() -> None:
    position = Position.parse("-1p " + " ".join(["0"] * 22) + " 2 | bar 0 0 | off 12 14")
    turned = position.turned(Way.AGAINST)
    assert turned.points == (-2, *[0] * 22, 1)
    assert turned.pinned == (24,)
    assert turned.off == (14, 12)


@pytest.mark.parametrize(
    ("key", "pips"),
    [
        ("backgammon", 167),
        ("nackgammon", 194),
        ("hypergammon", 69),
        ("plakoto", 360),
        ("long_nardi", 360),
        ("tabula", 375),
    ],
)
def test_the_pips_of_a_start(key: str, pips: int) -> None:
    variant = by_key(key)
    assert variant.start.pips(variant.way) == (pips, pips)


@pytest.mark.parametrize(
    ("text", "way", "contact"),
    [
        (START, Way.AGAINST, True),
        ("1 -1 " + " ".join(["0"] * 22), Way.AGAINST, False),
        ("-1 1 " + " ".join(["0"] * 22), Way.AGAINST, True),
        ("-1 1 " + " ".join(["0"] * 22), Way.SAME, True),
        ("1 " + " ".join(["0"] * 22) + " -1", Way.HALF, False),
        (" ".join(["0"] * 11) + " -1 1 " + " ".join(["0"] * 11), Way.HALF, True),
        (" ".join(["0"] * 11) + " 1 -1 " + " ".join(["0"] * 11), Way.HALF, False),
    ],
)
def test_contact(text: str, way: Way, contact: bool) -> None:
    trays = "" if "|" in text else " | bar 0 0 | off 14 14"
    position = Position.parse(text + trays)
    assert position.contact(way) is contact
    assert position.race(way) is not contact


def test_who_waits_on_the_bar_or_in_the_hand_is_in_contact() -> None:
    home = "1 " + " ".join(["0"] * 23)
    assert Position.parse(f"{home} | bar 0 1 | off 14 14").contact()
    assert Position.parse(f"{home} | bar 0 0 | off 14 14 | hand 0 1").contact()
    assert not Position.parse(f"{home} | bar 0 0 | off 14 15").contact()
