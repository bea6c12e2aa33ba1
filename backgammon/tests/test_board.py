"""A board to play on: turns, the cube, undo, the end, and the record of it all."""

from random import Random

import pytest

from backgammon.board import Board, legal_plays, read_position, write_play
from backgammon.counting.situation import MINE, THEIRS
from backgammon.formats.errors import FormatError
from backgammon.formats.record import Ending
from backgammon.formats.registry import ALL, parse_match
from backgammon.rules.cube import Cube
from backgammon.rules.errors import InvalidDice, InvalidPosition
from backgammon.rules.moves import Move
from backgammon.rules.variants import KEYS, by_key
from backgammon.tests.formats.outline import outline


def roll(board: Board, chance: Random) -> tuple[int, ...]:
    return tuple(chance.randint(1, 6) for _ in range(board.variant.dice_count))


def played(variant: str, seed: int, turns: int = 1000) -> Board:
    """A game of random plays; whoever may roll again does not."""
    chance, board = Random(seed), Board(variant)
    while not board.is_over and len(board.actions) < turns:
        dice = roll(board, chance)
        board.play(dice, chance.choice(list(board.legal_plays(dice).graph.ends()))[0])
    return board


@pytest.mark.parametrize("variant", KEYS)
def test_a_game_of_every_variant_is_undone_to_its_start(variant: str) -> None:
    board = played(variant, 3, turns=12)
    actions = board.actions
    assert tuple(board.undo() for _ in actions) == actions[::-1]
    assert board.position == by_key(variant).start
    assert (board.turn, board.actions) == (0, ())
    with pytest.raises(IndexError):
        board.undo()


def test_undo_gives_back_what_stood_before() -> None:
    board = Board()
    board.play((3, 1), "8/5 6/5")
    before = (board.position, board.turn, board.cube)
    board.double()
    assert (board.turn, board.is_doubled) == (0, True)
    board.take()
    assert (board.turn, board.cube) == (1, Cube(2, 0))
    board.undo()
    assert board.is_doubled
    board.undo()
    assert (board.position, board.turn, board.cube) == before


def test_a_finished_game_is_a_match_file_in_every_format() -> None:
    board = played("backgammon", 8)
    assert board.is_over
    assert board.turn is None
    record = board.record()
    assert record.games[0].result is not None
    assert record.games[0].result.winner == board.winner
    for kind in ALL:
        assert outline(parse_match(kind.format(record))) == outline(record)
    with pytest.raises(FormatError, match="over"):
        board.legal_plays((3, 1))


def test_a_drop_ends_the_game() -> None:
    board = Board(length=5, score=(3, 1), first=1)
    board.double()
    board.drop()
    assert (board.is_over, board.winner) == (True, 1)
    result = board.record().games[0].result
    assert result is not None
    assert (result.points, result.ending) == (1, Ending.DROP)


def test_the_situation_is_that_of_the_player_on_turn() -> None:
    board = Board(length=5, score=(3, 1))
    assert board.situation.away == (2, 4)
    board.double()
    board.take()
    assert board.situation.cube == Cube(2, THEIRS)
    board.play((3, 1), "8/5 6/5")
    assert (board.situation.away, board.situation.cube) == ((4, 2), Cube(2, MINE))
    assert not Board("tapa").situation.has_cube


def test_what_is_refused_changes_nothing() -> None:
    board = Board()
    for wrong in (
        lambda: board.play((3, 1), "8/3"),
        lambda: board.play((3, 1), "8/x"),
        lambda: board.play((3, 1), ()),
        lambda: board.legal_plays((7, 1)),
        lambda: board.take(),
        lambda: board.drop(),
    ):
        with pytest.raises(ValueError):  # noqa: PT011 - the base of all errors of rules and files
            wrong()
    assert board.actions == ()


def test_nobody_rolls_again_for_nothing() -> None:
    """Only where the variant gives it."""
    board = Board("gul_bara")
    for dice in ((2, 1), (2, 1)):
        board.play(dice, next(iter(board.legal_plays(dice))))
    with pytest.raises(FormatError, match="turn"):
        board.play((3, 2), next(iter(board.legal_plays((3, 2)))), again=True)


def test_positions_are_read_in_every_notation() -> None:
    start = by_key("backgammon").start
    for text in ("start", " 4HPwATDgc/ABMA\n", start.text(), "XGID=-b----E-C---eE---c-e----B-"
                 ":0:0:1:00:0:0:0:5:10"):  # fmt: skip
        assert read_position(text) == start
    with pytest.raises(InvalidPosition):
        read_position("1 2 3")


def test_plays_are_found_and_written() -> None:
    start = by_key("backgammon").start
    assert (Move(8, 5, 3), Move(6, 5, 1)) in legal_plays(start, (3, 1))
    assert write_play(start, (Move(8, 5, 3), Move(6, 5, 1))) == "8/5 6/5"
    with pytest.raises(InvalidDice):
        legal_plays(start, (3, 1), "tabula")
