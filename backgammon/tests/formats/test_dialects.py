"""The dialects of .mat: what each program writes differently, and what is read."""

import pytest

from backgammon.formats.mat_reader import read_mat
from backgammon.formats.reading import GameExtent
from backgammon.formats.record import Ending, RecordedTurn, Result

HEAD = " 3 point match\n\n Game 1\n ann : 0                        ben : 0\n"
OPENING = "  1) 31: 8/5 6/5                 62: 24/18 13/11\n"
WON_LEFT = "      Wins 1 point\n"


def the_result(rows: str, head: str = HEAD) -> Result | None:
    """The result of the only game, which is read without a fault."""
    found = read_mat(head + rows)
    assert [str(fault.error) for fault in found.faults] == []
    (game,) = found.sole().games
    return game.result


@pytest.mark.parametrize(
    ("rows", "winner", "points"),
    [
        (OPENING + "  2)  Losses 1 point" + " " * 47 + "Wins 1 point and the match\n", 1, 1),
        (OPENING + "  2)  Losses 2 point              Wins 2 point\n", 1, 2),
        (OPENING + " Losses 1 point\n\n      Wins 1 point and the match\n", 0, 1),
        (OPENING + "  2) 21: 13/11 6/5               Losses 2 point\n      Wins 2 point\n", 0, 2),
        (OPENING + "  2)  Loses 2 points\n", 1, 2),
        ("  1)                              Losses 3 point\n\n      Wins 3 point\n", 0, 3),
        (
            OPENING
            + "  2) 21: 13/11 6/5              2)  Losses 2 point"
            + " " * 47
            + "Wins 2 point\n",
            0,
            2,
        ),
        (OPENING + "  2) 21: 13/11 6/5                Concedes\n  3)  Wins 2 point\n", 0, 2),
        (OPENING + "  2) 21: 13/11 6/5              62: Concedes\n  3)  Wins 2 point\n", 0, 2),
        (OPENING + "  2) 32: Concedes                 Wins 2 point\n", 1, 2),
        (OPENING + "  2) 21: 13/11 6/5              Resigns\n   Wins 1 point\n", 0, 1),
        (OPENING + "  2) Resigns                      Wins 2 points\n", 1, 2),
        (OPENING + "  2) 21: 13/11 6/5              00: ????\n  3)  Wins 1 point\n", 0, 1),
        (OPENING + "  2) 21: 13/11 6/5              11: ????\n      Wins 1 point\n", 0, 1),
        (OPENING + "  2) 21: 13/11 6/5              11: ???\n      Wins 1 point\n", 0, 1),
        (OPENING + "  2)  Doubles to 2                Takes\n      Wins 2 points\n", 0, 2),
        (OPENING + "  2)  Doubles => 2                Accepts\n      Wins 2 points\n", 0, 2),
        (OPENING + "  2)  Doubles => 2                Rejects\n      Wins 1 point\n", 0, 1),
        (OPENING + "  2)  Doubles => 2                Passes\n      Wins 1 point\n", 0, 1),
        (OPENING + "      Wins 1 point\n\x1a", 0, 1),
        (OPENING + "      Wins 1 point\n  2)  Wins 1 point\n", 0, 1),
        (OPENING.replace("1)", "1."), None, None),
        (OPENING.replace("8/5 6/5 ", "8\u20135, 6\u20135"), None, None),
        (OPENING.replace(" 62:", "\u00a062:"), None, None),
        ("  1) 31: Illegal play (8/5 6/5)  62: 24/18 13/11\n", None, None),
        (OPENING + "  2)\n" + WON_LEFT, 0, 1),
    ],
)
def test_the_rows(rows: str, winner: int | None, points: int | None) -> None:
    result = the_result(rows)
    told = (None, None) if result is None else (result.winner, result.points)
    assert told == (winner, points)


@pytest.mark.parametrize(
    ("old", "new", "players"),
    [
        ("ann : 0", "ann: 0", ("ann", "ben")),
        ("ben : 0", ": 0", ("ann", "")),
        ("ann : 0", " : 0", ("", "ben")),
        ("ann : 0", "ann,1423 : 0", ("ann,1423", "ben")),
        ("ben : 0", "ann : 0", ("ann", "ann")),
        (" Game 1", "Game 1:", ("ann", "ben")),
        (" 3 point", "\ufeff 3 point", ("ann", "ben")),
        (" 3 point", "Ann against Ben, Sunday 12.11.2026\nRound 3, Board 5\n\n 3 point", None),
        (" 3 point", '; [EventDate "1981"]\n; [Match ID ""]\n 3 point', None),
        (" 3 point", '; [Jacoby "On"]\n 3 point', None),
    ],
)
def test_what_stands_above(old: str, new: str, players: tuple[str, str] | None) -> None:
    found = read_mat(HEAD.replace(old, new, 1) + OPENING + WON_LEFT)
    assert found.is_whole
    assert found.sole().players == (players or ("ann", "ben"))


@pytest.mark.parametrize(
    "words", ["unlimited match", "Unlimited match", "Money session", "0 point match"]
)
def test_unlimited_play(words: str) -> None:
    found = read_mat(HEAD.replace(" 3 point match", words) + OPENING + WON_LEFT)
    assert found.sole().length == 0


def test_beavers_to_a_number_belong_to_unlimited_play() -> None:
    rows = OPENING + "  2)  Doubles to 2                Beavers to 4\n"
    assert the_result(rows, HEAD.replace(" 3 ", " 0 ")) is None


def test_a_date_that_is_none_stays_a_text() -> None:
    heading = read_mat('; [EventDate "1981"]\n' + HEAD + OPENING).sole().heading
    assert (heading.date, heading.other) == (None, (("EventDate", "1981"),))


def test_a_last_roll_may_not_have_been_played() -> None:
    record = read_mat(HEAD + OPENING + "  2) 11: ????\n" + " " * 34 + "Wins 1 point\n").sole()
    assert record.games[0].actions[-1] == RecordedTurn(0, (1, 1), None)
    assert record.games[0].result == Result(1, 1, Ending.RESIGNATION)


@pytest.mark.parametrize(
    ("score", "cube", "points", "is_possible"),
    [
        ((0, 0), 1, 1, True),
        ((0, 0), 2, 4, True),
        ((0, 0), 2, 3, True),  # a gammon of four, but the match needs three
        ((0, 0), 1, 3, True),
        ((2, 0), 2, 1, True),  # no more than is needed
        ((1, 0), 2, 3, True),  # no more than the match has
        ((0, 0), 2, 5, False),
        ((0, 0), 1, 100, False),
        ((1, 0), 2, 1, False),
        ((0, 0), 2, 0, False),
    ],
)
def test_a_result_is_cube_times_level_or_what_the_match_needed(
    score: tuple[int, int], cube: int, points: int, is_possible: bool
) -> None:
    head = HEAD.replace("ann : 0", f"ann : {score[0]}")
    double = "  2)  Doubles => 2                Takes\n" if cube == 2 else ""
    found = read_mat(f"{head}{OPENING}{double}      Wins {points} points\n")
    assert found.is_whole is is_possible
    (game,) = found.matches[0].games
    assert game.state is (GameExtent.WHOLE if is_possible else GameExtent.CUT_OFF)
    assert (found.matches[0].record.games[0].result is not None) is is_possible
