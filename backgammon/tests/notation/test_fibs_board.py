"""The FIBS board line, against lines sent by GNU Backgammon and by a FIBS client's tests."""

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backgammon.rules.errors import NotationError
from backgammon.rules.fibs_board import FibsBoard
from backgammon.rules.position import Position
from backgammon.rules.variants import by_key
from backgammon.tests.notation.strategies import boards, faces

FROM_A_CLIENT = (
    "board:You:someplayer:3:0:1:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:6:2:0:0:"
    "1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0"
)
# Sent to an external player: one checker of the opponent on the bar, two of its own.
FROM_GNU = (
    "board:gnubg:root:7:3:2:-1:-1:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:0:2:1:6:2:6:2:"
    "2:0:1:0:1:-1:0:25:0:0:0:0:0:0:0:1"
)


def test_a_line_of_a_client() -> None:
    board = FibsBoard.parse(FROM_A_CLIENT)
    assert board.position == by_key("backgammon").start
    assert (board.player, board.opponent) == ("You", "someplayer")
    assert (board.length, board.score, board.turn) == (3, (0, 1), 0)
    assert (board.dice, board.opponent_dice, board.can_move) == ((6, 2), None, 2)
    assert board.text() == FROM_A_CLIENT


def test_a_line_of_gnu_backgammon_with_both_bars() -> None:
    board = FibsBoard.parse(FROM_GNU)
    assert board.position == Position.parse(
        "-1 0 0 0 0 5 0 3 0 0 0 -5 5 0 0 0 -3 0 -5 0 0 0 0 0 | bar 2 1 | off 0 0"
    )
    assert (board.cube_value, board.may_double) == (2, (False, True))
    # It leaves fields 47 and 48, the checkers on the bar, empty; we fill them.
    assert board.text() == FROM_GNU.replace(":0:25:0:0:0:0:", ":0:25:0:0:2:1:")


def test_x_runs_upwards_and_counts_negative() -> None:
    start = by_key("backgammon").start
    board = FibsBoard("x", "o", start, colour=-1, direction=1)
    fields = board.text().split(":")
    assert fields[7] == "-2"  # X starts with two checkers on point 1
    assert fields[43:45] == ["25", "0"]
    assert FibsBoard.parse(board.text()).position == start


@given(
    boards(),
    st.sampled_from([(1, -1), (1, 1), (-1, 1), (-1, -1)]),
    st.none() | st.tuples(faces, faces),
    st.sampled_from([None, 0, 1]),
    st.integers(0, 64),
)
def test_every_value_survives_the_way_there_and_back(
    position: Position,
    sides: tuple[int, int],
    dice: tuple[int, int] | None,
    turn: int | None,
    length: int,
) -> None:
    colour, direction = sides
    board = FibsBoard(
        "anna", "bert", position, length, (1, 2), turn, dice, colour=colour, direction=direction
    )
    assert FibsBoard.parse(board.text()) == board


def _with_field(index: int, value: str) -> str:
    fields = FROM_A_CLIENT.split(":")
    fields[index] = value
    return ":".join(fields)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "52 more fields"),
        (FROM_A_CLIENT + ":1", "52 more fields"),
        (_with_field(0, "bored"), "52 more fields"),
        (_with_field(12, "five"), "FIBS field 12"),
        (_with_field(12, "16"), "not in -15..15"),
        (_with_field(8, "3"), "18 checkers"),
        (_with_field(33, "7"), "dice 7 and 2"),
        (_with_field(41, "0"), "do not fit"),
        (_with_field(44, "0"), "do not fit"),
        (_with_field(42, "1"), "the bar is not where the way begins"),
        (_with_field(6, "1"), "the other player's bar"),
        (_with_field(37, "0"), "cube"),
    ],
)
def test_broken_lines_name_the_field(line: str, message: str) -> None:
    with pytest.raises(NotationError, match=message):
        FibsBoard.parse(line)


def test_names_with_colons_are_refused() -> None:
    board = FibsBoard.parse(FROM_A_CLIENT)
    with pytest.raises(NotationError, match="no name"):
        dataclasses.replace(board, opponent="a:b").text()
