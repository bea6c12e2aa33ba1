"""The errors of a level's judgement, as people make them; the same seed gives the same errors.

An error belongs to what a play leaves on the board, point by point, so similar plays share most of
it. Most decisions are taken with care and a few without, so there are many small errors and few
large ones. Races and rolls with few plays are easier. What a level misjudges about the cube it
misjudges for most of a game.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial
from hashlib import blake2b
from math import tanh
from typing import Final

from backgammon.bots.strength import Level
from backgammon.rules.position import Position

#: how likely each care is, and what it makes of an error.
_CARES: Final = ((0.50, 0.4), (0.35, 1.0), (0.12, 1.8), (0.03, 3.0))

#: the error about one point, in sizes of the level: two plays differ by four to eight of these.
_POINT: Final = 0.5

#: two plays are never compared wrongly by more sizes than this: nobody leaves much for nothing.
_MOST: Final = 4.0

#: errors in a race, and the least share of them that a roll with one or two plays has.
_RACE: Final = 0.3
_FEW: Final = 0.5
_MANY_PLAYS: Final = 20

#: the parts of an error about the cube that last for a game and that are new at every turn.
_LASTING: Final = 0.8
_FRESH: Final = 0.6

#: so many checkers on a point or more look alike.
_ALIKE: Final = 3

_UNIFORMS: Final = 12
_BYTES_EACH: Final = 4


@dataclass(frozen=True, slots=True)
class Noise:
    """The errors of a level in one decision.

    `seed` is that of the decision, `game` that of its whole game; `contact` says whether the sides
    can still meet.
    """

    level: Level
    seed: str
    game: str
    contact: bool

    def about_plays(self, results: Sequence[Position]) -> list[float]:
        """The error about the board that each play leaves, against that about the first."""
        if not self.level.play or not results:
            return [0.0] * len(results)
        size = self.level.play * self._hardness() * _share_of_many(len(results)) * _care(self.seed)
        limit = _MOST * self.level.play
        about_point = cache(partial(bell, self.seed))

        def about(result: Position) -> float:
            return sum(
                about_point(side, point, min(checkers, _ALIKE))
                for side, held in enumerate((result.own(), result.opposing()))
                for point, checkers in held.items()
            )

        first = about(results[0])
        return [limit * tanh(size * _POINT * (about(each) - first) / limit) for each in results]

    def about_number(self, number: int) -> float:
        """The error about naming this number for a double."""
        return self.level.play * bell(self.seed, "number", number)

    def about_cube(self) -> float:
        """How much better the player on roll seems to stand than they do."""
        lasting = _LASTING * bell(self.game, "cube, lasting")
        fresh = _FRESH * bell(self.seed, "cube, fresh")
        return self.level.cube * self._hardness() * (lasting + fresh)

    def _hardness(self) -> float:
        return 1.0 if self.contact else _RACE


def bell(*subject: object) -> float:
    """A number that follows from the subject, with mean 0 and deviation 1, never beyond 6.

    The sum of twelve uniform numbers out of a digest, less six.
    """
    words = "|".join(map(str, subject)).encode()
    digest = blake2b(words, digest_size=_UNIFORMS * _BYTES_EACH).digest()
    numbers = (
        int.from_bytes(digest[at : at + _BYTES_EACH], "big")
        for at in range(0, len(digest), _BYTES_EACH)
    )
    return sum(numbers) / float(1 << 8 * _BYTES_EACH) - _UNIFORMS / 2


def _share_of_many(count: int) -> float:
    return _FEW + (1 - _FEW) * min(1.0, count / _MANY_PLAYS)


def _care(seed: str) -> float:
    """The care of a decision: what it makes of an error."""
    digest = blake2b(f"{seed}|care".encode(), digest_size=8).digest()
    left = int.from_bytes(digest, "big") / float(1 << 64)
    for share, care in _CARES:
        if left < share:
            return care
        left -= share
    return _CARES[-1][1]
