"""Boards as rows of bytes, and tables that answer by byte: the form in which nets see positions.

A row is the 27 lanes of `backgammon.rules.packed`, with one difference: an own checker that is
pinned, which `pack` keeps apart, is written as 15 own checkers under one of the opponent's.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

from backgammon.rules.packed import BAR_LANE, HAND_LANE, LANES, pack
from backgammon.rules.position import Position
from backgammon.rules.variant import Variant

Bytes = npt.NDArray[np.uint8]
Flags = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float32]
Numbers = npt.NDArray[np.intp]

_BYTES: Final = 256
_PINNED: Final = 15


class NetKind:
    """The meaning of a point's byte in one variant, and how the two players' points lie."""

    def __init__(self, variant: Variant) -> None:
        movement = variant.movement
        self.hits, self.pins = movement.hits, movement.pins
        self.hand = variant.in_hand > 0
        self.closed_by = movement.closed_by
        self.most = max(variant.levels)
        byte = np.arange(_BYTES)
        low, high = byte & 15, byte >> 4
        self.pinned: Flags = (low == _PINNED) & (high > 0) & self.pins
        self.own: Bytes = np.where(self.pinned, 1, low).astype(np.uint8)
        self.opposing: Bytes = high.astype(np.uint8)
        self.movable: Flags = (low > 0) & ~self.pinned
        self.closed: Flags = (high >= self.closed_by) | self.pinned
        self.pinning: Flags = (low > 0) & (high > 0) & ~self.pinned & self.pins
        self.swapped: Bytes = self._swapped(low, high)
        self.across: Numbers = np.array([0, *map(variant.way.across, range(1, 25))])
        self.turning: Numbers = np.concatenate([self.across, [BAR_LANE, HAND_LANE]])

    def _swapped(self, low: Numbers, high: Numbers) -> Bytes:
        """Each byte as the opponent sees it."""
        seen = high | low << 4
        seen = np.where(self.pinning, _PINNED | low << 4, seen)
        return np.where(self.pinned, high | 1 << 4, seen).astype(np.uint8)

    def turned(self, boards: Bytes) -> Bytes:
        """The same boards in the opponent's view."""
        seen: Bytes = np.take(np.take(self.swapped, boards), self.turning, axis=1)
        trays = boards[:, 0]
        seen[:, 0] = trays >> 4 | (trays & 15) << 4
        return seen


@lru_cache(maxsize=32)
def kind_of(variant: Variant) -> NetKind:
    """The tables of a variant, made once in a process."""
    return NetKind(variant)


def boards_of(positions: Sequence[Position]) -> Bytes:
    """One row for each position, in the same order."""
    rows = np.empty((len(positions), LANES), np.uint8)
    for row, position in zip(rows, positions, strict=True):
        board, pinned = pack(position)
        row[:] = np.frombuffer(board.to_bytes(LANES, "little"), np.uint8)
        for point in range(1, 25) if pinned else ():
            if pinned >> point & 1:
                row[point] |= _PINNED
    return rows
