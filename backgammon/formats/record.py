"""The neutral record of a match: what every file format is read into and written from.

A record contains what happened, in order, and nothing about clocks or credits beyond what a file
may contain. Seats are 0 and 1 (in files: left and right, White and Black). Positions and moves are
in the numbering of the player they belong to, a game's own ``start`` in that of seat 0.
"""

from __future__ import annotations

import datetime
from dataclasses import dataclass, field
from enum import Enum

from backgammon.rules.cube import CubeRules
from backgammon.rules.match import FormatKind
from backgammon.rules.moves import Move
from backgammon.rules.position import Position
from backgammon.rules.variant import PLAIN, Options


class Ending(Enum):
    """How a game came to its result."""

    BOARD = "board"
    """On the board: the last checker borne off, or another ending of the variant."""
    DROP = "drop"
    """A double was refused."""
    RESIGNATION = "resignation"
    """A resignation was offered and accepted."""
    LEFT = "left"
    """The loser left the table."""
    TIME = "time"
    """The loser's clock ran out, or the loser stayed away until the winner claimed the game."""
    ADJUDICATED = "adjudicated"
    """An administrator decided."""


class CubeVerb(Enum):
    """A player's action with the cube."""

    DOUBLE = "double"
    TAKE = "take"
    DROP = "drop"
    BEAVER = "beaver"
    """The answer to a double: redouble at once and keep the cube."""
    RACCOON = "raccoon"
    """The answer to a beaver: double once more."""


@dataclass(frozen=True, slots=True)
class RecordedTurn:
    """One roll and its play.

    ``moves`` is () for a roll that could not be played, and None if the game ended between the
    roll and the play. ``dice`` stand in the order rolled.
    """

    seat: int
    dice: tuple[int, ...]
    moves: tuple[Move, ...] | None
    comment: str = ""


@dataclass(frozen=True, slots=True)
class CubeAction:
    """A word about the cube; ``value`` is what the cube shows if it is accepted (or refused)."""

    seat: int
    verb: CubeVerb
    value: int
    comment: str = ""


@dataclass(frozen=True, slots=True)
class Resignation:
    """``seat`` offered to resign at ``level`` (1, 2, 3) and the other one answered."""

    seat: int
    level: int
    accepted: bool
    comment: str = ""


Action = RecordedTurn | CubeAction | Resignation


@dataclass(frozen=True, slots=True)
class Result:
    """``winner`` (None: a draw) scored ``points``, which is cube times level."""

    winner: int | None
    points: int
    ending: Ending = Ending.BOARD


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One game.

    ``score`` is the one before it. ``start`` is None for the variant's own setup; ``cube_value``
    is above 1 after automatic doubles, and in a game that begins from a position, in which a player
    may own the cube. ``result`` is None for a game that was not finished.
    """

    variant: str
    score: tuple[int, int] = (0, 0)
    actions: tuple[Action, ...] = ()
    result: Result | None = None
    start: Position | None = None
    cube_value: int = 1
    cube_owner: int | None = None
    crawford: bool = False
    comment: str = ""


@dataclass(frozen=True, slots=True)
class Stakes:
    """The stakes of the match: the stake of each player and the house's whole rake.

    Where games are settled by the point, ``stake_cents`` is the most that each can lose, and
    ``point_cents`` what a point is worth.
    """

    stake_cents: int
    rake_cents: int
    currency: str = "credits"
    point_cents: int = 0


@dataclass(frozen=True, slots=True)
class Heading:
    """The heading of a match, besides its games; fields the file lacks are empty.

    ``elo`` is each player's rating as text, as files carry it ("1512.00/40": with experience).
    ``other`` keeps unknown tags.
    """

    site: str = ""
    match_id: str = ""
    event: str = ""
    round: str = ""
    date: datetime.date | None = None
    time: datetime.time | None = None
    elo: tuple[str, str] = ("", "")
    unrated: bool = False
    comment: str = ""
    other: tuple[tuple[str, str], ...] = ()


USUAL_RULES = CubeRules()
"""No optional rule of the cube but Crawford's, which only concerns matches."""


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """A match (or a session of single games) between two players.

    ``length`` is the points of a match, the number of games of a fixed series, else 0.
    ``jacoby_assumed`` is set for unlimited play whose file does not say whether Jacoby holds.
    """

    players: tuple[str, str]
    kind: FormatKind = FormatKind.UNLIMITED
    length: int = 0
    games: tuple[GameRecord, ...] = ()
    has_cube: bool = True
    rules: CubeRules = USUAL_RULES
    options: Options = PLAIN
    heading: Heading = Heading()
    stakes: Stakes | None = None
    jacoby_assumed: bool = field(default=False, compare=False)

    @property
    def score(self) -> tuple[int, int]:
        """The points of both seats after the last game."""
        if not self.games:
            return 0, 0
        last = self.games[-1]
        if last.result is None or last.result.winner is None:
            return last.score
        points = list(last.score)
        points[last.result.winner] += last.result.points
        return points[0], points[1]

    @property
    def variants(self) -> tuple[str, ...]:
        """The keys of the variants played, each once, in the order of the games."""
        return tuple(dict.fromkeys(game.variant for game in self.games))
