"""Several games as one contest: its formats and its score.

Seats are 0 and 1. Values are immutable: `MatchScore.after` gives the score after one more game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Final

import msgspec

from backgammon.rules.errors import InvalidScore
from backgammon.rules.variant import Variant
from backgammon.rules.variants import by_key

TAVLI_LENGTHS = (3, 5, 7)
TABLA_LENGTHS = (5, 7)
LONGEST_MATCH = 99


class FormatKind(Enum):
    """The condition that ends a contest."""

    UNLIMITED = "unlimited"
    """Every game stands alone; the players stop when they like."""
    POINTS = "points"
    """The first to reach a number of points wins; surplus points do not matter."""
    GAMES = "games"
    """A fixed number of games, most points win, equal points are a tie."""


class MatchFormat(msgspec.Struct, frozen=True):
    """Which games are played and until when.

    `length` is the points or the games, 0 for unlimited play. `cycle` holds the keys of the
    variants played in turn. `most_points_a_game` bounds one game, None where a cube may grow.
    """

    kind: FormatKind
    length: int
    cycle: tuple[str, ...]
    has_cube: bool
    crawford: bool = False
    most_points_a_game: int | None = None

    def variant_of(self, game_index: int) -> Variant:
        """The variant of the game with this index, counted from 0."""
        return by_key(self.cycle[game_index % len(self.cycle)])

    def score(self) -> MatchScore:
        """The score before the first game."""
        return MatchScore(self)


def unlimited(variant: Variant, *, cube: bool = True) -> MatchFormat:
    """Single games without end."""
    has_cube = cube and variant.has_cube
    return MatchFormat(FormatKind.UNLIMITED, 0, (variant.key,), has_cube)


def match_to(
    points: int, variant: Variant, *, cube: bool = True, crawford: bool = True
) -> MatchFormat:
    """A match to so many points; Crawford's rule where there is a cube.

    :raises InvalidScore: if the length is not from 1 to 99.
    """
    if not 1 <= points <= LONGEST_MATCH:
        raise InvalidScore(f"a match goes to 1..{LONGEST_MATCH} points, not {points}")
    has_cube = cube and variant.has_cube
    return MatchFormat(
        FormatKind.POINTS, points, (variant.key,), has_cube, crawford=crawford and has_cube
    )


def exactly(games: int, variant: Variant) -> MatchFormat:
    """A fixed number of games without a cube (three, or a single one); the most points win.

    :raises InvalidScore: if there is not at least one game.
    """
    if games < 1:
        raise InvalidScore(f"a contest has at least one game, not {games}")
    return MatchFormat(
        FormatKind.GAMES,
        games,
        (variant.key,),
        has_cube=False,
        most_points_a_game=max(variant.levels),
    )


def tavli(points: int) -> MatchFormat:
    """Greek Tavli to 3, 5 or 7 points: Portes, Plakoto and Fevga in turn.

    :raises InvalidScore: for any other length.
    """
    return _cycle("Tavli", points, TAVLI_LENGTHS, ("portes", "plakoto", "fevga"), 2)


def tabla(points: int) -> MatchFormat:
    """Bulgarian tabla to 5 or 7 points: backgammon without cube, Gul Bara and Tapa in turn.

    A backgammon is worth 3 points, as everywhere.

    :raises InvalidScore: for any other length.
    """
    return _cycle("tabla", points, TABLA_LENGTHS, ("backgammon", "gul_bara", "tapa"), 3)


#: the series of variants that are played as one match, by their keys.
SERIES: Final[Mapping[str, Callable[[int], MatchFormat]]] = {"tavli": tavli, "tabla": tabla}


def _cycle(
    name: str, points: int, lengths: tuple[int, ...], keys: tuple[str, ...], most: int
) -> MatchFormat:
    if points not in lengths:
        known = ", ".join(map(str, lengths))
        raise InvalidScore(f"{name} is played to {known} points, not {points}")
    return MatchFormat(FormatKind.POINTS, points, keys, has_cube=False, most_points_a_game=most)


class MatchScore(msgspec.Struct, frozen=True):
    """The score between two games: points by seat, games played, and Crawford's game."""

    format: MatchFormat
    points: tuple[int, int] = (0, 0)
    games_played: int = 0
    crawford_played: bool = False

    def __post_init__(self) -> None:
        if min(self.points) < 0 or self.games_played < 0:
            raise InvalidScore(f"a score cannot be negative: {self.points}")

    @property
    def winner(self) -> int | None:
        """The seat that has won the contest; None while it goes on and after a tie."""
        if not self.is_over or self.points[0] == self.points[1]:
            return None
        return 0 if self.points[0] > self.points[1] else 1

    @property
    def is_over(self) -> bool:
        """Whether the contest is decided; unlimited play never is."""
        if self.format.kind is FormatKind.POINTS:
            return max(self.points) >= self.format.length
        if self.format.kind is FormatKind.GAMES:
            return self.games_left == 0 or not self.can_be_caught_up
        return False

    @property
    def is_tie(self) -> bool:
        """Whether the contest has ended with equal points."""
        return self.is_over and self.points[0] == self.points[1]

    @property
    def games_left(self) -> int | None:
        """How many games are still to be played, None where that is open."""
        if self.format.kind is not FormatKind.GAMES:
            return None
        return self.format.length - self.games_played

    @property
    def can_be_caught_up(self) -> bool:
        """Whether the player behind can still draw level in the games that are left."""
        left, most = self.games_left, self.format.most_points_a_game
        if left is None or most is None:
            return not (self.format.kind is FormatKind.POINTS and self.is_over)
        return abs(self.points[0] - self.points[1]) <= left * most

    def points_needed(self, seat: int) -> int | None:
        """The points the seat still needs to win the match; None if no number of points wins it."""
        if self.format.kind is not FormatKind.POINTS:
            return None
        return max(0, self.format.length - self.points[seat])

    @property
    def both_need(self) -> tuple[int, int] | None:
        """The points that each seat still needs; None if no number of points wins the match."""
        one, two = self.points_needed(0), self.points_needed(1)
        return None if one is None or two is None else (one, two)

    @property
    def variant(self) -> Variant:
        """The variant of the next game."""
        return self.format.variant_of(self.games_played)

    @property
    def is_crawford(self) -> bool:
        """Whether the next game is the Crawford game: the first with a player one point away.

        A match to one point has none: nobody has come so far in it.
        """
        return (
            self.format.crawford
            and self.format.length > 1
            and not self.crawford_played
            and max(self.points) == self.format.length - 1
        )

    @property
    def is_post_crawford(self) -> bool:
        """Whether the next game comes after the Crawford game."""
        return self.crawford_played and not self.is_over

    @property
    def cube_in_play(self) -> bool:
        """Whether the next game has a cube at all; in a match to one point it is worth nothing."""
        return self.format.has_cube and not self.is_crawford and self.format.length != 1

    def after(self, winner: int | None, points: int) -> MatchScore:
        """The score after a game that gave `winner` so many points (None and 0: a draw).

        :raises InvalidScore: if the contest is over or the result is impossible.
        """
        if self.is_over:
            raise InvalidScore("the contest is over, no further game counts")
        if winner not in (None, 0, 1) or (points == 0) != (winner is None) or points < 0:
            raise InvalidScore(f"{points} points for {winner!r} is no result of a game")
        gained = (points * (winner == 0), points * (winner == 1))
        return msgspec.structs.replace(
            self,
            points=(self.points[0] + gained[0], self.points[1] + gained[1]),
            games_played=self.games_played + 1,
            crawford_played=self.crawford_played or self.is_crawford,
        )
