"""The result of reading a file: its matches, each with its games as far as they are sound.

Nothing good is lost for something bad: a game that cannot be played on is kept up to the line at
fault, the games after it are read, and each fault says where it is. Nothing is made up either: a
game without a believable result has none.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from backgammon.formats.builder import RecordBuilder
from backgammon.formats.errors import FormatError
from backgammon.formats.open_game import OpenGame
from backgammon.formats.record import Ending, GameRecord, MatchRecord
from backgammon.formats.sources import Source, source_of
from backgammon.rules.errors import RulesError
from backgammon.rules.match import FormatKind


class GameExtent(Enum):
    """How much of a game was kept."""

    WHOLE = "whole"
    UNFINISHED = "unfinished"
    """All of it, but the file ends before its result."""
    CUT_OFF = "cut_off"
    """What stands before the fault; the game has no result."""
    UNREADABLE = "unreadable"
    """Nothing: its score cannot be read, or be."""


@dataclass(frozen=True, slots=True)
class GameRead:
    """A game of a file; `number` counts from 1, `line` is where it begins.

    `index` is its place among the games of the record, None if it is not among them: one that is
    unreadable stands there, empty, if the games before say its score. `actions` is how many rolls
    and words about the cube were kept. `on_roll` is the seat that is about to roll or to double
    where an unfinished game stops, if the file says so.
    """

    number: int
    line: int | None
    state: GameExtent = GameExtent.WHOLE
    index: int | None = None
    actions: int = 0
    on_roll: int | None = None


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault and its place: in which match and game of the file (from 1; 0: in none)."""

    error: FormatError
    match: int = 0
    game: int = 0


@dataclass(frozen=True, slots=True)
class MatchRead:
    """A match, how much of each of its games was kept, and the program or server that wrote it."""

    record: MatchRecord
    games: tuple[GameRead, ...]
    source: Source = ""

    @property
    def jacoby_assumed(self) -> bool:
        """Whether this is unlimited play whose file does not say whether Jacoby holds."""
        return self.record.jacoby_assumed

    def assuming(self, *, jacoby: bool | None) -> MatchRead:
        """The same with or without Jacoby, if it is unlimited play."""
        if self.record.kind is not FormatKind.UNLIMITED:
            return self
        rules = replace(self.record.rules, jacoby=bool(jacoby))
        record = replace(self.record, rules=rules, jacoby_assumed=jacoby is None)
        return replace(self, record=record)

    def number_of(self, index: int) -> int:
        """The number in the file of a game of the record."""
        return next(game.number for game in self.games if game.index == index)


@dataclass(frozen=True, slots=True)
class FileRead:
    """All that a file has, and what is wrong with it, in the order of its lines.

    `key` is the ending of files of its format.
    """

    matches: tuple[MatchRead, ...]
    faults: tuple[Fault, ...] = ()
    key: str = ""

    @property
    def is_whole(self) -> bool:
        """Whether every game was read, and nothing is wrong."""
        return bool(self.matches) and not self.faults

    def of_text(self, key: str, text: str) -> FileRead:
        """The same, with the source of each match by the marks in this text."""
        marked = (replace(match, source=source_of(text, match.record)) for match in self.matches)
        return replace(self, key=key, matches=tuple(marked))

    def assuming(self, *, jacoby: bool | None) -> FileRead:
        """The same for a file that says nothing of Jacoby; None: it does not hold, so far."""
        matches = tuple(match.assuming(jacoby=jacoby) for match in self.matches)
        return replace(self, matches=matches)

    def of_source(self, key: str, source: Source) -> FileRead:
        """The same, all matches of which this source wrote."""
        matches = tuple(replace(each, source=source) for each in self.matches)
        return replace(self, key=key, matches=matches)

    def sole(self) -> MatchRecord:
        """The only match of a file without a fault.

        :raises FormatError: for the first fault, or if there is no match or another one.
        """
        if self.faults:
            raise self.faults[0].error
        if not self.matches:
            raise FormatError("the file ends before a game has begun")
        if len(self.matches) > 1:
            line = self.matches[1].games[0].line if self.matches[1].games else None
            raise FormatError("a second match begins", line=line)
        return self.matches[0].record


class Collector:
    """Takes what a reader finds, in order, and sets aside what cannot be."""

    def __init__(self) -> None:
        """Without any match; `builder` is the one of the match begun last."""
        self.builder: RecordBuilder | None = None
        self._matches: list[MatchRead] = []
        self._games: list[GameRead] = []
        self._faults: list[Fault] = []

    @property
    def game(self) -> OpenGame | None:
        """The game that is going on."""
        return self.builder.game if self.builder and self.builder.has_open_game else None

    @property
    def game_number(self) -> int:
        """The number of the latest game of the match, sound or not."""
        return len(self._games)

    def begin_match(self, heading: MatchRecord) -> None:
        """A match begins; the one before is closed."""
        self.end_match()
        self.builder = RecordBuilder(heading)

    def end_match(self) -> None:
        """The match is over; what comes is of another one."""
        if self.builder is None:
            return
        if self.builder.has_open_game:
            self._leave(GameExtent.UNFINISHED)
        self._matches.append(MatchRead(self.builder.record(), tuple(self._games)))
        self.builder, self._games = None, []

    def says_again(self, winner: int | None, points: int) -> bool:
        """Whether this is the result of the game that ended last."""
        games = self.builder.record().games if self.builder and self.game is None else ()
        result = games[-1].result if games else None
        return result is not None and (result.winner, result.points) == (winner, points)

    def begin_game(
        self, record: GameRecord, line: int | None, *, crawford: bool | None = None
    ) -> OpenGame:
        """A game begins. If its score belies the result before, that result is forgotten.

        :raises FormatError: if it cannot begin so; it is then unreadable.
        :raises RulesError: likewise.
        """
        builder = self._match()
        if builder.has_open_game:
            self.cut(FormatError("a new game begins before the last one has a result", line=line))
        self._games.append(GameRead(len(self._games) + 1, line, GameExtent.UNREADABLE))
        if builder.is_belied_by(record.score):
            builder.forget_result()
            last = max(i for i, game in enumerate(self._games) if game.index is not None)
            self._games[last] = replace(self._games[last], state=GameExtent.CUT_OFF)
            score = f"{record.score[0]}:{record.score[1]}"
            error = FormatError(
                f"the next game begins at {score}, so this result is not", line=line
            )
            self._faults.append(Fault(error, len(self._matches) + 1, last + 1))
        try:
            game = builder.begin_game(record, crawford=crawford)
        except (FormatError, RulesError):
            self._games.pop()
            self.skip_game(line)
            raise
        index = builder.game_number - 1
        self._games[-1] = replace(self._games[-1], state=GameExtent.UNFINISHED, index=index)
        return game

    def skip_game(self, line: int | None) -> None:
        """A game begins of which not even the score can be read."""
        builder = self.builder
        index = builder.game_number - 1 if builder and builder.skip_game() else None
        number = len(self._games) + 1
        self._games.append(GameRead(number, line, GameExtent.UNREADABLE, index))

    def end_game(self, winner: int | None, points: int | None, ending: Ending | None) -> None:
        """The game ends with this result.

        :raises FormatError: if it cannot.
        """
        builder = self._match()
        actions = builder.game.actions_count
        builder.end_game(winner, points, ending)
        self._games[-1] = replace(self._games[-1], state=GameExtent.WHOLE, actions=actions)

    def leave_game(self, on_roll: int | None = None) -> None:
        """The game was not finished; this seat is about to roll or to double."""
        self._leave(GameExtent.UNFINISHED)
        self._games[-1] = replace(self._games[-1], on_roll=on_roll)

    def cut(self, error: FormatError) -> None:
        """The game goes no further than this fault, or the result just stated is not one."""
        self.remark(error)
        if self.builder is None or not self._games:
            return
        if self.builder.has_open_game:
            self._leave(GameExtent.CUT_OFF)
        elif self._games[-1].state is GameExtent.WHOLE and self.builder.forget_result():
            self._games[-1] = replace(self._games[-1], state=GameExtent.CUT_OFF)

    def remark(self, error: FormatError) -> None:
        """Something is wrong, but no game is lost by it."""
        match = len(self._matches) + (self.builder is not None or bool(self._games))
        self._faults.append(Fault(error, match, len(self._games)))

    def finish(self) -> FileRead:
        """All that was collected."""
        self.end_match()
        return FileRead(tuple(self._matches), tuple(self._faults))

    def _match(self) -> RecordBuilder:
        if self.builder is None:
            raise FormatError("a game begins before its match")
        return self.builder

    def _leave(self, state: GameExtent) -> None:
        """The open game stays without a result."""
        builder = self._match()
        actions = builder.game.actions_count
        builder.abandon_game()
        self._games[-1] = replace(self._games[-1], state=state, actions=actions)


def placed(error: Exception, line: int | None, column: int | None = None) -> FormatError:
    """The error with its place in the file; a place that it has already stays."""
    if not isinstance(error, FormatError):
        return FormatError(str(error), line=line, column=column)
    if error.line is not None or error.path is not None:
        return error
    return FormatError(error.reason, line=line, column=error.column or column)
