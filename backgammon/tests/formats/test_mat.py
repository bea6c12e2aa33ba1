"""Jellyfish's .mat: writing it, and reading the dialects of other programs."""

import datetime
from dataclasses import replace
from pathlib import Path

import pytest

from backgammon.formats.errors import FormatError, RecordError, UnsupportedRecord
from backgammon.formats.mat import format_mat
from backgammon.formats.mat_reader import parse_mat
from backgammon.formats.record import (
    CubeAction,
    CubeVerb,
    Ending,
    GameRecord,
    MatchRecord,
    RecordedTurn,
    Result,
    Stakes,
)
from backgammon.rules.cube import CubeRules
from backgammon.rules.errors import IllegalPlay
from backgammon.rules.match import FormatKind
from backgammon.rules.moves import Move

GOLDEN = Path(__file__).parents[1] / "golden"


def golden(name: str) -> str:
    """A match file as it was found."""
    return (GOLDEN / name).read_text("utf-8")


WRITTEN = """\
; [Site "example.test"]
; [Match ID "42"]
; [Player 1 "alice"]
; [Player 2 "bob"]
; [EventDate "2026.11.21"]
; [Variation "Backgammon"]
; [Crawford "On"]
; [Currency "USD"]
; [Stake "30.00"]
; [Rake "3.00"]

 5 point match

 Game 1
 alice : 0                      bob : 0
  1)                             31: 8/5 6/5
  2) 64: 24/14                   11: 8/7(2) 6/5(2)
  3) 43: 14/10 13/10              Doubles => 2
  4)  Takes                      62: 24/18 13/11
  5)  Doubles => 4                Drops
      Wins 2 points

 Game 2
 alice : 2                      bob : 0
  1) 31: 8/5 6/5                 62: 24/18 13/11
  2)  Doubles => 2                Takes
  3) 66: 24/18(2) 13/7* 13/7     66:
  4) 21: 13/11 6/5               21: bar/24 13/11
                                  Wins 4 points
"""


def test_a_match_with_stakes_and_cube() -> None:
    """The stars of the file are in the wrong place; writing it puts them right."""
    record = parse_mat(golden("stakes_and_cube.mat"))
    assert record.players == ("alice", "bob")
    assert (record.kind, record.length, record.score) == (FormatKind.POINTS, 5, (2, 4))
    assert record.heading.date == datetime.date(2026, 11, 21)
    assert [game.result for game in record.games] == [
        Result(0, 2, Ending.DROP),
        Result(1, 4, Ending.RESIGNATION),
    ]
    assert format_mat(record) == WRITTEN


def test_a_money_session_with_names_of_two_words() -> None:
    record = parse_mat(golden("money_session.mat"))
    assert record.players == ("alice smith", "bob")
    assert (record.kind, record.length) == (FormatKind.UNLIMITED, 0)
    assert record.rules == CubeRules(crawford=False, jacoby=True)
    assert record.games[0].result == Result(0, 1, Ending.DROP)
    dance = record.games[0].actions[3]
    assert isinstance(dance, RecordedTurn)
    assert dance.moves == ()


def test_a_file_of_gnu_backgammon() -> None:
    record = parse_mat(golden("gnubg.mat"))
    assert record.games[0].result == Result(1, 4, Ending.BOARD)
    take = record.games[0].actions[10]
    assert take == CubeAction(0, CubeVerb.TAKE, 2)


def test_stakes_keep_their_meaning_in_both_ways_of_speaking() -> None:
    """2.50 each and 0.50 for the house: the winner is up 2.00, the loser down 2.50."""
    record = replace(parse_mat(golden("stakes_and_cube.mat")), stakes=Stakes(250, 50))
    text = format_mat(record)
    assert '[Stake "2.25"]' in text
    assert '[Rake "0.25"]' in text
    assert parse_mat(text).stakes == Stakes(250, 50)
    odd = replace(record, stakes=Stakes(333, 33))
    assert '[Rake "0.165"]' in format_mat(odd)
    assert parse_mat(format_mat(odd)).stakes == Stakes(333, 33)


HEAD = "\n 3 point match\n\n Game 1\n ann : 0                        ben : 0\n"


def game(rows: str) -> str:
    """A match of one game."""
    return HEAD + rows


@pytest.mark.parametrize(
    ("rows", "result"),
    [
        ("  1) 31: 8/5 6/5                 Wins 2 points\n", Result(1, 2, Ending.RESIGNATION)),
        ("  1) 31: 8/5 6/5\n      Wins 1 point and the match\n", Result(0, 1, Ending.RESIGNATION)),
        ("  1) 31: 8/5 6/5                 52: 24/22 13/8\n      Wins 1 point\n", Result(0, 1)),
        ("  1) 31: 25-x\n", None),
    ],
)
def test_results_stand_below_or_beside_the_last_row(rows: str, result: Result | None) -> None:
    if result is None:
        with pytest.raises(FormatError, match="line 6, column 12: a move is written from/to"):
            parse_mat(game(rows))
        return
    read = parse_mat(game(rows)).games[0].result
    assert read is not None
    assert (read.winner, read.points) == (result.winner, result.points)


def test_a_result_for_the_right_player_stands_beside_a_left_drop() -> None:
    """On a line of its own GNU Backgammon would take it for one more action."""
    text = game("  1) 31: 8/5 6/5                 Doubles => 2\n  2)  Drops    Wins 1 point\n")
    record = parse_mat(text.replace("Drops    Wins", "Drops                       Wins"))
    assert record.games[0].result == Result(1, 1, Ending.DROP)
    assert "  2)  Drops                       Wins 1 point\n" in format_mat(record)


def test_a_forfeit_says_how_it_came_about() -> None:
    turn = RecordedTurn(0, (3, 1), (Move(8, 5, 3), Move(6, 5, 1)))
    lost_on_time = GameRecord("backgammon", actions=(turn,), result=Result(0, 3, Ending.TIME))
    record = MatchRecord(("ann", "ben"), FormatKind.POINTS, 3, (lost_on_time,))
    text = format_mat(record)
    assert '; [Game 1 Ending "time"]' in text
    assert text.endswith("      Wins 3 points and the match\n")
    assert parse_mat(text) == record


def test_a_roll_that_was_never_played_is_no_pass() -> None:
    """As eXtreme Gammon writes it; an empty cell would be a pass for other programs."""
    opening = RecordedTurn(0, (3, 1), (Move(8, 5, 3), Move(6, 5, 1)))
    left = RecordedTurn(1, (6, 4), None)
    game = GameRecord("backgammon", actions=(opening, left), result=Result(0, 1, Ending.LEFT))
    record = MatchRecord(("ann", "ben"), FormatKind.POINTS, 3, (game,))
    text = format_mat(record)
    assert "64: ????\n" in text
    assert parse_mat(text) == record
    assert parse_mat(text.replace(" ????", "")) == record


def test_beavers_and_raccoons() -> None:
    text = HEAD.replace(" 3 point", " 0 point") + (
        "  1) 31: 8/5 6/5                  Doubles => 2\n"
        "  2)  Beavers => 4                Raccoons => 8\n"
        "  3)  Takes                      52: 24/22 13/8\n"
    )
    actions = parse_mat(text).games[0].actions
    assert [getattr(action, "value", None) for action in actions] == [None, 2, 4, 8, 8, None]
    assert (
        format_mat(parse_mat(text)).partition("match")[2].strip()
        == text.partition("match")[2].strip()
    )


def test_beaver_and_raccoon_are_taken_by_rolling() -> None:
    """As GNU Backgammon writes them; it calls the raccoon a beaver, too."""
    text = HEAD.replace(" 3 point", " 0 point") + (
        "  1) 31: 8/5 6/5                  Doubles => 2\n"
        "  2)  Beavers => 4               52: 24/22 13/8\n"
    )
    assert CubeAction(1, CubeVerb.TAKE, 4) in parse_mat(text).games[0].actions
    text = text.replace(
        "              52: 24/22 13/8",
        "               Beavers => 8\n  3)" + " " * 29 + "52: 24/22 13/8",
    )
    assert CubeAction(0, CubeVerb.TAKE, 8) in parse_mat(text).games[0].actions


def test_crawford_is_found_from_the_score_and_played_once() -> None:
    head, rows = " Game {}\n ann : {}          ben : {}\n", "  1) 31: 8/5 6/5\n{}Wins {} points\n\n"
    left, right = " " * 6, " " * 34
    text = "\n 3 point match\n\n" + "".join(
        [
            head.format(1, 0, 0) + rows.format(left, 2),
            head.format(2, 2, 0) + rows.format(right, 1),
            head.format(3, 2, 1) + rows.format(left, 1),
        ]
    )
    assert [played.crawford for played in parse_mat(text).games] == [False, True, False]


@pytest.mark.parametrize("name", ["", " ", "a:b", "a\nb", " a"])
def test_names_that_would_be_read_as_something_else(name: str) -> None:
    with pytest.raises(UnsupportedRecord):
        format_mat(MatchRecord((name, "ben")))


def test_only_possible_matches_are_written() -> None:
    stolen = RecordedTurn(0, (3, 1), (Move(8, 5, 3), Move(8, 5, 3)))
    with pytest.raises(IllegalPlay):
        format_mat(MatchRecord(("a", "b"), games=(GameRecord("backgammon", actions=(stolen,)),)))
    unasked = CubeAction(0, CubeVerb.TAKE, 2)
    with pytest.raises(RecordError, match="a has no double to answer"):
        format_mat(MatchRecord(("a", "b"), games=(GameRecord("backgammon", actions=(unasked,)),)))


def test_comments_are_written_if_wanted_and_passed_over_by_the_reader() -> None:
    record = parse_mat(golden("stakes_and_cube.mat"))
    said = '?? Blunder: -0.120\n1. 8/5 6/5(2)  +0.1 *\n[Game 1 Ending "time"]\n; 3) 31: 8/5 6/5'
    games = [
        replace(game, actions=tuple(replace(each, comment=said) for each in game.actions))
        for game in record.games
    ]
    commented = replace(record, games=tuple(games))
    text = format_mat(commented, comments=True)
    assert "\n; left: ?? Blunder: -0.120\n; left: 1. 8/5 6/5(2)  +0.1 *\n" in text
    assert "\n; right: 1. 8/5 6/5(2)" in text
    assert parse_mat(text) == parse_mat(format_mat(record))
    assert format_mat(commented) == format_mat(record)
