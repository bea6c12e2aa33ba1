"""The exact worth of every bear-off with at most six checkers a side, computed from nothing.

A side sees its checkers on its own points 1 to 6. Every play brings them nearer to the end, so an
arrangement leads only to arrangements with fewer pips, and one pass in the order of the pips finds
everything. Against a side that has borne off nobody can lose a gammon, so Jacoby's rule changes
nothing here; and who would be beavered does not double, so beavers do not, either.
"""

from itertools import pairwise, product
from typing import Final

import numpy as np
from numpy.typing import NDArray

#: of another number, the values are others.
VERSION: Final = 1

CHECKERS: Final = 6
POINTS: Final = 6

#: the checkers on each point, from the first.
Arrangement = tuple[int, ...]

Entries = NDArray[np.int16]
_Floats = NDArray[np.float32]


def pips(arrangement: Arrangement) -> int:
    """The pips to go."""
    return sum(point * count for point, count in enumerate(arrangement, start=1))


#: every arrangement of at most six checkers, those with fewer pips first; the first has none.
ALL: Final[tuple[Arrangement, ...]] = tuple(
    sorted(
        (each for each in product(range(CHECKERS + 1), repeat=POINTS) if sum(each) <= CHECKERS),
        key=lambda each: (pips(each), each),
    )
)
NUMBER: Final = {arrangement: number for number, arrangement in enumerate(ALL)}

#: the equities of the player on roll: of play to the end without a cube, then before the roll and
#: without a double with the cube in the middle, with the own and with the opponent's cube.
TO_THE_END, CENTRED, MINE, THEIRS = range(4)
_KINDS: Final = 4

#: the kind that the opponent has, in the order of the kinds.
_REPLY: Final = (TO_THE_END, CENTRED, THEIRS, MINE)

#: an equity is kept in ten-thousandths, so it is off by at most half of one.
UNIT: Final = 10_000

_ROLLS: Final = tuple((a, b, 1 if a == b else 2) for a in range(1, 7) for b in range(1, a + 1))
_WEIGHTS: Final = np.array([weight / 36 for _, _, weight in _ROLLS], dtype=np.float32)


def _step(number: int, die: int) -> set[int]:
    """The arrangements that one die leads to."""
    arrangement = ALL[number]
    held = [point for point, count in enumerate(arrangement, start=1) if count]
    if not held:
        return {number}
    found = set()
    for point in held:
        if point < die and point < held[-1]:
            continue  # a checker further back has to move
        after = list(arrangement)
        after[point - 1] -= 1
        if point > die:
            after[point - die - 1] += 1
        found.add(NUMBER[tuple(after)])
    return found


_Steps = list[list[set[int]]]


def _plays(number: int, high: int, low: int, steps: _Steps) -> list[int]:
    """The arrangements that a roll leads to; every die can be played, for nobody is in the way."""
    orders = [(high,) * 4] if high == low else [(high, low), (low, high)]
    found = set()
    for order in orders:
        reached = {number}
        for die in order:
            reached = set().union(*(steps[at][die - 1] for at in reached))
        found |= reached
    return sorted(found)


class _Backup:
    """The plays of all arrangements, one after the other, so that many are compared at once."""

    def __init__(self) -> None:
        steps = [[_step(number, die) for die in range(1, 7)] for number in range(len(ALL))]
        found = [
            _plays(number, high, low, steps)
            for number in range(len(ALL))
            for high, low, _ in _ROLLS
        ]
        self.after = np.concatenate([np.array(each, dtype=np.intp) for each in found])
        self.counts = np.array([len(each) for each in found])
        self.begins = np.cumsum(self.counts) - self.counts

    def mean(self, replies: _Floats, first: int, end: int) -> _Floats:
        """The mean over the rolls of the best play for the arrangements from `first` to `end`.

        `replies` has a row for each arrangement that a play can leave. The rolls with the most
        plays come first, so those that have another one are always the first few.
        """
        rolls = slice(first * len(_ROLLS), end * len(_ROLLS))
        order = np.argsort(-self.counts[rolls], kind="stable")
        counts, begins = self.counts[rolls][order], self.begins[rolls][order]
        best = replies.take(self.after[begins], axis=0)
        for play in range(1, counts[0]):
            more = np.searchsorted(-counts, -play)
            other = replies.take(self.after[begins[:more] + play], axis=0)
            np.maximum(best[:more], other, out=best[:more])
        each_roll = np.empty_like(best)
        each_roll[order] = best
        mean: _Floats = _WEIGHTS @ each_roll.reshape(end - first, len(_ROLLS), -1)
        return mean


def solved() -> Entries:
    """The table: [kind, player on roll, opponent], in units of `UNIT`."""
    count = len(ALL)
    rolled = np.zeros((_KINDS, count, count), dtype=np.float32)
    rolled[:, 0, :], rolled[:, :, 0] = 1, -1  # who has no checker left has won
    # what a play is worth: [what it leaves, kind, opponent]
    left = np.zeros((count, _KINDS, count), dtype=np.float32)
    left[0] = 1
    backup = _Backup()
    for first, end in _groups():
        _fill(rolled, left, backup, (first, end), (1, first))
        _fill(rolled, left, backup, (1, end), (first, end))
    return np.rint(rolled * UNIT).astype(np.int16)


def _groups() -> list[tuple[int, int]]:
    """The first number and the end of the arrangements with 1, 2, 3 … pips."""
    totals = np.array([pips(each) for each in ALL])
    ends = np.searchsorted(totals, np.arange(1, totals[-1] + 2))
    return list(pairwise(map(int, ends)))


def _fill(
    rolled: _Floats, left: _Floats, backup: _Backup, own: tuple[int, int], other: tuple[int, int]
) -> None:
    """Fill in the arrangements `own` on roll against `other`; what they lead to is known."""
    rows, columns = slice(*own), slice(*other)
    replies = left[: own[1], :, columns].reshape(own[1], -1)
    mean = backup.mean(replies, *own).reshape(own[1] - own[0], _KINDS, -1)
    rolled[:, rows, columns] = mean.transpose(1, 0, 2)
    taken = np.minimum(2 * rolled[THEIRS, rows, columns], 1)
    for kind in range(_KINDS):
        worth = rolled[_REPLY[kind], rows, columns]
        if _REPLY[kind] in (CENTRED, MINE):
            worth = np.maximum(worth, taken)
        left[columns, kind, rows] = -worth.T
