"""XGID, against lines of GNU Backgammon and of the kits that read it."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backgammon.rules.errors import NotationError
from backgammon.rules.match_id import MatchId
from backgammon.rules.position_id import format_position_id, parse_position_id
from backgammon.rules.variants import by_key
from backgammon.rules.xgid import Offer, Xgid
from backgammon.tests.notation.strategies import boards, faces

START = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:1:0:10"


def test_the_start_with_31_to_play_for_money() -> None:
    value = Xgid.parse(START)
    assert value == Xgid(by_key("backgammon").start, dice=(3, 1), jacoby=True)
    assert value.text() == START


def test_after_31_as_8_5_6_5() -> None:
    value = Xgid.parse("-b---BD-B---eE---c-e----B-:0:0:-1:00:0:0:0:5:10")
    assert format_position_id(value.position) == "4HPwATCwZ/ABMA"
    assert format_position_id(value.mover_position()) == "sGfwATDgc/ABMA"


@pytest.mark.parametrize(
    ("xgid", "position_id", "match_id"),
    [
        (
            "XGID=-b----E-C---eE---c-e----B-:1:1:1:52:2:3:0:7:10",
            "4HPwATDgc/ABMA",
            "UYnqADAAEAAE",
        ),
        (
            "XGID=-BDB-------------a------e-:1:-1:-1:42:0:0:0:5:10",
            "ewMAAD4gAAAAAA",
            "AQGqAAAAAAAE",
        ),
        # A double on offer: the board stays that of the player on roll.
        (
            "XGID=-b---BD-B---eE---c-e----B-:0:0:1:D:2:3:0:7:10",
            "4HPwATCwZ/ABMA",
            "cBHgADAAEAAE",
        ),
    ],
)
def test_the_same_decision_in_gnu_notation(xgid: str, position_id: str, match_id: str) -> None:
    value = Xgid.parse(xgid)
    position, match = value.to_gnu()
    assert (format_position_id(position), match.text()) == (position_id, match_id)
    assert Xgid.from_gnu(parse_position_id(position_id), MatchId.parse(match_id)) == value


@pytest.mark.parametrize("offer", ["B", "R"])
def test_beavers_and_raccoons_have_no_match_id(offer: str) -> None:
    value = Xgid.parse(f"XGID=-b----E-C---eE---c-e----B-:1:1:1:{offer}:0:0:2:0:10")
    assert value.offer is Offer(offer)
    assert value.beavers
    with pytest.raises(NotationError, match="neither beaver nor raccoon"):
        value.to_gnu()


@st.composite
def xgids(draw: st.DrawFn) -> Xgid:
    length = draw(st.integers(0, 25))
    rolled = draw(st.booleans())
    return Xgid(
        position=draw(boards()),
        cube_value=2 ** draw(st.integers(0, 10)),
        cube_owner=draw(st.sampled_from([None, 0, 1])),
        turn=draw(st.integers(0, 1)),
        dice=draw(st.tuples(faces, faces)) if rolled else None,
        offer=None if rolled else draw(st.none() | st.sampled_from(Offer)),
        score=draw(st.tuples(st.integers(0, 30), st.integers(0, 30))),
        length=length,
        crawford=length > 0 and draw(st.booleans()),
        jacoby=length == 0 and draw(st.booleans()),
        beavers=length == 0 and draw(st.booleans()),
        cube_cap=2 ** draw(st.integers(0, 12)),
    )


@given(xgids())
def test_every_value_survives_the_way_there_and_back(value: Xgid) -> None:
    assert Xgid.parse(value.text()) == value


REST = ":0:0:1:31:0:0:0:5:10"
BOARD = "-b----E-C---eE---c-e----B-"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "10 fields"),
        ("XGID=" + BOARD + REST + ":1", "10 fields"),
        ("XGID=" + BOARD[1:] + REST, "26 characters"),
        ("XGID=" + "A" + BOARD[1:] + REST, "column 1 "),
        ("XGID=" + BOARD[:-1] + "a" + REST, "column 26 "),
        ("XGID=" + "-z" + BOARD[2:] + REST, "column 2 "),
        ("XGID=" + "-B" + BOARD[2:].replace("E", "O", 1) + REST, "27 checkers of 15"),
        ("XGID=" + BOARD + ":0:0:0:31:0:0:0:5:10", "turn"),
        ("XGID=" + BOARD + ":0:2:1:31:0:0:0:5:10", "cube owner"),
        ("XGID=" + BOARD + ":0:0:1:37:0:0:0:5:10", "dice"),
        ("XGID=" + BOARD + ":0:0:1:3:0:0:0:5:10", "dice"),
        ("XGID=" + BOARD + ":x:0:1:31:0:0:0:5:10", "cube"),
        ("XGID=" + BOARD + ":0:0:1:31:0:0:2:5:10", "rule"),
        ("XGID=" + BOARD + ":0:0:1:31:0:-1:0:5:10", "score of O"),
    ],
)
def test_broken_lines_name_the_field(text: str, message: str) -> None:
    with pytest.raises(NotationError, match=message):
        Xgid.parse(text)


@given(st.text(alphabet="XGID=-bEe:019DBR", max_size=60))
def test_no_text_breaks_the_reader(text: str) -> None:
    with suppress(NotationError):
        Xgid.parse(text)
