"""Positions out of texts that people paste, and what is wrong with others."""

import pytest

from analysis.pages.problems import problem_shown
from backgammon.counting.pasted import read_position
from backgammon.counting.positions import key_of
from backgammon.rules.errors import RulesError
from backgammon.rules.fibs_board import FibsBoard
from backgammon.rules.position import Position
from backgammon.rules.variants import by_key
from backgammon.rules.xgid import Xgid

START = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"
OPENING = "-b----E-C---eE---c-e----B-"
GNU = """ GNU Backgammon  Position ID: 4HPwATDgc/ABMA
                 Match ID   : cAkAAAAAAAAA
 +13-14-15-16-17-18------19-20-21-22-23-24-+     O: gnubg"""


@pytest.mark.parametrize(
    ("text", "notation"),
    [
        (START, "xgid"),
        (START.removeprefix("XGID="), "xgid"),
        (f"How do you play this?\n\n{START}\nX:me O:you", "xgid"),
        ("4HPwATDgc/ABMA", "position_id"),
        (" 4HPwATDgc/ABMA:cAkAAAAAAAAA\n", "gnubg_id"),
        (GNU, "gnubg_id"),
        (f"{START}\n" + "  1. Rollout 1296 trials, 3-ply: 13/10 24/23  eq: -0.012\n" * 50, "xgid"),
        ("cAkAAAAAAAAA", "match_id"),
    ],
)
def test_a_notation_is_recognised_by_its_form(text: str, notation: str) -> None:
    found = read_position(text, Xgid.parse(START))
    assert found.notation == notation
    assert key_of(found.xgid).position == by_key("backgammon").start


def test_a_match_id_alone_keeps_the_board_that_is_shown() -> None:
    shown = Xgid.parse("XGID=-a--B-CbC--AcDa--c-e---AA-:1:1:1:53:0:0:0:0:10")
    found = read_position("cAkAAAAAAAAA", shown).xgid
    assert found.position == shown.position
    assert (found.cube_value, found.dice) == (1, None)


def test_a_line_of_fibs_is_a_position_of_its_reader() -> None:
    start: Position = by_key("backgammon").start
    line = FibsBoard(
        *("You", "someone", start), length=5, score=(4, 2), turn=1, opponent_dice=(3, 1)
    )
    found = read_position(line.text())
    assert found.notation == "fibs"
    assert (found.xgid.turn, found.xgid.dice) == (1, (3, 1))
    assert found.xgid.crawford
    asked = key_of(found.xgid)
    assert (asked.score, asked.length, asked.dice) == ((2, 4), 5, (3, 1))


def test_the_same_question_has_one_name() -> None:
    mine = Xgid.parse("XGID=-a--B-CbC--AcDa--c-e---AA-:1:1:1:35:2:1:0:5:10")
    theirs = Xgid(
        position=mine.mover_position().turned(by_key("backgammon").way),
        cube_value=2,
        cube_owner=1,
        turn=1,
        dice=(5, 3),
        score=(1, 2),
        length=5,
        cube_cap=8,
    )
    assert key_of(mine) == key_of(theirs)


def test_a_beaver_is_refused_where_it_is_pasted() -> None:
    with pytest.raises(RulesError, match="no beaver"):
        read_position(f"XGID={OPENING}:1:-1:1:B:0:0:2:0:10")


#: a text, where it is wrong, and a part of what the page says, in English.
WRONG = [
    ("", None, "nothing to read"),
    ("x" * 5_000, None, "at most 4000"),
    (f"XGID={OPENING}:0:0:1", None, "10 fields, this one has 4"),
    (f"XGID={OPENING}:0:0:1:77:0:0:0:0:10", None, "field 5: '77'"),
    (f"XGID={OPENING}:x:0:1:31:0:0:0:0:10", None, "field 2: 'x' is no number"),
    (f"XGID={OPENING}:0:9:1:31:0:0:0:0:10", None, "field 3: 9 does not lie between -1 and 1"),
    (f"XGID={OPENING}:0:0:0:31:0:0:0:0:10", None, "field 4"),
    (f"XGID={OPENING}:0:0:1:B:0:0:0:0:10", None, "no beaver"),
    (f"XGID={OPENING}:4:0:1:31:0:0:0:5:10", None, "cube at 16 belongs"),
    (f"XGID={OPENING}:15:1:1:31:0:0:0:0:10", None, "more than 1024"),
    (f"XGID={OPENING}:0:0:1:31:5:0:0:5:10", None, "plays on at 5 : 0"),
    (f"XGID={OPENING}:0:0:1:31:0:0:1:5:10", None, "Crawford"),
    (f"XGID={OPENING}:1:1:1:31:4:0:1:5:10", None, "Crawford"),
    (f"XGID={OPENING[:-1]}:0:0:1:31:0:0:0:0:10", None, "26 characters, this one has 25"),
    ("XGID=-b----E-!---eE---c-e----B-:0:0:1:31:0:0:0:0:10", 14, "'!' is no number of checkers"),
    ("XGID=Ab----E-C---eE---c-e----A-:0:0:1:31:0:0:0:0:10", 6, "other player's bar"),
    ("XGID=-b----O-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10", None, "25 checkers on the board"),
    ("XGID=---------------------------:0:0:1:00:0:0:0:0:10", None, "27"),
    ("XGID=--------------------------:0:0:1:00:0:0:0:0:10", None, "game is over"),
    ("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:26:10", None, "only up to 25 points"),
    ("4HPwATDgc/AB", None, "describes no match"),
    ("4HPw!TDgc/ABMA", 5, "'!' is no character"),
    ("4HPwATDgc/A", None, "14 characters, this one has 11"),
    ("4HPwATDgc/ABMB", 14, "last character"),
    ("4HPwATDgc/ABMA:cAkAAAA", None, "12 characters, this one has 7"),
    ("board:You:someone:5", None, "52 more fields"),
    ("no position at all", 3, "no character of an ID"),
]


@pytest.mark.parametrize(("text", "column", "words"), WRONG)
def test_what_is_wrong_is_named_with_its_place(text: str, column: int | None, words: str) -> None:
    with pytest.raises(RulesError) as wrong:
        key_of(read_position(text, Xgid.parse(START)).xgid)
    problem = problem_shown(wrong.value, text)
    assert words in problem["message"]
    assert problem["column"] == column
    assert "cannot be read" not in problem["message"]
    if column is not None:
        assert f"Character {column}:" in problem["message"]
