"""Lessons for the net: positions of games with odd beginnings and plays, judged by bgsage.

The best plays alone would show the net no bad position; so a turn takes another play now and then,
and many games begin at backgames, races and positions with the checkers anywhere.
"""

from dataclasses import dataclass
from random import Random
from typing import Final

import numpy as np

from backgammon.evaluation import sage
from backgammon.evaluation.nets.boards import Bytes, Floats
from backgammon.evaluation.sage import CHECKERS, Board
from backgammon.evaluation.stakes import Stakes
from backgammon.rules.packed import BAR_LANE, LANES
from backgammon.rules.variants import by_key

#: to the end, without a cube: what the five chances alone are worth.
PLAIN: Final = Stakes(has_cube=False)

#: the results of a roll that are kept: the best ones, and others by chance.
_KEPT_BEST, _KEPT_OTHERS = 2, 3
_TURNS_MOST: Final = 400
#: the shares of turns with any play, and with one of the best five.
_ANY, _GOOD = 0.04, 0.16
#: the shares of games that begin at the start, with a race, with a backgame; the rest anywhere.
_FROM_START, _FROM_RACE, _FROM_BACKGAME = 0.55, 0.12, 0.13


@dataclass(slots=True)
class Lessons:
    """Boards in the view of who has just moved, and the five chances that bgsage gives them."""

    boards: Bytes
    chances: Floats


class Teacher:
    """Games of bgsage against itself, from one seed."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.start = sage.board_of(by_key("backgammon").start)

    def lessons(self, count: int) -> Lessons:
        """At least `count` judged boards, of whole games."""
        boards: list[Board] = []
        chances: list[tuple[float, ...]] = []
        while len(boards) < count:
            self._game(boards, chances)
        return Lessons(rows_of(np.array(boards, np.int8)), np.array(chances, np.float32))

    def _game(self, boards: list[Board], chances: list[tuple[float, ...]]) -> None:
        random, board = self.random, self._beginning()
        for _ in range(_TURNS_MOST):
            results = sage.boards_after(board, random.randint(1, 6), random.randint(1, 6))
            ended = [result for result in results if sage.has_ended(result)]
            if ended:
                return
            judged = [sage.after_play(result, result, PLAIN, 1) for result in results]
            order = sorted(range(len(results)), key=lambda at: -judged[at][0])
            others = order[_KEPT_BEST:]
            kept = random.sample(others, min(_KEPT_OTHERS, len(others)))
            for at in [*order[:_KEPT_BEST], *kept]:
                boards.append(results[at])
                chances.append(judged[at][1])
            board = sage.flipped(results[self._choice(order)])

    def _choice(self, order: list[int]) -> int:
        chance = self.random.random()
        if chance < _ANY:
            return self.random.choice(order)
        return self.random.choice(order[:5]) if chance < _ANY + _GOOD else order[0]

    def _beginning(self) -> Board:
        chance = self.random.random()
        if chance < _FROM_START:
            return self.start
        chance -= _FROM_START
        if chance < _FROM_RACE:
            return self._placed(self._race_side(), self._race_side())
        chance -= _FROM_RACE
        if chance < _FROM_BACKGAME:
            back, ahead = self._backgame_side(), self._side(1, 12)
            sides = (back, ahead) if 2 * chance < _FROM_BACKGAME else (ahead, back)
            return self._placed(*sides)
        return self._placed(self._side(1, 24), self._side(1, 24))

    def _side(self, low: int, high: int, checkers: int = CHECKERS) -> list[int]:
        """Checkers by point 0..25 in their owner's numbers, mostly in twos and threes."""
        side = [0] * 26
        while checkers:
            put = min(checkers, self.random.choice((1, 2, 2, 2, 3)))
            side[self.random.randint(low, high)] += put
            checkers -= put
        return side

    def _race_side(self) -> list[int]:
        high = self.random.choice((3, 6, 6, 6, 9, 12))
        borne_off = self.random.randint(0, 13) if high <= 6 else 0
        return self._side(1, high, CHECKERS - borne_off)

    def _backgame_side(self) -> list[int]:
        side = self._side(1, 12, CHECKERS - 5)
        for point in (*self.random.sample(range(19, 25), 2), self.random.randint(19, 25)):
            side[point] += 2
        while sum(side) > CHECKERS:
            side[next(point for point in range(1, 26) if side[point])] -= 1
        return side

    def _placed(self, mine: list[int], theirs: list[int]) -> Board:
        """Both sides on one board; where they would share a point, the opponent goes to the bar."""
        board = [0, *mine[1:25], mine[25]]
        board[0] += theirs[25]
        for point in range(1, 25):
            there = 25 - point
            if board[there] > 0:
                board[0] += theirs[point] if theirs[point] == 1 else 0
                _spread(board, theirs[point] if theirs[point] > 1 else 0)
            else:
                board[there] -= theirs[point]
        return tuple(board)


def _spread(board: list[int], checkers: int) -> None:
    """Put an opponent's checkers on the first of their points that is free, nearest their home."""
    if checkers:
        there = next((at for at in range(24, 0, -1) if board[at] <= 0), 0)
        board[there] += checkers if there == 0 else -checkers


def rows_of(boards: np.ndarray) -> Bytes:
    """Boards as bgsage writes them, (boards, 26), as rows for a net."""
    wide = boards.astype(np.intp)
    mine, theirs = np.maximum(wide, 0), np.maximum(-wide, 0)
    theirs[:, 0], mine[:, 0] = wide[:, 0], 0
    rows = np.zeros((len(boards), LANES), np.uint8)
    rows[:, 1:25] = mine[:, 1:25] + 16 * theirs[:, 1:25]
    rows[:, BAR_LANE] = mine[:, 25] + 16 * theirs[:, 0]
    rows[:, 0] = (CHECKERS - mine.sum(1)) + 16 * (CHECKERS - theirs.sum(1))
    return rows
