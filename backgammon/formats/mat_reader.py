"""Jellyfish's .mat text, the format every backgammon program reads: reading.

Lenient where programs differ (the width of columns, ``bar`` or 25, ``off`` or 0, several dice in
one move, stars in the wrong place, a result beside the last roll) and strict about the match
itself: every play must be legal and every result fit. A game that ended neither on the board nor
by a drop counts as resigned, unless a tag names another ending.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from backgammon.formats.builder import RecordBuilder
from backgammon.formats.errors import FormatError
from backgammon.formats.mat import LEFT_INDENT, NEVER_PLAYED, RIGHT_INDENT
from backgammon.formats.open_game import OpenGame
from backgammon.formats.record import CubeVerb, MatchRecord, RecordedTurn
from backgammon.formats.tags import TagReader
from backgammon.rules.errors import NotationError, RulesError
from backgammon.rules.notation import parse_hops

_TAG = re.compile(r";\s*\[(.+?)\s+\"(.*)\"\]\s*")
_LENGTH = re.compile(r"\s*([0-9]{1,5}) point match\.?\s*", re.ASCII | re.IGNORECASE)
_GAME = re.compile(r"\s*Game ([0-9]{1,4})\s*", re.ASCII | re.IGNORECASE)
_SCORE = re.compile(r"\s*(\S.*?)\s*:\s*([0-9]{1,5})\s+(\S.*?)\s*:\s*([0-9]{1,5})\s*", re.ASCII)
_ROW = re.compile(r"\s*[0-9]{1,4}\)", re.ASCII)
_CELL = re.compile(
    r"(?:(?<=\s)|(?<=\)))([0-9]{2,3}:|(?:doubles|beavers|raccoons|takes|drops|wins|drawn)\b)",
    re.ASCII | re.IGNORECASE,
)
_WINS = re.compile(r"wins\s+([0-9]{1,6})\s+points?\.?(?:\s+and the match\.?)?", re.I | re.ASCII)
_OFFER = re.compile(r"(doubles|beavers|raccoons)\s*=>\s*([0-9]{1,5})", re.ASCII | re.IGNORECASE)
_NO_MOVE = ("cannot move", "no move", "no moves", "can't move", "-")
# "Beavers" may be a raccoon: GNU Backgammon calls it so.
_OFFERS = {"doubles": CubeVerb.DOUBLE, "beavers": None, "raccoons": CubeVerb.RACCOON}
# A lone cell that begins left of this column is the left player's.
_MIDDLE = 20
RESULT_MIDDLE = (LEFT_INDENT + RIGHT_INDENT) // 2


def parse_mat(text: str) -> MatchRecord:
    """The record of a .mat file.

    :raises FormatError: naming the line (and the column, where one is at fault).
    """
    reader = _MatReader()
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), start=1):
        with _at(number):
            reader.read(line.expandtabs().rstrip())
    return reader.finish()


@contextmanager
def _at(line: int) -> Iterator[None]:
    """Give an error from below its place."""
    try:
        yield
    except FormatError as error:
        raise FormatError(error.reason, line=line, column=error.column) from error
    except RulesError as error:
        raise FormatError(str(error), line=line) from error


class _MatReader:
    """Takes the file line by line; ``read`` is a small machine over what may come next."""

    def __init__(self) -> None:
        self.tags = TagReader()
        self.comments: list[str] = []
        self.points: int | None = None
        self.builder: RecordBuilder | None = None
        self.players = ("", "")
        self.awaits_score = False

    def read(self, line: str) -> None:
        """One line of the file.

        :raises FormatError: if it cannot stand here.
        """
        if not line.strip():
            return
        if line.lstrip().startswith(";"):
            self._read_comment(line.strip())
        elif match := _LENGTH.fullmatch(line):
            if self.points is not None:
                raise FormatError("the length of the match is said twice")
            self.points = int(match[1])
        elif _GAME.fullmatch(line):
            if self.points is None:
                raise FormatError("a game begins before the line 'n point match'")
            self.awaits_score = True
        elif self.awaits_score:
            self._begin_game(line)
        elif _ROW.match(line) or _CELL.search(line):
            self._read_cells(line)
        else:
            raise FormatError(f"cannot read {line.strip()[:60]!r}")

    def finish(self) -> MatchRecord:
        """The record of all that was read.

        :raises FormatError: if there was no game.
        """
        if self.builder is None or self.awaits_score:
            raise FormatError("the file ends before a game has begun")
        return self.builder.record()

    def _read_comment(self, line: str) -> None:
        match = _TAG.fullmatch(line)
        if match:
            self.tags.add(match[1], match[2])
        elif self.builder is None:
            self.comments.append(line[1:].strip())

    def _begin_game(self, line: str) -> None:
        match = _SCORE.fullmatch(line)
        if match is None:
            raise FormatError("after 'Game n' comes 'left : score   right : score'")
        players, score = (match[1], match[3]), (int(match[2]), int(match[4]))
        if self.builder is None:
            comment = "\n".join(self.comments)
            heading = self.tags.heading(players, self.points or 0, comment)
            self.builder, self.players = RecordBuilder(heading), players
        elif players != self.players:
            raise FormatError(f"the players were {' and '.join(self.players)} before")
        number = self.builder.game_number + 1
        self.builder.begin_game(self.tags.game(number, score))
        self.awaits_score = False

    def _read_cells(self, line: str) -> None:
        row = _ROW.match(line)
        starts = [match.start(1) for match in _CELL.finditer(line, row.end() - 1 if row else 0)]
        if not starts and row and not line[row.end() :].strip():
            return
        before = line[row.end() if row else 0 : starts[0]] if starts else line
        if before.strip():
            raise FormatError(f"cannot read {before.strip()[:60]!r}", column=_column(line, before))
        if len(starts) > 3:
            raise FormatError("a row has two cells", column=starts[3] + 1)
        for index, start in enumerate(starts):
            end = starts[index + 1] if index + 1 < len(starts) else len(line)
            seat = 1 if index == 1 and len(starts) > 1 else int(start >= _MIDDLE)
            self._read_cell(seat, line[start:end].rstrip(), start + 1)

    def _read_cell(self, seat: int, cell: str, column: int) -> None:
        """One cell, which begins in ``column`` of its line."""
        if self.builder is None:
            raise FormatError("a move comes before the first game", column=column)
        try:
            if cell[0].isdigit():
                self._read_roll(self.builder.game, seat, cell)
            else:
                self._read_words(self.builder, seat, cell, is_right=column > RESULT_MIDDLE)
        except NotationError as error:
            # Its own place counts from the start of the cell: it becomes one of the line.
            reason, within = str(error).partition(" (column ")[0], error.column or 1
            raise FormatError(reason, column=column + within - 1) from error
        except RulesError as error:
            raise FormatError(str(error), column=column) from error
        except FormatError as error:
            raise FormatError(error.reason, column=error.column or column) from error

    def _read_words(self, builder: RecordBuilder, seat: int, cell: str, *, is_right: bool) -> None:
        """A cell about the cube or the result, which stands under its winner."""
        word = cell.lower()
        if offer := _OFFER.fullmatch(cell):
            builder.game.offer(seat, verb=_OFFERS[offer[1].lower()], value=int(offer[2]))
        elif word == "takes":
            builder.game.take(seat)
        elif word == "drops":
            builder.game.drop(seat)
        elif win := _WINS.fullmatch(cell):
            builder.end_game(int(is_right), int(win[1]), self.tags.ending(builder.game_number))
        elif word == "drawn":
            builder.end_game(None, 0, self.tags.ending(builder.game_number))
        else:
            raise FormatError(f"cannot read {cell!r}")

    def _read_roll(self, game: OpenGame, seat: int, cell: str) -> None:
        head, _, text = cell.partition(":")
        dice = tuple(int(digit) for digit in head)
        if text.strip().lower() in _NO_MOVE or text.strip() == NEVER_PLAYED:
            text = ""
        # Spaces in place of the dice keep the columns of errors.
        hops = parse_hops(" " * (len(head) + 1) + text)
        taker = game.taker_if_rolls(seat)
        if taker is not None:
            game.take(taker)  # GNU Backgammon leaves it to the roll to say so
        if not hops and game.plays(seat, dice).dice_played:
            game.turn(RecordedTurn(seat, dice, None))
        else:
            game.play(seat, dice, hops, "")


def _column(line: str, part: str) -> int:
    return line.index(part) + len(part) - len(part.lstrip()) + 1
