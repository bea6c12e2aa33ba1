"""The drawn board: its text, and that it can be read back."""

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backgammon.rules.drawing import draw, parse_drawing
from backgammon.rules.errors import NotationError
from backgammon.rules.position import Position
from backgammon.rules.variant import Variant
from backgammon.rules.variants import by_key
from backgammon.tests.amounts import amount
from backgammon.tests.notation.strategies import boards, positions_of_play, variants

START = """
+13-14-15-16-17-18-+---+19-20-21-22-23-24-+
| X           O    |   | O              X |
| X           O    |   | O              X |
| X           O    |   | O                |
| X                |   | O                |
| X                |   | O                |
|                  |BAR|                  |
| O                |   | X                |
| O                |   | X                |
| O           X    |   | X                |
| O           X    |   | X              O |
| O           X    |   | X              O |
+12-11-10--9--8--7-+---+-6--5--4--3--2--1-+
bar X0 O0   off X0 O0   hand X0 O0
"""

# Seven and eight checkers on a point, and one pinned on each side.
STACKS_AND_PINS = """
+13-14-15-16-17-18-+---+19-20-21-22-23-24-+
|                x |   |                X |
|                O |   |                X |
|                O |   |                X |
|                O |   |                X |
|                5 |   |                7 |
|                  |BAR|                  |
| 8                |   |                  |
| X                |   |                  |
| X                |   |                  |
| X                |   | X                |
| X                |   | o              O |
+12-11-10--9--8--7-+---+-6--5--4--3--2--1-+
bar X0 O0   off X0 O8   hand X0 O0
"""


def test_the_start_of_backgammon() -> None:
    assert draw(by_key("backgammon").start) == START.strip()
    assert parse_drawing(START) == by_key("backgammon").start


def test_tall_stacks_show_a_number_and_pinned_checkers_a_small_letter() -> None:
    position = parse_drawing(STACKS_AND_PINS)
    assert position.points[23] == 7
    assert position.points[11] == 8
    assert position.points[17] == -5
    assert position.points[5] == 1
    assert position.pinned == (6, 18)
    assert draw(position) == STACKS_AND_PINS.strip()


@given(boards())
def test_any_board_reads_back(position: Position) -> None:
    assert parse_drawing(draw(position)) == position


@settings(max_examples=amount(20, long=40), deadline=None)
@given(variants, st.data())
def test_positions_of_every_variant_read_back(variant: Variant, choose: st.DataObject) -> None:
    position, _ = positions_of_play(variant, choose)
    assert parse_drawing(draw(position)) == position


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("BAR", "BUS", "line 7"),
        ("| X           O    |   | O              X |\n", "", "14 lines"),
        ("O              X |", "O              Z |", "point 24"),
        ("O              X |", "O             X |", "line 2 is not 43"),
        ("|   | O                |", "| ! | O                |", "line 4 of"),
        ("|\n| O                |   |", "|\n| X                |   |", "point 12"),
        ("off X0 O0", "off X0", "last line"),
        ("hand X0 O0", "hand X0 O?", "hand"),
    ],
)
def test_broken_drawings_name_the_place(old: str, new: str, message: str) -> None:
    with pytest.raises(NotationError, match=message):
        parse_drawing(START.replace(old, new, 1))


@given(st.integers(0, len(START) - 1), st.characters(codec="ascii"))
def test_no_change_breaks_the_reader(place: int, character: str) -> None:
    with suppress(NotationError):
        parse_drawing(START[:place] + character + START[place + 1 :])
