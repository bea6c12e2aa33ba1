"""The answer of the exact table of bear-offs about a board with its cube and score.

The table is for unlimited play and for play without a live cube, and for sides that have borne off
a checker: with at most six of fifteen left they have. It is computed when it is first needed, in
half a second, and takes 7 MB of each process that uses it.
"""

from functools import cache

from backgammon.evaluation import bearoff_table
from backgammon.evaluation.bearoff_table import CENTRED, MINE, NUMBER, THEIRS, TO_THE_END, UNIT
from backgammon.evaluation.stakes import Chances, CubeWorth, Owner, Stakes, turned

_KIND: dict[Owner, int] = {"centred": CENTRED, "mine": MINE, "theirs": THEIRS}


@cache
def table() -> bearoff_table.Entries:
    """The table of this process."""
    return bearoff_table.solved()


def covers(board: tuple[int, ...], stakes: Stakes) -> bool:
    """Whether the table has this board, as its player on roll or the other one sees it."""
    return _numbers(board) is not None and _is_known(stakes)


def before_roll(board: tuple[int, ...], stakes: Stakes) -> CubeWorth | None:
    """The exact worth for the player on roll; None where the table does not know it."""
    numbers = _numbers(board)
    if numbers is None or not _is_known(stakes):
        return None
    return _worth(*numbers, stakes)


def after_play(board: tuple[int, ...], stakes: Stakes) -> tuple[float, Chances] | None:
    """The exact equity and chances of the player who has just moved; None as in `before_roll`."""
    numbers = _numbers(board)
    if numbers is None or not _is_known(stakes):
        return None
    reply = stakes.flipped()
    worth = _worth(numbers[1], numbers[0], reply)
    return -to_decide(worth, reply), turned(worth.chances)


def _worth(mine: int, theirs: int, stakes: Stakes) -> CubeWorth:
    equities = [each / UNIT for each in table()[:, mine, theirs].tolist()]
    to_the_end = equities[TO_THE_END]
    chances: Chances = ((1 + to_the_end) / 2, 0.0, 0.0, 0.0, 0.0)
    if stakes.is_match:  # no cube can change anything
        return CubeWorth(to_the_end, to_the_end, chances)
    if not stakes.has_cube:
        return CubeWorth(to_the_end, 2 * to_the_end, chances)
    return CubeWorth(equities[_KIND[stakes.owner]], 2 * equities[THEIRS], chances)


def to_decide(worth: CubeWorth, stakes: Stakes) -> float:
    """The equity of the player on roll, who doubles if that is better."""
    if stakes.is_match or not stakes.may_double:
        return worth.no_double
    return max(worth.no_double, min(worth.double_take, 1.0))


def _numbers(board: tuple[int, ...]) -> tuple[int, int] | None:
    """The arrangements of the player on roll and of the opponent; None if the table lacks one."""
    mine = NUMBER.get(board[1:7])
    if mine is None or board[0] or board[25] or any(board[7:19]):
        return None
    theirs = NUMBER.get(tuple(-count for count in board[24:18:-1]))
    return None if theirs is None else (mine, theirs)


def _is_known(stakes: Stakes) -> bool:
    """Whether a table for unlimited play holds: at a score only if no cube can change anything."""
    is_dead = max(stakes.away) <= stakes.cube_value
    return not stakes.is_match or stakes.no_cube or is_dead
