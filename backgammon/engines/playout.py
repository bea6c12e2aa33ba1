"""A game played on from a position by the net, with given dice, and the luck of its rolls.

The luck of a roll is what the best play is worth by the bare net less the mean over all rolls. On
average it is 0 whatever the net thinks, so a result less its luck has the same mean and spreads
less. The equity of a trial is in points of the cube at the start of the rollout.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from backgammon.evaluation import sage
from backgammon.evaluation.sage import ROLLS, Board
from backgammon.evaluation.stakes import Stakes

Roll = tuple[int, int]

#: the usual turns of a trial. What follows is judged by all rolls of the next turn: two plies.
TURNS: Final = 7

#: at two plies a play is chosen among so many that the bare net sees so close together.
_NEAR_MOST: Final = 3
_NEAR: Final = 0.06

#: every roll by its two dice, the higher first, with its place in `ROLLS`.
_PLACE: Final = {(high, low): place for place, (high, low, _) in enumerate(ROLLS)}


@dataclass(frozen=True, slots=True)
class Start:
    """A position from which trials begin, as its player on roll sees it.

    `first` has the cube and the score before the decision, seen by the player who decides; `mine`
    says whether they are on roll. `may_double` is False where the decision was not to double.
    """

    board: Board
    stakes: Stakes
    first: Stakes
    mine: bool
    may_double: bool = True


@dataclass(frozen=True, slots=True)
class Trial:
    """The result of one trial for the player who decides, and the luck in it, in their favour."""

    result: float
    luck: float

    @property
    def without_luck(self) -> float:
        """The result without the luck of the rolls."""
        return self.result - self.luck


def played(start: Start, dice: Sequence[Roll], plies: int = 1) -> Trial:
    """Play one turn for each of these rolls, or to the end of the game if that comes first.

    `plies` is how deep both sides look before they play and double, one or two.
    What is cut short counts half as it stood before the last turn and half as it stands after it,
    because the net judges the side that is to move a little otherwise than the side that is not.
    """
    board, stakes, mine, luck = start.board, start.stakes, start.mine, 0.0
    before: Trial | None = None

    def seen(equity: float) -> float:
        """An equity of the player on roll as the player who decides counts it."""
        counted = sage.in_terms_of(start.first if mine else start.first.flipped(), equity, stakes)
        return counted if mine else -counted

    for turn, (first, second) in enumerate(dice):
        if turn or start.may_double:
            turned = _doubled(board, stakes, plies)
            if turned is None:
                return _middle(before, Trial(seen(1.0), luck))
            stakes = turned
        rolls = _rolls(board, stakes)
        if turn == len(dice) - 1:
            before = Trial(seen(rolls.mean), luck)
        place = _PLACE[max(first, second), min(first, second)]
        luck += seen(rolls.worth[place]) - seen(rolls.mean)
        bare = rolls.boards[place]
        board = bare if plies == 1 else _by_two_plies(board, stakes, ROLLS[place][:2])
        if sage.has_ended(board):
            return _middle(before, Trial(seen(rolls.worth[place]), luck))
        board, stakes, mine = sage.flipped(board), stakes.flipped(), not mine
    turned = _doubled(board, stakes, plies)
    if turned is None:
        return _middle(before, Trial(seen(1.0), luck))
    stakes = turned
    return _middle(before, Trial(seen(_rolls(board, stakes).mean), luck))


def _middle(before: Trial | None, after: Trial) -> Trial:
    """Half of each; all of the second if the game ended before the last turn."""
    if before is None:
        return after
    return Trial((before.result + after.result) / 2, (before.luck + after.luck) / 2)


def _by_two_plies(board: Board, stakes: Stakes, roll: Roll) -> Board:
    """The board after the play of a roll against which the opponent does worst."""
    values = [(sage.worth_after(after, stakes), after) for after in sage.boards_after(board, *roll)]
    best = max(worth for worth, _after in values)
    near = sorted((each for each in values if each[0] >= best - _NEAR), key=lambda each: -each[0])
    if len(near) == 1 or any(sage.has_ended(after) for _worth, after in near):
        return near[0][1]
    return min(
        (after for _worth, after in near[:_NEAR_MOST]),
        key=lambda after: _on_roll(sage.flipped(after), stakes.flipped()),
    )


def _on_roll(board: Board, stakes: Stakes) -> float:
    """The equity of the player on roll, who may double, as the mean over all rolls."""
    turned = _doubled(board, stakes, 1)
    if turned is None:
        return 1.0
    return sage.in_terms_of(stakes, _rolls(board, turned).mean, turned)


def _doubled(board: Board, stakes: Stakes, plies: int) -> Stakes | None:
    """The cube after the decisions about it before a roll; None if a double was dropped.

    Nobody beavers.
    """
    dead = stakes.is_match and stakes.away[0] <= stakes.cube_value
    if dead or not stakes.may_double:
        return stakes
    worth = sage.before_roll(board, stakes, plies)
    if min(worth.double_take, 1.0) <= worth.no_double:
        return stakes
    return stakes.doubled() if worth.double_take <= 1.0 else None


@dataclass(frozen=True, slots=True)
class _Rolls:
    """The best play of every roll in the order of `ROLLS`, its equity, and the mean of these."""

    boards: tuple[Board, ...]
    worth: tuple[float, ...]
    mean: float


@lru_cache(maxsize=2048)  # the first two turns of many trials meet the same positions
def _rolls_of(board: Board, stakes: Stakes) -> _Rolls:
    boards, worth, total = [], [], 0.0
    for high, low, weight in ROLLS:
        found = sage.boards_after(board, high, low)
        values = [sage.worth_after(after, stakes) for after in found]
        best = max(values)
        boards.append(found[values.index(best)])
        worth.append(best)
        total += weight * best
    return _Rolls(tuple(boards), tuple(worth), total / 36)


def _rolls(board: Board, stakes: Stakes) -> _Rolls:
    """The best plays; in unlimited play the size of the cube changes nothing, so 1 serves all."""
    return _rolls_of(board, stakes if stakes.is_match else replace(stakes, cube_value=1))
