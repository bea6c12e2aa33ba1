"""Where the checkers are, always seen by the player who is to move (or has just moved).

Each player has their own numbering: 24 is the first point of their path, 1 the last, and their
checkers always move to lower numbers. The variant's `Way` relates the two numberings.
"""

from __future__ import annotations

import re
from enum import Enum
from functools import lru_cache
from operator import neg

import msgspec

from backgammon.rules.errors import InvalidPosition

POINTS = 24
_POINT = re.compile(r"(-?)([0-9]{1,2})(p?)", re.ASCII)
_TRAYS = ("bar", "off", "hand")
_MOST = 15


class Way(Enum):
    """How the two players' paths lie to each other."""

    __hash__ = object.__hash__  # members are single; the one of `Enum` is written in Python

    AGAINST = "against"
    """In opposite directions, as in backgammon: their point p is my point 25-p."""
    HALF = "half"
    """In the same direction, half a board apart, as in Long Nardi."""
    SAME = "same"
    """On the same path, as in Tabula: their point p is my point p."""

    def across(self, point: int) -> int:
        """The opponent's number of my point 1..24 (and the other way round)."""
        if self is Way.AGAINST:
            return 25 - point
        if self is Way.HALF:
            return point - 12 if point > 12 else point + 12
        return point


_ACROSS = {way: tuple(map(way.across, range(25))) for way in Way}
"""`Way.across` by point; the number at 0 is never read."""


class Position(msgspec.Struct, frozen=True, cache_hash=True, gc=False):
    """A position in the mover's view.

    `points[0]` is point 1; own checkers count positive, opposing ones negative. `bar`, `off` and
    `hand` (checkers not yet entered) are pairs: mover, opponent. `pinned` lists, in rising order,
    the points where exactly one checker of the side that is *not* on top lies underneath.
    The fields are not checked here: `parse` checks the text, a variant's `check` the counts.
    """

    points: tuple[int, ...]
    bar: tuple[int, int] = (0, 0)
    off: tuple[int, int] = (0, 0)
    hand: tuple[int, int] = (0, 0)
    pinned: tuple[int, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Position:
        """Read `p1 p2 ... p24 | bar a b | off a b | hand a b` (hand may be left out).

        :raises InvalidPosition: naming the field that cannot be read.
        """
        board, *trays = text.split("|")
        fields = board.split()
        if len(fields) != POINTS:
            raise InvalidPosition(f"a board has 24 points, this one has {len(fields)}")
        points, pinned = [], []
        for number, field in enumerate(fields, start=1):
            count, pins = _parse_point(number, field)
            points.append(count)
            if pins:
                pinned.append(number)
        bar, off, hand = _parse_trays(trays)
        return cls(tuple(points), bar, off, hand, tuple(pinned))

    def text(self) -> str:
        """The position as `parse` reads it, always with its hand."""
        board = " ".join(
            f"{count}p" if number in self.pinned else str(count)
            for number, count in enumerate(self.points, start=1)
        )
        trays = (self.bar, self.off, self.hand)
        return " | ".join(
            [board, *(f"{name} {a} {b}" for name, (a, b) in zip(_TRAYS, trays, strict=True))]
        )

    def __str__(self) -> str:
        return self.text()

    def turned(self, way: Way) -> Position:
        """The same position as the opponent sees it; turning twice gives it back."""
        return _turned(self, way)

    def own(self) -> dict[int, int]:
        """The mover's checkers in play by point, bar and hand together as 25, pinned included."""
        return self._side(1, 0)

    def opposing(self) -> dict[int, int]:
        """The opponent's checkers on the board by the *mover's* numbers, pinned included.

        Bar and hand stand under 25 and mean "not on the board" there, whatever the way.
        """
        return self._side(-1, 1)

    def _side(self, sign: int, seat: int) -> dict[int, int]:
        counts = {p: sign * n for p, n in enumerate(self.points, start=1) if sign * n > 0}
        for point in self.pinned:
            if sign * self.points[point - 1] < 0:
                counts[point] = 1
        if waiting := self.bar[seat] + self.hand[seat]:
            counts[25] = waiting
        return counts

    def rearmost(self) -> int:
        """The point of the mover's last checker, 25 for bar and hand; 0 if none is in play."""
        if self.bar[0] or self.hand[0]:
            return 25
        points = self.points
        rear = 24
        while rear and points[rear - 1] <= 0:
            rear -= 1
        if self.pinned:
            rear = max([rear, *(point for point in self.pinned if points[point - 1] < 0)])
        return rear

    def pips(self, way: Way = Way.AGAINST) -> tuple[int, int]:
        """Pips each side needs to bear off everything: mover, opponent. Bar and hand count 25."""
        mine = 25 * (self.bar[0] + self.hand[0])
        his = 25 * (self.bar[1] + self.hand[1])
        across = _ACROSS[way]
        for point, count in enumerate(self.points, start=1):
            if count > 0:
                mine += point * count
            elif count:
                his -= across[point] * count
        for point in self.pinned:
            if self.points[point - 1] > 0:
                his += across[point]
            else:
                mine += point
        return mine, his

    def contact(self, way: Way = Way.AGAINST) -> bool:
        """Whether some checker still has an opposing one ahead of it on its own path.

        A checker waiting on the bar or in the hand is in contact with everything on the board.
        """
        if way is Way.AGAINST:
            rear, his_rear = self.rearmost(), self.turned(way).rearmost()
            return min(rear, his_rear) > 0 and rear + his_rear > 25
        own, opposing = self.own(), self.opposing()
        if not own or not opposing:
            return False
        if 25 in own or 25 in opposing:
            return True
        return max(own) > min(opposing) or (
            max(map(way.across, opposing)) > min(map(way.across, own))
        )

    def race(self, way: Way = Way.AGAINST) -> bool:
        """Whether all contact is over, so that the pip count decides."""
        return not self.contact(way)


@lru_cache(maxsize=4096)  # a play is turned for the next player, for the view and for the forfeit
def _turned(position: Position, way: Way) -> Position:
    points = position.points
    if way is Way.AGAINST:
        mirrored = points[::-1]
    elif way is Way.HALF:
        mirrored = points[12:] + points[:12]
    else:
        mirrored = points
    return Position(
        tuple(map(neg, mirrored)),
        position.bar[::-1],
        position.off[::-1],
        position.hand[::-1],
        tuple(sorted(map(way.across, position.pinned))) if position.pinned else (),
    )


def _parse_point(number: int, field: str) -> tuple[int, bool]:
    match = _POINT.fullmatch(field)
    if match is None:
        raise InvalidPosition(f"point {number}: {field!r} is no number of checkers")
    count = int(match[2])
    if count > _MOST:
        raise InvalidPosition(f"point {number}: {count} checkers are more than {_MOST}")
    if match[3] and not count:
        raise InvalidPosition(f"point {number}: nothing lies on top of the pinned checker")
    return (-count if match[1] else count), bool(match[3])


def _parse_trays(parts: list[str]) -> list[tuple[int, int]]:
    if len(parts) not in (2, 3):
        raise InvalidPosition("after the points come '| bar a b | off a b' and maybe '| hand a b'")
    trays = [(0, 0)] * 3
    for index, (name, part) in enumerate(zip(_TRAYS, parts, strict=False)):
        words = part.split()
        if len(words) != 3 or words[0] != name:
            raise InvalidPosition(f"expected '{name} a b', found {part.strip()!r}")
        numbers = [word for word in words[1:] if word.isascii() and word.isdigit()]
        if len(numbers) != 2 or any(len(n) > 2 or int(n) > _MOST for n in numbers):
            raise InvalidPosition(f"{name}: two numbers from 0 to {_MOST}, not {part.strip()!r}")
        trays[index] = (int(numbers[0]), int(numbers[1]))
    return trays
