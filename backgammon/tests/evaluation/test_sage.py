"""The engine's compiled functions give the answers of its own analyser, without loading again."""

import random
import resource
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from bgsage import BgBotAnalyzer  # type: ignore[import-untyped] # it has no types

from backgammon.evaluation import sage
from backgammon.evaluation.stakes import Owner, Stakes, cubeless
from backgammon.rules.variants import by_key

SCORES = ((0, 0, False), (5, 5, False), (2, 4, False), (4, 1, False), (1, 3, True), (2, 2, False))
NAMES = {"centred": "centered", "mine": "player", "theirs": "opponent"}


@cache
def analyser(plies: int) -> Any:
    return BgBotAnalyzer(eval_level=f"{plies}ply", parallel_threads=1)


def boards(count: int) -> Iterator[sage.Board]:
    """Positions of a game of random plays, good and bad."""
    chance, variant = random.Random(5), by_key("backgammon")
    position = variant.start
    for _ in range(count):
        dice = (chance.randint(1, 6), chance.randint(1, 6))
        plays = variant.legal_plays(position, dice)
        _, after = plays.pick(chance.randrange)
        position = after.turned(variant.way)
        if variant.outcome(after):
            position = variant.start
        yield sage.board_of(position)


def stakes(count: int) -> Iterator[Stakes]:
    chance = random.Random(6)
    owners: tuple[tuple[int, Owner], ...] = ((1, "centred"), (2, "mine"), (2, "theirs"))
    for _ in range(count):
        mine, theirs, crawford = chance.choice(SCORES)
        value, owner = (1, owners[0][1]) if crawford else chance.choice(owners)
        yield Stakes(value, owner, (mine, theirs), crawford)


def asked(at: Stakes) -> dict[str, Any]:
    return {
        "cube_value": at.cube_value,
        "cube_owner": NAMES[at.owner],
        "away1": at.away[0],
        "away2": at.away[1],
        "is_crawford": at.crawford,
        "jacoby": at.jacoby,
        "beaver": False,
    }


CASES = list(zip(boards(16), stakes(16), strict=True))


def test_cube_decisions_at_one_ply_are_those_of_the_analyser() -> None:
    for board, at in CASES:
        theirs = analyser(1).cube_action(list(board), **asked(at))
        ours = sage.before_roll(board, at, 1)
        assert ours.no_double == pytest.approx(theirs.equity_nd, abs=1e-6)
        assert ours.double_take == pytest.approx(theirs.equity_dt, abs=1e-6)
        assert ours.chances == pytest.approx(theirs.probs.to_list(), abs=1e-6)


@pytest.mark.slow
def test_cube_decisions_at_two_plies_are_near_those_of_the_analyser() -> None:
    """They choose the plays inside the search by the cube of one side of the decision alone."""
    away = []
    for board, at in CASES:
        theirs = analyser(2).cube_action(list(board), **asked(at))
        ours = sage.before_roll(board, at, 2)
        away.append(abs(ours.no_double - theirs.equity_nd))
        if at.may_double and theirs.equity_nd - theirs.equity_dt < 0.4:
            away.append(abs(min(1, ours.double_take) - min(1, theirs.equity_dt)))
    assert max(away) < 0.04
    assert sum(away) / len(away) < 0.003


@pytest.mark.parametrize("plies", [1, 2])
def test_plays_are_those_of_the_analyser(plies: int) -> None:
    for board, at in CASES[: 16 // plies**2]:
        theirs = analyser(plies).checker_play(list(board), 4, 1, **asked(at)).moves
        for move in theirs[:: plies**2]:
            equity, chances = sage.after_play(tuple(move.board), board, at, plies)
            assert equity == pytest.approx(move.equity, abs=1e-5)
            assert chances == pytest.approx(move.probs.to_list(), abs=1e-5)


def test_jacobys_rule_takes_gammons_from_a_centred_cube() -> None:
    (board, _), *_ = CASES
    plain, jacoby = Stakes(), Stakes(jacoby=True)
    theirs = analyser(1).cube_action(list(board), **asked(jacoby))
    assert sage.before_roll(board, jacoby, 1).no_double == pytest.approx(theirs.equity_nd, abs=1e-6)
    assert sage.before_roll(board, plain, 1) != sage.before_roll(board, jacoby, 1)


def test_without_a_cube_the_equity_is_that_of_the_chances() -> None:
    (board, _), *_ = CASES
    alone = Stakes(has_cube=False)
    for plies in (1, 2):
        worth = sage.before_roll(board, alone, plies)
        assert worth.no_double == pytest.approx(cubeless(worth.chances), abs=1e-6)


def test_a_finished_game_is_worth_its_level() -> None:
    won = (*[0] * 24, -15, 0)
    for plies in (1, 2):
        assert sage.after_play(won, won, Stakes(), plies)[0] == pytest.approx(2.0)
        in_match = Stakes(away=(1, 3), crawford=True)
        assert sage.after_play(won, won, in_match, plies)[0] == pytest.approx(1.0)


def test_the_mean_of_rolls_is_the_mean_over_all_rolls() -> None:
    for board, at in CASES[:6]:
        mean = sum(sage.best_of_roll(board, at, a, b) * weight for a, b, weight in sage.ROLLS) / 36
        assert sage.mean_of_rolls(board, at) == pytest.approx(mean, abs=0.002)


def test_a_board_turned_twice_is_itself() -> None:
    for board, at in CASES:
        assert sage.flipped(sage.flipped(board)) == board
        assert at.flipped().flipped() == at


def test_the_chance_to_win_a_match() -> None:
    assert sage.match_chance((5, 5), False) == pytest.approx(0.5, abs=1e-4)
    assert sage.match_chance((1, 2), False) == pytest.approx(0.68, abs=0.01)  # Crawford's game next
    assert sage.match_chance((1, 2), True) == pytest.approx(0.51, abs=0.01)  # Crawford's game over


def test_the_weights_are_read_once() -> None:
    """A thousand cube decisions take less processor time than reading the weights ten times."""
    board, at = CASES[0]
    sage.before_roll(board, at, 1)
    begin = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    for number in range(1000):
        sage.before_roll(board, Stakes(1 << number % 3, "mine", (9, number % 20 + 1)), 1)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_utime - begin < 0.2


def scattered(mine: int, theirs: int, seed: int) -> sage.Board:
    """So many checkers of each side anywhere on the board, where they still meet."""
    chance, board = random.Random(seed), [0] * 26
    for sign, count in ((1, mine), (-1, theirs)):
        for _ in range(count):
            free = [point for point in range(1, 25) if board[point] * sign >= 0]
            board[chance.choice(free)] += sign
    return tuple(board)


@pytest.mark.parametrize("seed", range(8))
def test_nobody_loses_a_gammon_with_a_checker_off_and_luck_counts_none(seed: int) -> None:
    """The bare net gave up to 0.4 there, the engine's searches none: luck was the difference."""
    both = scattered(14, 14, seed)
    assert sage.before_roll(both, Stakes(), 1).chances[1:] == (0.0,) * 4
    mine = sage.before_roll(scattered(14, 15, seed), Stakes(), 1).chances
    assert (mine[3], mine[4]) == (0.0, 0.0)
    theirs = sage.before_roll(scattered(15, 14, seed), Stakes(), 1).chances
    assert (theirs[1], theirs[2]) == (0.0, 0.0)
    rolls = sum(
        weight * sage.best_of_roll(both, Stakes(), first, second)
        for first, second, weight in sage.ROLLS
    )
    assert rolls / 36 == pytest.approx(sage.mean_of_rolls(both, Stakes()), abs=0.03)
