"""The inputs of a net: counts by point, trays, blocks and the race."""

from typing import Final

import numpy as np

from backgammon.evaluation.nets.boards import Bytes, Floats, NetKind, Numbers
from backgammon.rules.packed import BAR_LANE, HAND_LANE, OFF_LANE

#: a net says with which version of this file it was trained; another one would be misread.
VERSION: Final = 1

_POINTS: Final = 24
_TRAY: Final = 4
_BLOCKS: Final = 8
_RACE: Final = 3
_WINDOWS: Final = 19
_CHECKERS: Final = np.float32(15)
_START: Final = 25


class Inputs:
    """The inputs of one variant; `count` numbers for each board.

    Everything but the race comes from tables. The race (pips) is linear in the rest, so that a net
    can fold it into its first layer with `race`.
    """

    def __init__(self, kind: NetKind) -> None:
        self.kind = kind
        self.point = self._point_table()
        low, high = np.arange(256) & 15, np.arange(256) >> 4
        self.tray = np.stack([low / 15, low > 0, high / 15, high > 0], 1).astype(np.float32)
        self.trays = [OFF_LANE, *[BAR_LANE] * kind.hits, *[HAND_LANE] * kind.hand]
        self.a_point = self.point.shape[1]
        self.plain = _POINTS * self.a_point + _TRAY * len(self.trays) + _BLOCKS
        self.count = self.plain + _RACE
        self.race = self._race()
        self.held = kind.closed[kind.swapped].astype(np.uint8)
        self.closed = kind.closed.astype(np.uint8)
        # the points in the order in which the blocked side comes to them
        self.his_way: Numbers = kind.across[_POINTS:0:-1] - 1
        self.my_way: Numbers = np.arange(_POINTS - 1, -1, -1)

    def _point_table(self) -> Floats:
        kind, columns = self.kind, []
        for counts in (kind.own.astype(int), kind.opposing.astype(int)):
            alone = counts == 1 if kind.closed_by > 1 else counts >= 1
            columns += [alone, counts >= 2, counts >= 3, np.maximum(0, counts - 3) / 2]
        if kind.pins:
            columns += [kind.pinned, kind.pinning]
        return np.stack(columns, 1).astype(np.float32)

    def _race(self) -> Floats:
        """The difference of pips and each side's, as a map of the plain inputs: (plain, 3)."""
        units = [1, 2, 1, 2] if self.kind.closed_by > 1 else [1, 1, 1, 2]
        mine, his = np.zeros((2, self.plain), np.float32)
        for point in range(1, _POINTS + 1):
            at = (point - 1) * self.a_point
            for number, unit in enumerate(units):
                mine[at + number] = unit * point
                his[at + _TRAY + number] = unit * int(self.kind.across[point])
        at = _POINTS * self.a_point
        for lane in self.trays:
            if lane != OFF_LANE:
                mine[at] = his[at + 2] = _CHECKERS * _START
            at += _TRAY
        return np.stack([(his - mine) / 60, mine / 200, his / 200], 1)

    def plain_of(self, boards: Bytes) -> Floats:
        """The inputs without the race, (boards, plain)."""
        rows = np.empty((len(boards), self.plain), np.float32)
        at = _POINTS * self.a_point
        rows[:, :at] = np.take(self.point, boards[:, 1:25], 0).reshape(len(boards), -1)
        for lane in self.trays:
            rows[:, at : at + _TRAY] = np.take(self.tray, boards[:, lane], 0)
            at += _TRAY
        rows[:, at:] = self._blocks(boards)
        return rows

    def all_of(self, boards: Bytes) -> Floats:
        """All inputs, (boards, count)."""
        rows = np.empty((len(boards), self.count), np.float32)
        rows[:, : self.plain] = plain = self.plain_of(boards)
        rows[:, self.plain :] = plain @ self.race
        return rows

    def _blocks(self, boards: Bytes) -> Floats:
        """The degree to which each side stands in the other's way, over windows of six points.

        Only windows with a blocked checker at or before their first point count: the most points
        held, windows with five and with six of them, and the checkers behind one with five.
        """
        points = np.ascontiguousarray(boards[:, 1:25].T)
        found = np.zeros((len(boards), _BLOCKS), np.float32)
        sides = (
            (self.held, self.kind.opposing, self.his_way, 4),
            (self.closed, self.kind.own, self.my_way, 0),
        )
        for side, (holds, counts, way, shift) in enumerate(sides):
            path = points[way]
            held = np.take(holds, path)
            behind = np.take(counts, path[:_WINDOWS])
            for lane in self.trays[1:]:
                behind[0] += boards[:, lane] >> shift & 15
            behind = np.cumsum(behind, 0, dtype=np.uint8)
            pairs = held[:-1] + held[1:]
            threes = pairs[:-1] + held[2:]
            sixes = (threes[:-3] + threes[3:]) * (behind > 0)
            five = sixes >= 5
            at = 4 * side
            found[:, at] = sixes.max(0) / np.float32(6)
            found[:, at + 1] = five.sum(0, dtype=np.uint8) / np.float32(3)
            found[:, at + 2] = (sixes == 6).sum(0, dtype=np.uint8) / np.float32(3)
            found[:, at + 3] = (behind * five).max(0) / _CHECKERS
        return found
