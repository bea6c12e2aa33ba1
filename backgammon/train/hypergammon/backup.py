"""One step of value iteration: a row of a table from the rows that its plays lead to.

Entry [theirs, kind, mine] of the tables is the worth for the player on roll, who has `mine`,
against `theirs`; there are several kinds, which differ in the cube. So the arrangement that a play
leads to picks a row, which holds the worth of every reply at once, and the smallest is the best.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from backgammon.evaluation.hypergammon.arrangements import ALL, BAR, COUNT, GONE, held
from backgammon.train.hypergammon.plays import ROLLS, Points, ways

Floats = NDArray[np.float32]
Indices = NDArray[np.intp]

#: says how far a step is, from 0 to 1.
Told = Callable[[float], None]

#: what makes an illegal play worse than every other.
_NEVER: Final = np.float32(1000)

#: a play: its row, where each column goes by the hits, what it adds to the held columns if it is
#: not legal with all of them, and whether it is for the held columns alone.
_Play = tuple[int, Indices | None, Floats | None, bool]


class Universe:
    """Some of the arrangements, which no play leaves; each has its column."""

    def __init__(self, numbers: Iterable[int] = range(COUNT)) -> None:
        self.numbers = tuple(numbers)
        self.count = len(self.numbers)
        self.column = {number: column for column, number in enumerate(self.numbers)}
        self.loose = sum(not held(ALL[number]) for number in self.numbers)
        self._hits: dict[Points, Indices | None] = {}
        self._closed: dict[Points, Floats | None] = {}

    @cached_property
    def places(self) -> NDArray[np.int64]:
        """The places of each column, seen by the other side: 25 for off, 0 for the bar."""
        return BAR - np.array([ALL[number] for number in self.numbers], dtype=np.int64)

    @cached_property
    def legal(self) -> NDArray[np.bool_]:
        """Which arrangements can stand against each other."""
        on_board = self._bits(np.array([ALL[number] for number in self.numbers], dtype=np.int64))
        across = self._bits(self.places)
        legal: NDArray[np.bool_] = (on_board[:, None] & across[None, :]) == 0
        gone = self.column[GONE]
        legal[gone, gone] = False
        return legal

    @cached_property
    def levels(self) -> Floats:
        """The level each column has lost when the other side has borne off its last checker."""
        own = np.array([ALL[number] for number in self.numbers])
        lost = np.where(own[:, 0] == 0, 1, np.where(own[:, 2] >= 19, 3, 2))
        return lost.astype(np.float32)

    def hits(self, points: Points) -> Indices | None:
        """The column of each column after its blots on these points were hit; None: all stay."""
        if points not in self._hits:
            self._hits[points] = self._hit(points) if points else None
        return self._hits[points]

    def closed(self, points: Points) -> Floats | None:
        """The addition to each held column: much where it holds one of these points."""
        if points not in self._closed:
            holds = np.array([held(ALL[number]) for number in self.numbers[self.loose :]])
            shut = (points >> (BAR - holds)) & 1 if len(holds) else np.zeros(0, dtype=np.int64)
            self._closed[points] = (shut * _NEVER).astype(np.float32) if shut.any() else None
        return self._closed[points]

    def _hit(self, points: Points) -> Indices | None:
        places = self.places
        alone = np.ones(places.shape, dtype=bool)
        for one, other in ((0, 1), (1, 2), (0, 2)):
            same = places[:, one] == places[:, other]
            alone[same, one] = alone[same, other] = False
        struck = alone & ((points >> places) & 1).astype(bool)
        after = np.sort(np.where(struck, BAR, BAR - places), axis=1)
        code = after[:, 0] * 26 * 26 + after[:, 1] * 26 + after[:, 2]
        found = self._column_of_code[code]
        return None if (found == np.arange(self.count)).all() else found

    @cached_property
    def _column_of_code(self) -> Indices:
        """The column of each arrangement, written in base 26; those that lack stay where they are.

        They are never asked for by a legal position.
        """
        table = np.zeros(26**3, dtype=np.intp)
        for number, column in self.column.items():
            first, second, third = ALL[number]
            table[first * 26 * 26 + second * 26 + third] = column
        return table

    @staticmethod
    def _bits(places: NDArray[np.int64]) -> NDArray[np.int64]:
        on_board = (places > 0) & (places < BAR)
        bits: NDArray[np.int64] = np.where(on_board, np.left_shift(1, places), 0)
        return bits[:, 0] | bits[:, 1] | bits[:, 2]


class Program:
    """The plays of every column and roll, ready for tables."""

    def __init__(self, universe: Universe, told: Told = lambda share: None) -> None:
        self.universe = universe
        self.order = sorted(
            (column for column in range(universe.count) if universe.numbers[column] != GONE),
            key=lambda column: sum(ALL[universe.numbers[column]]),
        )
        self.plays: list[list[tuple[float, list[_Play]]]] = [[] for _ in range(universe.count)]
        for done, column in enumerate(self.order):
            self.plays[column] = [
                (weight / 36, self._compiled(universe.numbers[column], (high, low)))
                for high, low, weight in ROLLS
            ]
            told((done + 1) / len(self.order))

    def _compiled(self, number: int, roll: tuple[int, int]) -> list[_Play]:
        universe = self.universe
        found = {
            (
                universe.column[way.after],
                way.only_closed,
                id(hits := universe.hits(way.hits)),
                id(closed := universe.closed(way.closed_for)),
            ): (universe.column[way.after], hits, closed, way.only_closed)
            for way in ways(number, roll)
        }
        # a play that is legal everywhere comes first: it is the one that the others are held to
        return sorted(found.values(), key=lambda play: (play[3], play[2] is not None))

    def backup(self, tables: Floats, column: int) -> Floats:
        """The expectation of the player on roll with this arrangement, by the worth of the replies.

        One row for each of the tables, which are taken together: most of the work is to know where
        a play leads.
        """
        kinds = tables.shape[1]
        best = np.empty((kinds, self.universe.count), dtype=np.float32)
        other = np.empty_like(best)
        total = np.zeros_like(best)
        for weight, plays in self.plays[column]:
            self._least(tables, plays, best, other)
            best *= np.float32(weight)
            total -= best
        return total

    def _least(self, tables: Floats, plays: Sequence[_Play], best: Floats, other: Floats) -> None:
        """Put the smallest worth of the replies into `best`; `other` is for work."""
        loose = self.universe.loose
        first = True
        for row, hits, closed, only_closed in plays:
            worth = tables[row]
            if only_closed:
                rest = worth[:, loose:] if hits is None else worth.take(hits[loose:], axis=1)
                rest = rest if closed is None else rest + closed
                np.minimum(best[:, loose:], rest, out=best[:, loose:])
                continue
            if hits is None and closed is None and not first:
                np.minimum(best, worth, out=best)
                continue
            into = best if first else other
            if hits is None:
                into[:] = worth
            else:
                worth.take(hits, axis=1, out=into, mode="clip")
            if closed is not None:
                into[:, loose:] += closed
            if not first:
                np.minimum(best, other, out=best)
            first = False

    def chosen(self, tables: Floats, kind: int, column: int) -> NDArray[np.int32]:
        """The entry that each roll's best play leads to, by roll and column.

        Entries are counted through the square of rows and columns.
        """
        count, loose = self.universe.count, self.universe.loose
        identity = np.arange(count)
        found = np.zeros((len(ROLLS), count), dtype=np.int32)
        for index, (_, plays) in enumerate(self.plays[column]):
            best = np.full(count, np.inf, dtype=np.float32)
            for row, hits, closed, only_closed in plays:
                goes = identity if hits is None else hits
                worth = tables[row, kind].take(goes)
                if closed is not None:
                    worth[loose:] += closed
                better = worth < best
                if only_closed:
                    better[:loose] = False
                np.copyto(best, worth, where=better)
                np.copyto(found[index], row * count + goes, where=better, casting="unsafe")
        return found
