"""Nothing good is lost for something bad: what is kept of files with faults."""

import pytest

from backgammon.formats.builder import check_record
from backgammon.formats.mat_reader import read_mat
from backgammon.formats.reading import FileRead, GameExtent
from backgammon.formats.sgf import format_sgf
from backgammon.formats.sgf_reader import read_sgf

MATCH = """\
 7 point match

 Game 1
 ann : 0                        ben : 0
  1) 31: 8/5 6/5                 62: 24/18 13/11
  2) 21: 13/11 6/5               11: 8/7(2) 6/5(2)
                                  Wins 2 points

 Game 2
 ann : 0                        ben : 2
  1) 31: 8/5 6/5                 62: 24/18 13/11
  2) 21: 13/11 6/5               11: 8/7(2) 6/5(2)
      Wins 1 point

 Game 3
 ann : 1                        ben : 2
  1) 31: 8/5 6/5                  Doubles => 2
  2)  Drops                       Wins 1 point

 Game 4
 ann : 1                        ben : 3
  1) 31: 8/5 6/5                 62: 24/18 13/11
"""
STATES = {
    GameExtent.WHOLE: "w",
    GameExtent.UNFINISHED: "u",
    GameExtent.CUT_OFF: "c",
    GameExtent.UNREADABLE: "x",
}
SECOND = MATCH.index("Game 2")


def states(found: FileRead) -> list[str]:
    """A letter for each game, a word for each match."""
    return ["".join(STATES[game.state] for game in match.games) for match in found.matches]


def changed(old: str, new: str, start: int = 0) -> str:
    """The match with the first `old` after `start` replaced."""
    assert old in MATCH[start:]
    return MATCH[:start] + MATCH[start:].replace(old, new, 1)


def test_the_whole_file_is_read_to_its_last_line() -> None:
    found = read_mat(MATCH)
    assert (states(found), found.faults) == (["wwwu"], ())
    assert [game.actions for game in found.matches[0].games] == [4, 4, 3, 2]


@pytest.mark.parametrize(
    ("old", "new", "kept", "place", "reason"),
    [
        ("21: 13/11 6/5", "21: 13/11 6/4", "wcwu", "line 12, column 6", "6/4"),
        ("21: 13/11 6/5", "27: 13/11 6/5", "wcwu", "line 12, column 6", "a die shows"),
        ("  2) 21: 13/11 6/5  ", "  2) Illegal play (1;0)", "wcwu", "line 12, column 6", "read"),
        ("  2) 21: 13/11 6/5               11: 8/7(2) 6/5(2)\n", "?!\n", "wcwu", "line 12", "read"),
        ("  2) 21: 13/11 6/5  ", "  2)" + " " * 16, "wcwu", "line 12, column 34", "turn"),
        ("  2) 21: 13/11 6/5  ", "  2)  Takes" + " " * 9, "wcwu", "line 12, column 7", "no double"),
        ("      Wins 1 point\n", "", "wcwu", "line 15", "before the last one has a result"),
        ("      Wins 1 point\n", "      Wins 9 points\n", "wcwu", "line 13, column 7", "is worth"),
        ("      Wins 1 point\n", "      Wins 2 points\n", "wcwu", "line 16", "begins at 1:2"),
        ("  2) 21", "      Wins 1 point\n  2) 21", "wcwu", "line 13, column 6", "no game has"),
        ("ann : 0", "ann 0", "wxwu", "line 10", "left : score"),
        ("ann : 0", "ann : -4", "wxwu", "line 10", "negative"),
        ("Game 2", "Gxme 2", "cwu", "line 11, column 6", "no game has begun"),
    ],
)
def test_the_games_besides_the_bad_one_are_kept(
    old: str, new: str, kept: str, place: str, reason: str
) -> None:
    found = read_mat(changed(old, new, SECOND))
    assert states(found) == [kept]
    (fault,) = found.faults
    assert str(fault.error).startswith(place)
    assert reason in str(fault.error)


def test_what_stands_before_the_fault_is_kept() -> None:
    found = read_mat(changed("21: 13/11 6/5", "21: 13/11 6/4", SECOND))
    match = found.matches[0]
    assert match.games[1].actions == 2
    second = match.record.games[1]
    assert (len(second.actions), second.result, second.score) == (2, None, (0, 2))
    assert match.record.games[2].score == (1, 2)
    assert found.faults[0].game == 2


def test_an_unreadable_game_keeps_its_place_if_its_score_is_known() -> None:
    match = read_mat(changed("ann : 0", "ann 0", SECOND)).matches[0]
    assert [game.index for game in match.games] == [0, 1, 2, 3]
    empty = match.record.games[1]
    assert (empty.score, empty.actions, empty.result) == ((0, 2), (), None)
    check_record(match.record)
    match = read_mat(changed("ann : 0", "ann 0")).matches[0]
    assert [game.index for game in match.games] == [None, 0, 1, 2]
    assert [match.number_of(index) for index in range(3)] == [2, 3, 4]


def test_a_score_that_the_board_belies_is_not_believed() -> None:
    """Game 3 ended by a drop: game 4 cannot begin at 2:3."""
    found = read_mat(changed("ann : 1                        ben : 3", "ann : 2    ben : 3"))
    assert states(found) == ["wwwx"]


def test_names_may_change_but_not_the_sides() -> None:
    found = read_mat(changed("ann : 0", "ann,1501 : 0", SECOND))
    assert states(found) == ["wwwu"]
    assert "were ann and ben" in str(found.faults[0].error)
    sides = "ben : 2                        ann : 0"
    found = read_mat(changed("ann : 0                        ben : 2", sides, SECOND))
    assert states(found) == ["wxwu"]


def test_a_bad_tag_costs_no_game() -> None:
    found = read_mat('; [CubeLimit "lots"]\n' + MATCH)
    assert states(found) == ["wwwu"]
    assert "CubeLimit: 'lots'" in str(found.faults[0].error)
    assert ("CubeLimit", "lots") in found.matches[0].record.heading.other


def test_several_matches_in_a_file_have_their_own_tags() -> None:
    text = "".join(f'; [Event "{event}"]\n\n{MATCH}\n' for event in ("one", "two"))
    found = read_mat(text)
    assert states(found) == ["wwwu", "wwwu"]
    assert [match.record.heading.event for match in found.matches] == ["one", "two"]
    assert found.faults == ()


@pytest.mark.parametrize(
    ("place", "old", "new", "kept", "game"),
    [
        ("[game:1]", ")\n", "\n", "wcwu", 2),
        ("[game:1]", "])\n", ")\n", "wcwu", 2),
        ("[game:1]", "])\n", "])\nrest\n", "wwwu", 2),
        ("[game:1]", "\n;W[", "\n?;W[", "wcwu", 2),
        ("[game:1]", "\n;W[", "\n;W", "wcwu", 2),
        ("", "GM[6]", "GM[9]", "xwwu", 1),
        ("[game:3]", "])\n", "])\n)\n", "wwwu", 4),
    ],
)
def test_a_torn_tree_costs_no_game_behind_it(
    place: str, old: str, new: str, kept: str, game: int
) -> None:
    text = format_sgf(read_mat(MATCH).matches[0].record)
    head, mark, rest = text.partition(place) if place else ("", "", text)
    assert old in rest
    found = read_sgf(head + mark + rest.replace(old, new, 1))
    assert states(found) == [kept]
    assert {fault.game for fault in found.faults} == {game}


def test_an_empty_file_has_no_match() -> None:
    for text in ("", " \n \n", "\ufeff", "\x1a"):
        assert read_mat(text).matches == ()
