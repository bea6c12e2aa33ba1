"""Smart Game Format: files of GNU Backgammon are read, without their analysis."""

import pytest

from backgammon.formats.errors import FormatError
from backgammon.formats.mat import format_mat
from backgammon.formats.mat_reader import parse_mat
from backgammon.formats.record import (
    Ending,
    GameRecord,
    MatchRecord,
    RecordedTurn,
    Resignation,
    Result,
)
from backgammon.formats.sgf import format_sgf
from backgammon.formats.sgf_reader import parse_sgf
from backgammon.formats.sgf_tree import format_value, parse_trees
from backgammon.rules.position import Position
from backgammon.tests.formats.test_mat import golden


def test_an_analysed_match_of_gnu_backgammon_is_the_same_as_its_mat() -> None:
    from_sgf = parse_sgf(golden("gnubg_analysed.sgf"))
    assert format_mat(from_sgf) == format_mat(parse_mat(golden("gnubg.mat")))


def test_what_is_written_in_the_usual_properties() -> None:
    text = format_sgf(parse_mat(golden("stakes_and_cube.mat")))
    assert "MI[length:5][game:1][ws:2][bs:0]PW[alice]PB[bob]RU[Crawford]RE[B+4R]" in text
    assert ";B[31qtst]\n;W[64xrrn]\n;B[11qrqrstst]" in text
    assert text.endswith(";W[66xrxrmgmg]\n;B[66]\n;W[21mkfe]\n;B[21yaln])\n")


ROOT = "(;FF[4]GM[6]MI[length:3][ws:0][bs:0]PW[ann]PB[ben]RU[Crawford]"


def test_a_roll_that_was_never_played() -> None:
    record = parse_sgf(ROOT + "RE[B+1R];PL[W]DI[31])")
    assert record.games[0].actions == (RecordedTurn(0, (3, 1), None),)
    # GNU Backgammon may write the roll first and the play after it.
    record = parse_sgf(ROOT + ";PL[W]DI[31];W[31hefe])")
    assert len(record.games[0].actions) == 1


def test_a_set_up_position_and_cube() -> None:
    text = ROOT + ";AE[a:y]AW[y][e][f]AB[x][x]PL[W]CV[2];W[31yved])"
    (game,) = parse_sgf(text).games
    assert game.cube_value == 2
    assert game.start == Position.parse(
        "0 0 0 0 1 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 -2 | bar 1 0 | off 12 13"
    )
    assert parse_sgf(format_sgf(parse_sgf(text))).games == (game,)


def test_resignations_and_comments_survive() -> None:
    refused = Resignation(0, 1, accepted=False, comment="no: thanks]")
    turn = RecordedTurn(0, (3, 1), None, comment="a \\ b\nc")
    accepted = Resignation(0, 2, accepted=True)
    game = GameRecord(
        "backgammon",
        actions=(refused, turn, accepted),
        result=Result(1, 2, Ending.RESIGNATION),
        comment="[game]",
    )
    record = MatchRecord(("ann", "ben"), games=(game,))
    assert parse_sgf(format_sgf(record)) == record


@pytest.mark.parametrize(
    ("suffix", "ending"), [("R", "resignation"), ("T", "time"), ("F", "left"), ("", "resignation")]
)
def test_results_of_other_programs(suffix: str, ending: str) -> None:
    record = parse_sgf(ROOT + f"RE[W+2{suffix}];W[31hefe])")
    assert record.games[0].result == Result(0, 2, Ending(ending))


def test_variations_are_left_out_and_small_letters_in_names() -> None:
    text = ROOT + ";White[31hefe](;B[52aclq](;W[66xrxrmgmg])(;W[11]))(;B[21xvxw]))"
    dice = [
        action.dice
        for action in parse_sgf(text).games[0].actions
        if isinstance(action, RecordedTurn)
    ]
    assert dice == [(3, 1), (5, 2), (6, 6)]


def test_values_escape_brackets_and_break_lines_softly() -> None:
    (nodes,) = parse_trees("(;C" + format_value("a]b\\c") + "[soft\\\nbreak])")
    assert nodes[0].properties["C"] == ["a]b\\c", "softbreak"]


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("", "line 1, column 1", "no game"),
        ("x", "line 1, column 1", "should stand"),
        ("(", "line 1, column 2", "not closed"),
        ("()", "line 1, column 3", "without nodes"),
        ("(;W[31", "line 1, column 4", "value is not closed"),
        ("(;W 31)", "line 1, column 5", "no value"),
        ("(;w[31])", "line 1, column 4", "no property"),
        ("(;GM[1])", "line 1, column 2", "GM.1. is not backgammon"),
        (ROOT + "\n;W[31heff])", "line 2, column 1", "no legal play"),
        (ROOT + "\n;W[31hefe]\n;W[31hefe])", "line 3, column 1", "not ann's turn"),
        (ROOT + "\n;W[take])", "line 2, column 1", "no double to answer"),
        (ROOT + "\n;W[give])", "line 2, column 1", "no play"),
        (ROOT + "\n;W[31hefe]B[62])", "line 2, column 1", "in one node"),
        (ROOT + "\n;W[31hefe][62])", "line 2, column 1", "in one node"),
        (ROOT + "RE[X+1])", "line 1, column 2", "no result"),
        (ROOT + "XR[W:x])", "line 1, column 2", "no offer to resign"),
        (ROOT + "\n;DI[31])", "line 2, column 1", "who rolled"),
        (ROOT + "\n;W[31hefe];AW[a])", "line 2, column 11", "edited"),
        (ROOT + "\n;AW[a]AB[a])", "line 2, column 1", "no checker can stand"),
        (ROOT.replace("length:3", "length:x") + ")", "line 1, column 2", "no number"),
    ],
)
def test_broken_files_name_line_and_column(text: str, place: str, message: str) -> None:
    with pytest.raises(FormatError, match=message) as caught:
        parse_sgf(text)
    assert str(caught.value).startswith(place + ":")
