"""OGXM, the match format of HedgeHog: reading.

A file may hold several, one behind the other (`.ogxms`). Analyses are left aside. A match that we
wrote has in a section of its own what the format has no field for; that is believed as far as it
is of the same match.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from backgammon.formats.digest import match_digest
from backgammon.formats.errors import FormatError
from backgammon.formats.ogxm import (
    BEAVER,
    CUBE_SET,
    DICE,
    DOUBLE,
    DROP,
    FORFEIT,
    MORE_BIT,
    RACCOON,
    RESIGN,
    SEAT_BIT,
    TAKE,
    board_of,
)
from backgammon.formats.ogxm_bytes import (
    GAME,
    IS_OGXM,
    MATCH,
    OURS,
    OgxmFields,
    OgxmRecord,
    Section,
    digest_of,
    sections_of,
    size_of,
)
from backgammon.formats.ogxm_heading import OgxmHeading, heading_of
from backgammon.formats.open_game import OpenGame
from backgammon.formats.reading import Collector, FileRead
from backgammon.formats.record import (
    Ending,
    GameRecord,
    MatchRecord,
    RecordedTurn,
    Resignation,
)
from backgammon.formats.record_json import read_document
from backgammon.rules.errors import RulesError
from backgammon.rules.match import FormatKind
from backgammon.rules.moves import BAR, Move
from backgammon.rules.notation import Hop
from backgammon.rules.variants import by_key

#: entries that are read, and such as cannot be.
_RESIGN_MATCH, _SET_UP, _SETTLED = 28, 31, 34
#: entries that say what the others show.
_MARKERS: Final = (24, 25, 26, 30)
#: what is said of entries that cannot be played on.
REFUSED: Final = {
    _SET_UP: "a board that is set up within a game cannot be played on",
    _SETTLED: "a game that was settled has no result by the rules",
}
_BOARD_BYTES: Final = 26
_UNPACKED_MOST_BYTES: Final = 64 * 1024 * 1024
_OWNERS: Final = (0, 1, None)
#: after so many files that cannot be read in a row of files nothing more is looked for.
_FAULTY_MOST: Final = 100
_DOUBLES_MOST: Final = 16
_POINT_BITS, _DIE_SHIFT = 0x1F, 5


def read_ogxm(data: bytes) -> FileRead:
    """Return the matches of a file, each game as far as it is sound."""
    found: list[FileRead] = []
    faults = 0
    while data and faults < _FAULTY_MOST:
        try:
            size = size_of(data)
            found.append(_read_one(sections_of(data[:size])))
            data = data[size:]
        except FormatError as error:
            lost = Collector()
            lost.remark(error)
            found.append(lost.finish())
            faults += 1
            at = data.find(IS_OGXM, 1)
            data = data[at:] if at > 0 else b""
    return replace(_joined(found), key="ogxm")


def document_in(sections: Sequence[Section]) -> dict[str, Any] | None:
    """Return the document in our own section, None if there is none.

    :raises FormatError: if it cannot be read.
    """
    packed = next((inside for name, inside in sections if name == OURS), None)
    if packed is None:
        return None
    try:
        document = json.loads(zlib.decompressobj().decompress(packed, _UNPACKED_MOST_BYTES))
    except (zlib.error, ValueError, RecursionError) as error:
        raise FormatError(f"the content cannot be unpacked: {error}"[:120]) from error
    if not isinstance(document, dict):
        raise FormatError("the content is no match")
    return document


def _joined(found: Sequence[FileRead]) -> FileRead:
    """All matches of a file; their faults count on."""
    matches = tuple(match for read in found for match in read.matches)
    faults, before = [], 0
    for read in found:
        faults += [
            replace(fault, match=fault.match + before if fault.match else 0)
            for fault in read.faults
        ]
        before += len(read.matches)
    return FileRead(matches, tuple(faults))


def _read_one(sections: Sequence[Section]) -> FileRead:
    found = Collector()
    inside = next((inside for name, inside in sections if name == MATCH), None)
    if inside is None:
        raise FormatError("the file has an analysis without its match")
    heading = heading_of(OgxmFields(inside))
    found.begin_match(heading.match)
    score = heading.score
    games = [inside for name, inside in sections if name == GAME]
    for number, inside in enumerate(games, start=1):
        game = _GameReader(found, heading, number, score)
        game.read(OgxmFields(inside))
        score = game.score
    return _completed(found.finish(), sections)


def _completed(read: FileRead, sections: Sequence[Section]) -> FileRead:
    """The same match with what our own section adds to it, if it is of this match."""
    try:
        document = document_in(sections)
        if document is None or document.get("ogxm") != digest_of(sections).hex():
            return read
        whole = read_document(document)
        same = _plays_of(whole.sole()) == _plays_of(read.matches[0].record)
    except (FormatError, RulesError):
        return read
    return whole.of_source(read.key, "pasch") if same else read


def _plays_of(record: MatchRecord) -> str:
    """Return the common part of two records if one is in the words of the format alone."""
    is_match = record.kind is FormatKind.POINTS
    return match_digest(record if is_match else replace(record, kind=FormatKind.GAMES, length=0))


class _GameReader:
    """Reads one game, entry by entry; `score` is then the one after it."""

    def __init__(
        self, found: Collector, heading: OgxmHeading, number: int, score: tuple[int, int]
    ) -> None:
        self.found, self.heading, self.number, self.score = found, heading, number, score
        self._entry = 0
        self._raised_by: int | None = None  # who beavered or raccooned last
        self._is_forfeit = False

    def read(self, fields: OgxmFields) -> None:
        """Read all of it; a fault is told to the collector."""
        try:
            head = fields.record()
            winner = head.number(0) if head.has(0) else None
            points = head.number(1)
            start = self._start(head)
        except FormatError as error:
            self.found.skip_game(None)
            self._cut(error)
            return
        before, self.score = self.score, self._after(winner, points)
        try:
            record = replace(start, score=before)
            crawford = False if self.heading.is_after_crawford else None
            game = self.found.begin_game(record, None, crawford=crawford)
            while fields:
                self._entry += 1
                self._read_entry(game, fields)
            self._accept(game)
            self._entry = 0
            self._end(game, winner, points)
        except (FormatError, RulesError) as error:
            self._cut(error)

    def _cut(self, error: Exception) -> None:
        place = f"game {self.number}" + (f", entry {self._entry}" if self._entry else "")
        reason = error.reason if isinstance(error, FormatError) else str(error)
        self.found.cut(FormatError(reason, path=place))

    def _start(self, head: OgxmRecord) -> GameRecord:
        """The game before its first entry."""
        head.has(2)
        variant = by_key(self.heading.variant)
        start = None
        if head.has(3):
            start = board_of(head.fields.take(_BOARD_BYTES), variant.checkers)
        value, owner = head.number(4, 1), head.number(5, 2)
        value <<= min(head.number(6), _DOUBLES_MOST)
        return GameRecord(
            variant=variant.key,
            start=None if start == variant.start else start,
            cube_value=value,
            cube_owner=_OWNERS[min(owner, 2)],
        )

    def _after(self, winner: int | None, points: int) -> tuple[int, int]:
        if winner not in (0, 1):
            return self.score
        return self.score[0] + points * (winner == 0), self.score[1] + points * (winner == 1)

    def _read_entry(self, game: OpenGame, fields: OgxmFields) -> None:
        first = fields.take(1)[0]
        seat, kind = int(bool(first & SEAT_BIT)), first & (SEAT_BIT - 1)
        steps = list(_steps(fields, kind)) if kind < len(DICE) else []
        more = fields.record() if first & MORE_BIT else None
        if kind not in (RACCOON, FORFEIT):
            self._accept(game)
        if kind < len(DICE):
            self._turn(game, seat, DICE[kind], steps)
            return
        self._read_word(game, seat, kind, more)

    def _read_word(self, game: OpenGame, seat: int, kind: int, more: OgxmRecord | None) -> None:
        """An entry that is no roll."""
        if kind in (DOUBLE, BEAVER, RACCOON):
            game.offer(seat)
            self._raised_by = None if kind == DOUBLE else seat
        elif kind == TAKE:
            game.take(seat)
        elif kind == DROP:
            game.drop(seat)
        elif kind == RESIGN:
            game.resign(Resignation(seat, _level(more), accepted=True))
        elif kind == CUBE_SET:
            _same_cube(game, more)
        elif kind == FORFEIT:
            self._is_forfeit = True
        elif kind not in (*_MARKERS, _RESIGN_MATCH):
            raise FormatError(REFUSED.get(kind, f"an entry of kind {kind} is not known here"))

    def _accept(self, game: OpenGame) -> None:
        """A beaver or a raccoon is taken by what follows."""
        if self._raised_by is not None:
            game.take(1 - self._raised_by)
            self._raised_by = None

    def _turn(
        self, game: OpenGame, seat: int, dice: tuple[int, int], steps: Sequence[tuple[int, int]]
    ) -> None:
        """A roll and its play; one without steps was not played, if it could be."""
        high_first = (dice[1], dice[0])
        sources = [(BAR - point if seat == 0 else point, die) for point, die in steps]
        moves = tuple(Move(source, max(0, source - die), die) for source, die in sources)
        if not moves and game.plays(seat, high_first).dice_played:
            game.turn(RecordedTurn(seat, high_first, None))
            return
        try:
            game.turn(RecordedTurn(seat, high_first, moves))
        except RulesError:
            hops = [Hop(move.source, move.target) for move in moves]
            game.play(seat, high_first, hops, "")

    def _end(self, game: OpenGame, winner: int | None, points: int) -> None:
        if winner is not None and winner not in (0, 1):
            raise FormatError(f"{winner} is no seat")
        if winner is not None:
            ending = Ending.LEFT if self._is_forfeit else None
            self.found.end_game(winner, points, ending)
        elif game.over is not None:
            raise FormatError("the game ends, but has no result")
        else:
            self.found.leave_game()


def _steps(fields: OgxmFields, kind: int) -> Iterator[tuple[int, int]]:
    """The points and dice of a roll's steps, which a zero ends if there are fewer than may be."""
    low, high = DICE[kind]
    for _ in range(4 if low == high else 2):
        step = fields.take(1)[0]
        if step == 0:
            return
        yield step & _POINT_BITS, step >> _DIE_SHIFT


def _same_cube(game: OpenGame, more: OgxmRecord | None) -> None:
    """Do nothing for a cube that is set to what it shows already, and to its owner.

    :raises FormatError: for another cube.
    """
    value = more.number(2) if more is not None else 0
    owner = more.number(8, 2) if more is not None else 2
    if value != game.cube_value or _OWNERS[min(owner, 2)] != game.cube_owner:
        raise FormatError("a cube that is set within a game cannot be played on")


def _level(more: OgxmRecord | None) -> int:
    """How much is resigned, 1 to 3."""
    if more is None:
        return 1
    if more.has(0):
        more.fields.take(2)
    return more.number(1, 1)
