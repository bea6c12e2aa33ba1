"""Jellyfish's .mat text, the format every backgammon program reads: reading.

Lenient where programs differ (the words of `mat_words`, the width of columns, ``bar`` or 25,
``off`` or 0, several dice in one move, stars in the wrong place, a result beside the last roll,
text between games, several matches in a file) and strict about the match itself: every play must
be legal and every result fit. A game that ended neither on the board nor by a drop counts as
resigned, unless a tag names another ending.
"""

from __future__ import annotations

from dataclasses import dataclass

from backgammon.formats.errors import FormatError
from backgammon.formats.mat import LEFT_INDENT, RIGHT_INDENT
from backgammon.formats.mat_words import (
    ScoreLine,
    Word,
    WordKind,
    is_giving_up,
    is_never_played,
    is_no_move,
    is_win,
    length_in,
    play_text,
    starts_of_cells,
    tag_in,
    word_in,
    written_usually,
)
from backgammon.formats.mat_words import game_number as game_in
from backgammon.formats.mat_words import score as score_in
from backgammon.formats.open_game import OpenGame
from backgammon.formats.reading import Collector, FileRead, placed
from backgammon.formats.record import Ending, MatchRecord, RecordedTurn
from backgammon.formats.tags import TagReader
from backgammon.rules.errors import NotationError, RulesError
from backgammon.rules.notation import parse_hops

# A lone cell that begins left of this column is the left player's.
_MIDDLE = 20
RESULT_MIDDLE = (LEFT_INDENT + RIGHT_INDENT) // 2
_CELLS_MOST = 3
_NO_DICE = "00"


def read_mat(text: str) -> FileRead:
    """All matches of a .mat file, each game as far as it is sound."""
    reader = _MatReader()
    for number, line in enumerate(written_usually(text).splitlines(), start=1):
        reader.read(number, line.expandtabs().rstrip())
    return reader.finish()


def parse_mat(text: str) -> MatchRecord:
    """The record of a .mat file without a fault.

    :raises FormatError: naming the line (and the column, where one is at fault).
    """
    return read_mat(text).sole()


@dataclass(frozen=True, slots=True)
class _Cell:
    """The text of a player's cell, which begins in `column` of its line, from 1."""

    seat: int
    text: str
    column: int


@dataclass(frozen=True, slots=True)
class _Loss:
    """A player gave up; what is not said is None."""

    loser: int | None
    points: int | None
    line: int


class _MatReader:
    """Takes the file line by line; ``read`` is a small machine over what may come next."""

    def __init__(self) -> None:
        self.found = Collector()
        self.tags, self.comments = TagReader(), list[str]()
        #: those that stand after a game: of this match, or of the next one
        self.next_tags, self.next_comments = TagReader(), list[str]()
        self.points: int | None = None
        self.players = ("", "")
        self.awaits_score = False
        #: in a game of which the rest cannot be read
        self.is_lost = False
        self.loss: _Loss | None = None
        self.line = 0

    def read(self, number: int, line: str) -> None:
        """One line of the file; what cannot be there is noted, and the game goes no further."""
        self.line = number
        try:
            self._read(line)
        except (FormatError, RulesError) as error:
            self.found.cut(placed(error, number))
            self.is_lost, self.loss = True, None

    def finish(self) -> FileRead:
        """All that was read."""
        if self.awaits_score:
            self.found.remark(FormatError("the file ends before the game's score", line=self.line))
        self._end_lost_game()
        return self.found.finish()

    def _read(self, line: str) -> None:
        if not line.strip():
            return
        if line.lstrip().startswith(";"):
            self._read_comment(line.strip())
        elif (points := length_in(line)) is not None:
            self._begin_match(points)
        elif game_in(line) is not None:
            self._end_lost_game()
            self.awaits_score, self.is_lost = self.points is not None, False
            if self.points is None:
                self.found.skip_game(self.line)
                raise FormatError("a game begins before the line 'n point match'")
        elif self.awaits_score:
            self.awaits_score = False
            self._begin_game(line)
        elif not self.is_lost:
            self._read_row(line)

    def _read_comment(self, line: str) -> None:
        has_begun, tag = self.found.builder is not None, tag_in(line)
        if tag:
            self.tags.add(*tag)
            if has_begun:
                self.next_tags.add(*tag)
        elif self.found.game is None:
            (self.next_comments if has_begun else self.comments).append(line[1:].strip())

    def _begin_match(self, points: int) -> None:
        if self.found.builder is None and self.points is not None:
            raise FormatError("the length of the match is said twice")
        if self.found.builder is not None:
            self._end_lost_game()
            self.found.end_match()
            self.tags, self.comments = self.next_tags, self.next_comments
            self.next_tags, self.next_comments = TagReader(), []
        self.points, self.players = points, ("", "")
        self.awaits_score = self.is_lost = False

    def _begin_game(self, line: str) -> None:
        try:
            told = score_in(line)
            if self.found.builder is None:
                self._read_heading(told)
            self._check_players(told)
        except FormatError:
            self.found.skip_game(self.line)
            raise
        record = self.tags.game(self.found.game_number + 1, told.points)
        self.found.begin_game(record, self.line)

    def _read_heading(self, told: ScoreLine) -> None:
        """Begin the match, once its players are known."""
        comment = "\n".join(self.comments)
        heading, faults = self.tags.heading_and_faults(told.players, self.points or 0, comment)
        self.found.begin_match(heading)
        self.players = told.players
        for fault in faults:
            self.found.remark(placed(fault, self.line))

    def _check_players(self, told: ScoreLine) -> None:
        """Names may change (programs write ratings into them), but not the sides.

        :raises FormatError: if the players have changed sides.
        """
        before, now = self.players, told.players
        if now == before[::-1] != before:
            raise FormatError(f"{before[0]} and {before[1]} have changed sides")
        if now != before:
            message = f"the players were {' and '.join(before)} before"
            self.found.remark(FormatError(message, line=self.line))

    def _read_row(self, line: str) -> None:
        row, starts = starts_of_cells(line)
        if self.found.game is None and not self._is_of_game(line, row, starts):
            if self.found.builder is None:
                self.comments.append(line.strip())
            return
        before = line[row : starts[0]] if starts else line[row:]
        if before.strip():
            raise FormatError(f"cannot read {before.strip()[:60]!r}", column=_column(line, before))
        for cell in _cells(line, starts, is_row=row > 0):
            self._read_cell(cell, is_row=row > 0)

    def _is_of_game(self, line: str, row: int, starts: list[int]) -> bool:
        """Whether a line outside a game cannot be a text about it."""
        if not starts or row:
            return bool(starts)
        has_begun = self.found.builder is not None
        return has_begun and any(line[start].isdigit() or is_win(line[start:]) for start in starts)

    def _read_cell(self, cell: _Cell, *, is_row: bool) -> None:
        try:
            if cell.text[0].isdigit():
                self._read_roll(self._game(), cell)
            else:
                self._read_word(cell, word_in(cell.text), is_row=is_row)
        except NotationError as error:
            # Its own place counts from the start of the cell: it becomes one of the line.
            reason, within = str(error).partition(" (column ")[0], error.column or 1
            raise FormatError(reason, column=cell.column + within - 1) from error
        except (RulesError, FormatError) as error:
            raise placed(error, None, cell.column) from error

    def _game(self) -> OpenGame:
        game = self.found.game
        if game is None or self.loss is not None:
            raise FormatError("no game has begun that this could belong to")
        return game

    def _read_word(self, cell: _Cell, word: Word, *, is_row: bool) -> None:
        """A cell about the cube or the result, which stands under its winner."""
        if word.kind is WordKind.OFFER:
            self._game().offer(cell.seat, verb=word.verb, value=word.number)
        elif word.kind is WordKind.TAKE:
            self._game().take(cell.seat)
        elif word.kind is WordKind.DROP:
            self._game().drop(cell.seat)
        elif word.kind is WordKind.LOSS:
            self._game()
            self.loss = _Loss(cell.seat if is_row else None, word.number, self.line)
        elif word.kind is WordKind.DRAW:
            self._end_game(None, 0)
        else:
            self._read_win(int(cell.column > RESULT_MIDDLE), word.number or 0)

    def _read_win(self, winner: int, points: int) -> None:
        """A result; beside who gave up, a column of its own says nothing about the winner."""
        loss, self.loss = self.loss, None
        if loss is not None and loss.loser is not None:
            if loss.line == self.line:
                winner = 1 - loss.loser
            elif winner == loss.loser:
                raise FormatError("who gave up cannot have won")
        if loss is not None and loss.points not in (None, points):
            raise FormatError(f"one loses {loss.points} points, but the other wins {points}")
        self._end_game(winner, points)

    def _end_game(self, winner: int | None, points: int) -> None:
        if self.found.game is None and self.found.says_again(winner, points):
            return
        self._game()
        self.found.end_game(winner, points, self._ending())

    def _ending(self) -> Ending | None:
        return self.tags.ending(self.found.game_number)

    def _end_lost_game(self) -> None:
        """Close a game of which only the loser's words tell the result."""
        loss, self.loss = self.loss, None
        if loss is None or self.found.game is None:
            return
        try:
            if loss.loser is None or loss.points is None:
                raise FormatError("it is not said who won how many points")
            self.found.end_game(1 - loss.loser, loss.points, self._ending())
        except (FormatError, RulesError) as error:
            self.found.cut(placed(error, loss.line))

    def _read_roll(self, game: OpenGame, cell: _Cell) -> None:
        head, _, text = cell.text.partition(":")
        never_played = is_never_played(text)
        if head == _NO_DICE and (never_played or not text.strip()):
            return  # the game ended before the roll
        dice = tuple(int(digit) for digit in head)
        if never_played or is_no_move(text):
            text = ""
        # Spaces in place of the dice keep the columns of errors.
        hops = parse_hops(" " * (len(head) + 1) + play_text(text))
        taker = game.taker_if_rolls(cell.seat)
        if taker is not None:
            game.take(taker)  # GNU Backgammon leaves it to the roll to say so
        if not hops and game.plays(cell.seat, dice).dice_played:
            game.turn(RecordedTurn(cell.seat, dice, None))
        else:
            game.play(cell.seat, dice, hops, "")


def _cells(line: str, starts: list[int], *, is_row: bool) -> list[_Cell]:
    """The cells that begin in these places; a word of giving up may follow its player's roll.

    :raises FormatError: if there are more than a row has.
    """
    cells: list[_Cell] = []
    columns = 0
    for index, start in enumerate(starts):
        end = starts[index + 1] if index + 1 < len(starts) else len(line)
        text = line[start:end].rstrip()
        before = cells[-1] if cells else None
        is_glued = (
            before is not None
            and before.text[-1] == ":"
            and start - (before.column - 1 + len(before.text)) <= len("  ")
            and is_giving_up(text)
        )
        columns += not is_glued
        if is_glued and before is not None:
            seat = before.seat
        else:
            seat = 1 if columns == 2 else int(start >= _MIDDLE)
        cells.append(_Cell(seat, text, start + 1))
    if columns > _CELLS_MOST:
        raise FormatError("a row has two cells", column=cells[-1].column)
    return cells


def _column(line: str, part: str) -> int:
    return line.index(part) + len(part) - len(part.lstrip()) + 1
