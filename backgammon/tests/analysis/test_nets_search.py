"""The search for many rolls at once against the rules of the house, on random games."""

from random import Random

import numpy as np
import pytest

from backgammon.evaluation.nets.boards import boards_of
from backgammon.evaluation.nets.endings import ended, orders
from backgammon.evaluation.nets.net import equities
from backgammon.evaluation.nets.search import BORNE_OFF, BOTH_MOTHERS, GOES_ON, MOTHER
from backgammon.rules.position import Position
from backgammon.rules.variant import Termination, Variant
from backgammon.rules.variants import by_key
from backgammon.tests.amounts import amount
from backgammon.train.nets.game import TrainingGame

KEYS = (
    "plakoto",
    "tapa",
    "fevga",
    "long_nardi",
    "gul_bara",
    "russian",
    "acey_deucey",
    "misere",
    "tabula",
)
STANDING = {
    Termination.BORNE_OFF: BORNE_OFF,
    Termination.MOTHER: MOTHER,
    Termination.BOTH_MOTHERS: BOTH_MOTHERS,
}
ROLLS = amount(60, long=250)


def passed_through(
    variant: Variant, count: int, seed: int
) -> list[tuple[Position, tuple[int, ...], bool]]:
    """Positions of random games with a roll, and whether it is the player's first one."""
    random, found = Random(seed), []
    position, turn = variant.start, 0
    while len(found) < count:
        dice = tuple(random.randint(1, 6) for _ in range(variant.dice_count))
        first = turn < 2
        found.append((position, dice, first))
        plays = variant.plays_from(position, dice, first_turn=first)
        reached = random.choice(sorted(plays.results, key=Position.text))
        turn += 1
        if variant.outcome(reached) is not None or turn > 150:
            position, turn = variant.start, 0
        else:
            position = reached.turned(variant.way)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("key", KEYS)
def test_the_search_finds_the_plays_of_the_rules(key: str) -> None:
    """The same results, the same number of dice played, and the same end of the game."""
    variant = by_key(key)
    game = TrainingGame(variant)
    cases = passed_through(variant, ROLLS, 7)
    dice = np.array([sorted(roll, reverse=True) for _, roll, _ in cases])
    steps, owners = orders(dice)
    double = np.array([first and roll in ((3, 3), (4, 4), (6, 6)) for _, roll, first in cases])
    starts = boards_of([position for position, _, _ in cases])
    found = game.search.results(starts, steps, owners, double)
    for number, (position, roll, first) in enumerate(cases):
        rows = found.games == number
        plays = variant.plays_from(position, roll, first_turn=first)
        ends = list(plays.results)
        assert found.played[number] == plays.dice_played
        wanted = {bytes(board) for board in boards_of(ends)}
        assert {bytes(board) for board in found.boards[rows]} == wanted, (position, roll)
        for board, standing in zip(found.boards[rows], found.standing[rows], strict=True):
            reached = next(end for end in ends if bytes(boards_of([end])[0]) == bytes(board))
            outcome = variant.outcome(reached)
            if outcome is None:
                assert standing == GOES_ON
                continue
            if outcome.termination is not Termination.FROZEN:
                assert standing == STANDING[outcome.termination]
                worth = equities(ended(variant, board[None], standing[None]), game.kind.most)[0]
                sign = {"mover": 1, "opponent": -1, None: 0}[outcome.winner]
                assert worth == pytest.approx(sign * outcome.level, abs=1e-4)
