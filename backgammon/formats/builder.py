"""Builds a record action by action and refuses what cannot have been played.

Every reader feeds its file to a ``RecordBuilder``, and every writer feeds the record to one while
it writes; so in every format a play is legal, a take answers a double and a result fits its board.
Errors here have no position in a file; the reader adds it.
"""

from __future__ import annotations

from dataclasses import replace

from backgammon.formats.errors import RecordError
from backgammon.formats.open_game import OpenGame
from backgammon.formats.record import (
    Action,
    Ending,
    GameRecord,
    MatchRecord,
    Result,
)
from backgammon.rules.match import FormatKind


class RecordBuilder:
    """Collects the games of a match; a method that raises has changed nothing."""

    def __init__(self, heading: MatchRecord) -> None:
        """Start from a record of which everything but the games is kept.

        ``match`` is that record, ``is_crawford`` is set if the game begun last is Crawford's.
        """
        self.match = replace(heading, games=())
        self._games: list[GameRecord] = []
        self._game: OpenGame | None = None
        self.is_crawford = False
        self._crawford_played = False

    @property
    def game(self) -> OpenGame:
        """The current game.

        :raises RecordError: if there is none.
        """
        if self._game is None:
            raise RecordError("no game has begun")
        return self._game

    @property
    def has_open_game(self) -> bool:
        """Whether there is a current game."""
        return self._game is not None

    @property
    def game_number(self) -> int:
        """The number of the latest game, counted from 1."""
        return len(self._games) + self.has_open_game

    def begin_game(self, game: GameRecord, *, crawford: bool | None = None) -> OpenGame:
        """Start a game from a record, whose actions and result are left aside.

        Without ``crawford`` the score decides whether it is the Crawford game.

        :raises RecordError: if a game is still going on, or the score does not follow.
        :raises RulesError: for an unknown variant or an impossible start.
        """
        if self._game is not None:
            raise RecordError("a new game begins before the last one has a result")
        self._check_score(game.score)
        if crawford is None:
            crawford = self._score_is_crawford(game.score)
        self._game = OpenGame(self.match, replace(game, crawford=crawford))
        self.is_crawford = crawford
        return self._game

    def _check_score(self, score: tuple[int, int]) -> None:
        if min(score) < 0:
            raise RecordError(f"the score {score[0]}:{score[1]} cannot be negative")
        if self.match.kind is not FormatKind.POINTS:
            return
        before = self._score_before
        if self._games and self._games[-1].result is None:
            # What that game gave is unknown, but nobody loses points.
            fits = score[0] >= before[0] and score[1] >= before[1]
        else:
            fits = not self._games or score == before
        if not fits:
            raise RecordError(
                f"the score is {score[0]}:{score[1]}, "
                f"but the games before make it {before[0]}:{before[1]}"
            )
        if max(score) >= self.match.length:
            raise RecordError(f"the match to {self.match.length} is over before this game")

    @property
    def _score_before(self) -> tuple[int, int]:
        return replace(self.match, games=tuple(self._games[-1:])).score

    def _score_is_crawford(self, score: tuple[int, int]) -> bool:
        match = self.match
        return (
            match.kind is FormatKind.POINTS
            and match.rules.crawford
            and match.has_cube
            and not self._crawford_played
            and 1 < match.length == max(score) + 1
        )

    def tell(self, action: Action) -> None:
        """Any action of a record.

        :raises RecordError: if it does not fit the game so far.
        :raises RulesError: if it is no legal play of its roll.
        """
        self.game.tell(action)

    def end_game(
        self, winner: int | None, points: int | None = None, ending: Ending | None = None
    ) -> Result:
        """The result as stated; what is not stated is taken from the board.

        :raises RecordError: if the board, the drop or the cube say otherwise.
        """
        result = self.game.result(winner, points, ending)
        self._close(result)
        return result

    def is_belied_by(self, score: tuple[int, int]) -> bool:
        """Whether a game at this score shows that the last result, stated only, was none."""
        return (
            self.match.kind is FormatKind.POINTS
            and self._game is None
            and self._last_is_only_stated
            and 0 <= min(score) <= max(score) < self.match.length
            and score != self._score_before
        )

    def forget_result(self) -> bool:
        """Whether the last result was only stated; it is then forgotten."""
        is_forgotten = self._game is None and self._last_is_only_stated
        if is_forgotten:
            self._games[-1] = replace(self._games[-1], result=None)
        return is_forgotten

    @property
    def _last_is_only_stated(self) -> bool:
        """Whether neither the board nor a drop shows how the last game ended."""
        result = self._games[-1].result if self._games else None
        return result is not None and result.ending not in (Ending.BOARD, Ending.DROP)

    def close_game(self, result: Result | None) -> None:
        """The game ends like one of a record, perhaps without a result.

        :raises RecordError: if the board, the drop or the cube say otherwise.
        """
        if result is None:
            self.abandon_game()
        else:
            self.end_game(result.winner, result.points, result.ending)

    def abandon_game(self) -> None:
        """The game was not finished; it stays without a result."""
        if self._game is not None:
            self._close(None)

    def skip_game(self) -> bool:
        """Whether a game of which nothing is known stands in the record, without any action.

        It does if its score follows from the games before; without it the next one would not.
        """
        last = self._games[-1] if self._games else None
        is_known = self._game is None and last is not None and last.result is not None
        is_over = self.match.kind is FormatKind.POINTS and (
            max(self._score_before) >= self.match.length
        )
        if last is None or not is_known or is_over:
            return False
        self.begin_game(GameRecord(last.variant, self._score_before))
        self.abandon_game()
        return True

    def record(self) -> MatchRecord:
        """The record; a game still open stays without a result."""
        self.abandon_game()
        return replace(self.match, games=tuple(self._games))

    def _close(self, result: Result | None) -> None:
        self._games.append(self.game.close(result))
        self._crawford_played = self._crawford_played or self.is_crawford
        self._game = None


def check_record(record: MatchRecord) -> None:
    """Do nothing for a record of a possible match.

    :raises RecordError: naming the game, if an action does not fit.
    :raises RulesError: if a play is illegal or a variant unknown.
    """
    builder = RecordBuilder(record)
    for game in record.games:
        builder.begin_game(game, crawford=game.crawford)
        for action in game.actions:
            builder.tell(action)
        builder.close_game(game.result)
