"""A game to play on: whose turn it is, the legal plays, the cube, undo, and its record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from backgammon.counting.situation import MINE, THEIRS, Situation
from backgammon.formats.errors import RecordError
from backgammon.formats.open_game import OpenGame
from backgammon.formats.record import (
    Action,
    CubeAction,
    CubeVerb,
    GameRecord,
    MatchRecord,
    RecordedTurn,
)
from backgammon.rules.cube import Cube
from backgammon.rules.match import FormatKind
from backgammon.rules.moves import Move
from backgammon.rules.notation import format_play, match_play
from backgammon.rules.ogid import is_ogid, parse_ogid
from backgammon.rules.plays import LegalPlays
from backgammon.rules.position import Position
from backgammon.rules.position_id import LENGTH, parse_position_id
from backgammon.rules.variant import Variant
from backgammon.rules.variants import by_key
from backgammon.rules.xgid import PREFIX, Xgid


def read_position(text: str, variant: str = "backgammon") -> Position:
    """The position in a text: an XGID, OGID, Position ID, `p1 … | bar a b | off a b`, or start.

    It is seen by the player on roll.

    :raises RulesError: if the text is none of these, or the variant is unknown.
    """
    text, kind = text.strip(), by_key(variant)
    if text == "start":
        return kind.start
    if "|" not in text and text.upper().startswith(PREFIX):
        return Xgid.parse(text, kind.checkers).mover_position()
    if is_ogid(text):
        return parse_ogid(text).mover_position()
    if "|" not in text and len(text) == LENGTH:
        return parse_position_id(text, kind.checkers)
    return Position.parse(text)


def legal_plays(position: Position, dice: Sequence[int], variant: str = "backgammon") -> LegalPlays:
    """All legal plays of a roll, for the player on roll.

    :raises RulesError: if the position cannot stand in the variant, or these are no dice of it.
    """
    return by_key(variant).legal_plays(position, dice)


def write_play(position: Position, moves: Sequence[Move], variant: str = "backgammon") -> str:
    """A play as it is written: `8/5 6/5`, `bar/20*`."""
    return format_play(by_key(variant), position, moves)


class Board:
    """A game in progress. Seats are 0 and 1; a method that raises has changed nothing.

    Dice are given by the caller, so nothing here is random. Positions and plays are in the numbers
    of the player whose turn it is.
    """

    def __init__(
        self,
        variant: str = "backgammon",
        *,
        position: Position | None = None,
        players: tuple[str, str] = ("White", "Black"),
        length: int = 0,
        score: tuple[int, int] = (0, 0),
        crawford: bool = False,
        first: int = 0,
    ) -> None:
        """Set up a game of a match to `length` points, or a single game (0).

        `position` is that of seat 0, and the variant's start without one. `first` is the seat that
        begins.

        :raises RulesError: for an unknown variant, or a position that cannot stand in it.
        """
        kind = FormatKind.POINTS if length else FormatKind.UNLIMITED
        has_cube = by_key(variant).has_cube
        self._match = MatchRecord(players, kind=kind, length=length, has_cube=has_cube)
        self._start = GameRecord(variant, score=score, start=position, crawford=crawford)
        self._first = first
        self._game = OpenGame(self._match, self._start)

    @property
    def variant(self) -> Variant:
        """The rules of this game."""
        return self._game.variant

    @property
    def turn(self) -> int | None:
        """The seat that is to roll, or to answer a double; None once the game is over."""
        if self.is_over:
            return None
        return self._first if self._game.next_seat is None else self._game.next_seat

    @property
    def position(self) -> Position:
        """The position as the player sees it whose turn it is; once it is over, as seat 0 does."""
        return self._game.position(self.turn or 0)

    @property
    def cube(self) -> Cube:
        """The cube: its value, and the seat that owns it."""
        return Cube(self._game.cube_value, self._game.cube_owner)

    @property
    def is_doubled(self) -> bool:
        """Whether a double waits for its answer."""
        return self._game.is_doubled

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self._game.over is not None

    @property
    def winner(self) -> int | None:
        """The seat that won; None before the end, and in a draw."""
        return self._game.winner

    @property
    def actions(self) -> tuple[Action, ...]:
        """Everything that was done, in order."""
        return self._game.close(None).actions

    @property
    def situation(self) -> Situation:
        """The position with cube and score, for an engine, as the player on turn sees it."""
        seat, cube = self.turn or 0, self.cube
        away = None
        if self._match.length:
            needed = [self._match.length - points for points in self._start.score]
            away = (needed[seat], needed[1 - seat])
        owner = None if cube.owner is None else MINE if cube.owner == seat else THEIRS
        return Situation(
            position=self.position,
            cube=Cube(cube.value, owner),
            has_cube=self._match.has_cube,
            away=away,
            crawford=self._start.crawford,
            variant=self.variant.key,
        )

    def legal_plays(self, dice: Sequence[int]) -> LegalPlays:
        """The legal plays of a roll for the player whose turn it is.

        :raises InvalidDice: if this is no roll of the variant.
        :raises RecordError: if the game is over, or a double waits for its answer.
        """
        return self._game.plays(self._seat(), dice)

    def play(self, dice: Sequence[int], play: str | Sequence[Move], *, again: bool = False) -> None:
        """Play a roll: moves, or a text like `8/5 6/5` ("" if nothing can be played).

        `again` is set where the variant gives the same player another roll.

        :raises IllegalPlay: if this is no legal play of the roll.
        :raises NotationError: if the text cannot be read.
        """
        seat = 1 - self._seat() if again else self._seat()
        plays = self._game.plays(seat, dice)
        if isinstance(play, str):
            moves = match_play(self._game.position(seat), plays, play)
        else:
            moves = tuple(play)
        self._game.turn(RecordedTurn(seat, tuple(dice), moves))

    def double(self) -> None:
        """Offer the cube at twice its value.

        :raises RecordError: if the player on turn may not double.
        """
        self._game.offer(self._seat(), verb=CubeVerb.DOUBLE)

    def take(self) -> None:
        """Accept the double.

        :raises RecordError: if there is none.
        """
        self._game.take(self._seat())

    def drop(self) -> None:
        """Refuse the double, which ends the game.

        :raises RecordError: if there is none.
        """
        self._game.drop(self._seat())

    def undo(self) -> Action:
        """Take back what was done last, and return it.

        :raises IndexError: if nothing has been done.
        """
        *before, last = self.actions or (None,)
        if last is None:
            raise IndexError("nothing has been done yet")
        self._game = OpenGame(self._match, self._start)
        for action in before:
            self._repeat(action)
        return last

    def record(self) -> MatchRecord:
        """The record of the match with this game, to be written as a file."""
        result = self._game.result(self.winner, None, self._game.over) if self.is_over else None
        return replace(self._match, games=(self._game.close(result),))

    def __str__(self) -> str:
        return self.position.text()

    def _seat(self) -> int:
        if self.turn is None:
            raise RecordError("the game is over")
        return self.turn

    def _repeat(self, action: Action | None) -> None:
        if isinstance(action, RecordedTurn):
            self._game.turn(action)
        elif isinstance(action, CubeAction) and action.verb is CubeVerb.TAKE:
            self._game.take(action.seat)
        elif isinstance(action, CubeAction):
            self._game.offer(action.seat, verb=action.verb)
