"""The GNU Position ID, against IDs that GNU Backgammon printed."""

import base64
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backgammon.rules.errors import NotationError
from backgammon.rules.position import Position, Way
from backgammon.rules.position_id import format_position_id, parse_position_id
from backgammon.rules.variants import by_key
from backgammon.tests.notation.strategies import boards

START = by_key("backgammon").start
AFTER_31 = Position.parse("-2 0 0 0 2 4 0 2 0 0 0 -5 5 0 0 0 -3 0 -5 0 0 0 0 2 | bar 0 0 | off 0 0")
# On the bar: one of O, two of X, whose own view this is.
TWO_ON_THE_BAR = Position.parse(
    "-1 0 0 0 0 5 0 3 0 0 0 -5 5 0 0 0 -3 0 -5 0 0 0 0 0 | bar 2 1 | off 0 0"
)


@pytest.mark.parametrize(
    ("position", "text"),
    [
        (START, "4HPwATDgc/ABMA"),
        (AFTER_31, "4HPwATCwZ/ABMA"),
        (AFTER_31.turned(Way.AGAINST), "sGfwATDgc/ABMA"),
        (TWO_ON_THE_BAR, "4HPwAVDgc/ABYA"),
    ],
)
def test_ids_printed_by_gnu_backgammon(position: Position, text: str) -> None:
    assert format_position_id(position) == text
    assert parse_position_id(text) == position


def test_the_opponent_comes_first() -> None:
    """`ewMAAD4gAAAAAA` with O on roll is the XGID board -BDB-------------a------e-."""
    position = parse_position_id("ewMAAD4gAAAAAA")
    seen_by_x = position.turned(Way.AGAINST)
    assert seen_by_x.points[:3] == (2, 4, 2)
    assert seen_by_x.points[16] == -1
    assert seen_by_x.points[23] == -5


def test_checkers_missing_from_the_board_are_off() -> None:
    start = by_key("hypergammon").start
    text = format_position_id(start)
    assert parse_position_id(text, checkers=3) == start
    assert parse_position_id(text).off == (12, 12)


@given(boards())
def test_every_board_survives_the_way_there_and_back(position: Position) -> None:
    assert parse_position_id(format_position_id(position)) == position


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "0 characters"),
        ("4HPwATDgc/ABM", "13 characters"),
        ("4HPwATDgc/ABMAA", "15 characters"),
        ("4HPwATDgc-ABMA", "column 10"),
        ("/////////////w", "stops before"),
        ("AAAAAAAAAAAAIA", "goes on after"),
        ("4HPwATDgc/ABMB", "column 14"),
        ("4HPwATDgc/ABMÄ", "column 14"),
    ],
)
def test_broken_ids_name_their_fault(text: str, message: str) -> None:
    with pytest.raises(NotationError, match=message):
        parse_position_id(text)


def test_both_sides_cannot_stand_on_one_point() -> None:
    key = (1 << 0) | (1 << 26 + 23)  # his ace point is my 24
    text = base64.b64encode(key.to_bytes(10, "little")).decode().rstrip("=")
    with pytest.raises(NotationError, match="both sides on point 24"):
        parse_position_id(text)


def test_what_the_key_has_no_room_for_is_refused() -> None:
    with pytest.raises(NotationError, match="hand"):
        format_position_id(by_key("tabula").start)


@given(st.text(max_size=20))
def test_no_text_breaks_the_reader(text: str) -> None:
    with suppress(NotationError):
        parse_position_id(text)
