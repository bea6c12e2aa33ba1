"""OGID, against lines that gammonview 3.1.0 wrote of real matches, and as text for a post."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backgammon.counting.pasted import read_position
from backgammon.rules.errors import NotationError
from backgammon.rules.ogid import format_ogid, is_ogid, parse_ogid
from backgammon.rules.post import post_text
from backgammon.rules.xgid import Offer, Xgid
from backgammon.tests.notation.strategies import boards, faces

START = "11ccccchhhjjjjj:66666888dddddoo:N0N::W:IW:0:0:1:0"
ROLLED = "011ccccehhjjjjj:66666888bddddio:N0N:45:B:R:0:0:3:3"
DOUBLED = "aaffhhjjklmmnoo:2233445566777bb:B1O::B:D:0:0:3:38"


def test_lines_of_others_are_read_and_written() -> None:
    xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:-1:00:0:0:0:1:10"
    assert parse_ogid(START).text() == xgid
    for line in (START, ROLLED, DOUBLED):
        mine, theirs = format_ogid(parse_ogid(line)).split(":"), line.split(":")
        assert mine[:5] + mine[6:9] == theirs[:5] + theirs[6:9]


def test_a_double_that_waits_is_the_one_of_who_reached_the_position() -> None:
    asked = parse_ogid(DOUBLED)
    assert (asked.turn, asked.offer, asked.cube_value) == (1, Offer.DOUBLE, 2)


@given(
    position=boards(),
    turn=st.sampled_from((0, 1)),
    dice=st.none() | st.tuples(faces, faces).map(lambda dice: tuple(sorted(dice))),
    cube=st.sampled_from([(1, None), (2, 0), (8, 1)]),
    score=st.tuples(st.integers(0, 6), st.integers(0, 6)),
)
def test_every_decision_of_a_match_comes_back(position, turn, dice, cube, score) -> None:
    asked = Xgid(position, *cube, turn=turn, dice=dice, score=score, length=7)
    assert parse_ogid(format_ogid(asked)) == asked
    offered = replace(asked, dice=None, offer=Offer.DOUBLE)
    assert parse_ogid(format_ogid(offered)) == offered


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("11cc", "1zcc"),
        ("N0N", "N0X"),
        (":W:", ":X:"),
        ("::W", ":7:W"),
        (":0:0:1:", ":0:x:1:"),
        (":1:0", ""),
        ("66666", "666666666666666"),
    ],
)
def test_what_is_no_ogid_is_refused(old: str, new: str) -> None:
    with pytest.raises(NotationError):
        parse_ogid(START.replace(old, new, 1))


def test_a_post_has_the_board_the_question_and_both_lines() -> None:
    asked = Xgid.parse("XGID=-b----E-C---eE---c-e----B-:1:-1:1:31:2:1:0:5:10")
    text = post_text(asked)
    assert "match to 5, X 2 – O 1; cube at 2, O owns it\nX plays 31.\n" in text
    assert text.startswith("+13-14-")
    assert read_position(text).xgid == asked
    alone = text.partition("XGID=")[0] + text[text.index("OGID=") :]
    assert read_position(alone).notation == "ogid"
    assert read_position(alone).xgid == replace(asked, dice=(1, 3))
    assert is_ogid(text.partition("OGID=")[2])
