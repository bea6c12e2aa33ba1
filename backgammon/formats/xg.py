"""The binary files of eXtreme Gammon, `.xg` and `.xgp`: reading.

A file is a picture and an archive of compressed parts; the part `temp.xg` is a list of records of
2,560 bytes: the match, and for each game its heading, its cubes and rolls in order, and its result.
A roll says the board after its play, and the play is found by our rules: it is the one that leads
there. What eXtreme Gammon thought of a play is left aside.

Source: XG_format.pas and ZLibArchive.pas, as published by GameSite 2000 Ltd. for version 30.
"""

from __future__ import annotations

import datetime
import struct
import zlib
from dataclasses import dataclass
from typing import Final

from backgammon.formats.errors import FormatError
from backgammon.formats.open_game import OpenGame
from backgammon.formats.reading import Collector, FileRead
from backgammon.formats.record import CubeVerb, GameRecord, Heading, MatchRecord, RecordedTurn
from backgammon.rules.cube import HIGHEST_CAP, CubeRules
from backgammon.rules.errors import RulesError
from backgammon.rules.match import FormatKind
from backgammon.rules.position import Position
from backgammon.rules.variants import by_key

#: the first bytes of every such file.
IS_XG: Final = b"RGMH"

_PICTURE_AT: Final = 8_232
_END: Final = struct.Struct("<iiiiiB15x")
_ENTRY_BYTES: Final = 532
_ENTRIES_MOST: Final = 64
_MATCH_PART: Final = b"\x07temp.xg"
_RECORD_BYTES: Final = 2_560
#: no match between people has as many; the longest of samples has 1,200.
_RECORDS_MOST: Final = 20_000
_MATCH, _GAME, _CUBE, _ROLL, _RESULT = range(5)

_UNLIMITED: Final = 99_999
_VARIANTS: Final = {0: "backgammon", 1: "nackgammon", 2: "hypergammon"}
_SEATS: Final = {1: 0, -1: 1}
_TOOK, _BEAVERED = 1, 2
_DAY_ZERO: Final = datetime.datetime(1899, 12, 30)  # noqa: DTZ001 - the files know no time zone
_DAYS_MOST: Final = 80_000

Board = tuple[int, ...]


def read_xg(data: bytes) -> FileRead:
    """The match or position of a file, each game as far as it is sound."""
    reader = _Reader()
    try:
        records, fault = _records(data)
    except (struct.error, zlib.error, IndexError) as error:
        records, fault = [], FormatError(f"the archive cannot be read: {error}")
    for number, record in enumerate(records, start=1):
        reader.read(number, record)
    if fault is None:
        reader.leave()
    else:
        reader.found.cut(fault)
    return reader.found.finish()


def _records(data: bytes) -> tuple[list[bytes], FormatError | None]:
    """The records of the match, and what is wrong with the archive after them."""
    picture_bytes = struct.unpack_from("<I", data, 20)[0]
    part, fault = _part_in_archive(data)
    if part is None:  # other programs write the records alone
        part, fault = _inflated(data[_PICTURE_AT + picture_bytes :], _RECORDS_MOST * _RECORD_BYTES)
    whole = range(0, len(part) - _RECORD_BYTES + 1, _RECORD_BYTES)
    if not whole:
        fault = fault or FormatError("the archive contains no match")
    return [part[place : place + _RECORD_BYTES] for place in whole], fault


def _part_in_archive(data: bytes) -> tuple[bytes | None, FormatError | None]:
    """The match's part of an archive, None if this is none, and what is wrong with it."""
    end = len(data) - _END.size
    if end < _PICTURE_AT:
        return None, None
    _crc, count, _version, index_bytes, parts_bytes, is_packed = _END.unpack_from(data, end)
    begins = end - index_bytes - parts_bytes
    if min(index_bytes, parts_bytes) < 0 or begins < _PICTURE_AT or count > _ENTRIES_MOST:
        return None, None
    index = data[end - index_bytes : end]
    if is_packed:
        index, _fault = _inflated(index, _ENTRIES_MOST * _ENTRY_BYTES)
    for at in range(0, len(index) - _ENTRY_BYTES + 1, _ENTRY_BYTES):
        if index[at : at + len(_MATCH_PART)] == _MATCH_PART:
            size, start = struct.unpack_from("<ii", index, at + 516)
            part = data[begins + max(start, 0) :][: max(size, 0)]
            if index[at + 528]:
                return part, None
            return _inflated(part, _RECORDS_MOST * _RECORD_BYTES)
    return None, None


def _inflated(packed: bytes, most: int) -> tuple[bytes, FormatError | None]:
    """The bytes that can be unpacked, and the fault after them."""
    unpacker, found, step = zlib.decompressobj(), bytearray(), 64 * 1024
    try:
        piece = unpacker.decompress(packed, step)
        while piece and len(found) <= most:
            found += piece
            piece = unpacker.decompress(unpacker.unconsumed_tail, step)
    except zlib.error as error:
        return bytes(found), FormatError(f"the archive is damaged: {error}")
    if len(found) > most:
        return b"", FormatError("the archive unpacks to more than any match has")
    return bytes(found), None if unpacker.eof else FormatError("the archive is cut off")


@dataclass(frozen=True, slots=True)
class _Begun:
    """The heading of a game whose first record has not come yet."""

    score: tuple[int, int]
    crawford: bool


class _Reader:
    """Takes the records one by one."""

    def __init__(self) -> None:
        self.found = Collector()
        self.begun: _Begun | None = None
        self.is_lost = False
        #: who may double before a roll that has not come yet
        self.on_roll: int | None = None
        self.variant = by_key("backgammon")

    def read(self, number: int, record: bytes) -> None:
        """One record; one that cannot be is noted, and its game goes no further."""
        kind = record[8]
        if kind == _GAME:
            self.is_lost = False
        try:
            if kind == _MATCH:
                self._match(record)
            elif kind == _GAME:
                self.leave()
                score = struct.unpack_from("<ii", record, 12)
                self.begun = _Begun((score[0], score[1]), bool(record[20]))
            elif kind == _CUBE and not self.is_lost:
                self._cube(record)
            elif kind == _ROLL and not self.is_lost:
                self._roll(record)
            elif kind == _RESULT and not self.is_lost:
                self._result(record)
        except (RulesError, FormatError) as error:
            reason = error.reason if isinstance(error, FormatError) else str(error)
            self.found.cut(FormatError(reason, path=f"record {number}"))
            self.is_lost, self.begun = True, None

    def _match(self, record: bytes) -> None:
        length, variation = struct.unpack_from("<ii", record, 92)
        if variation not in _VARIANTS or length < 0:
            raise FormatError("the match is of a kind that is not known here")
        self.variant = by_key(_VARIANTS[variation])
        is_match = length < _UNLIMITED
        cap = struct.unpack_from("<i", record, 612)[0]
        rules = CubeRules(
            cap=1 << cap if 0 < cap < HIGHEST_CAP.bit_length() else HIGHEST_CAP,
            crawford=bool(record[100]),
            jacoby=bool(record[101]) and not is_match,
            beavers=bool(record[102]) and not is_match,
        )
        moment = _moment(struct.unpack_from("<d", record, 128)[0])
        self.found.begin_match(
            MatchRecord(
                players=(_text(record, 880, 9), _text(record, 1_138, 50)),
                kind=FormatKind.POINTS if is_match else FormatKind.UNLIMITED,
                length=length if is_match else 0,
                rules=rules,
                heading=Heading(
                    site=_text(record, 1_396),
                    event=_text(record, 622, 136),
                    round=_text(record, 1_654),
                    date=moment.date() if moment else None,
                    time=moment.time().replace(microsecond=0) if moment else None,
                ),
            )
        )

    def _open(self, board: Board | None = None, cube: int = 0) -> OpenGame:
        """The game, begun from the first board that one of its records has."""
        if self.begun is None:
            if self.found.game is None:
                raise FormatError("a record belongs to no game")
            return self.found.game
        begun, self.begun = self.begun, None
        start = None if board is None else self._position(board)
        if start == self.variant.start:
            start = None
        record = GameRecord(self.variant.key, begun.score, start=start)
        if start is not None and cube:
            record = GameRecord(
                self.variant.key,
                begun.score,
                start=start,
                cube_value=1 << min(abs(cube), HIGHEST_CAP.bit_length()),
                cube_owner=0 if cube > 0 else 1,
            )
        is_match = self.found.builder and self.found.builder.match.kind is FormatKind.POINTS
        return self.found.begin_game(record, None, crawford=begun.crawford and bool(is_match))

    def leave(self) -> None:
        """The game before ends without a result."""
        if self.begun is not None:
            self._open()
        if self.found.game is not None:
            self.found.leave_game(self.on_roll)
        self.on_roll = None

    def _cube(self, record: bytes) -> None:
        """A double with its answer; who does not double leaves a record, too."""
        owner, doubled, answer = struct.unpack_from("<iii", record, 12)
        cube = struct.unpack_from("<i", record, 32)[0]
        game = self._open(struct.unpack_from("<26b", record, 36), cube)
        seat = _seat(owner)
        self.on_roll = seat if doubled != 1 else None
        if doubled != 1:
            return
        game.offer(seat)
        if answer == _BEAVERED:
            game.offer(1 - seat, verb=CubeVerb.BEAVER)
            game.take(seat)
        elif answer == _TOOK:
            game.take(1 - seat)
        elif answer == 0:
            game.drop(1 - seat)

    def _roll(self, record: bytes) -> None:
        board = struct.unpack_from("<26b", record, 9)
        after = struct.unpack_from("<26b", record, 35)
        dice = struct.unpack_from("<ii", record, 100)
        game = self._open(board, struct.unpack_from("<i", record, 108)[0])
        if dice == (0, 0):
            return
        self.on_roll = None
        seat = _seat(struct.unpack_from("<i", record, 64)[0])
        plays = game.plays(seat, dice)
        for moves, result in plays.graph.ends():
            if _is_board(result, after):
                game.turn(RecordedTurn(seat, dice, moves))
                return
        if not _is_board(game.position(seat), after) and any(after):
            raise FormatError(f"no play of {dice[0]}{dice[1]} leads to this board")
        game.turn(RecordedTurn(seat, dice, None))

    def _result(self, record: bytes) -> None:
        winner, points = struct.unpack_from("<ii", record, 24)
        self._open()
        if winner in _SEATS:
            self.found.end_game(_SEATS[winner], points, None)
        else:
            self.found.leave_game()

    def _position(self, board: Board) -> Position:
        """The board of the first player, as seat 0 sees it."""
        mine = sum(count for count in board if count > 0)
        theirs = -sum(count for count in board if count < 0)
        most = self.variant.checkers
        off = (most - mine, most - theirs)
        return Position(board[1:25], bar=(board[25], -board[0]), off=off)


def _is_board(position: Position, board: Board) -> bool:
    bar = (board[25], -board[0])
    return position.points == board[1:25] and position.bar == bar


def _seat(owner: int) -> int:
    if owner not in _SEATS:
        raise FormatError(f"{owner} is no player")
    return _SEATS[owner]


def _text(record: bytes, at: int, older_at: int | None = None) -> str:
    """A text of newer files, or where that is empty the one of older files."""
    words = struct.unpack_from("<129H", record, at)
    letters = words[: words.index(0) if 0 in words else None]
    text = struct.pack(f"<{len(letters)}H", *letters).decode("utf-16-le", errors="replace")
    if not text and older_at is not None:
        size = record[older_at]
        text = record[older_at + 1 : older_at + 1 + size].decode("cp1252", errors="replace")
    return "".join(sign for sign in text if sign.isprintable()).strip()


def _moment(days: float) -> datetime.datetime | None:
    """A date and time of day, counted in days; None for no date."""
    if not 1 <= days <= _DAYS_MOST:
        return None
    return _DAY_ZERO + datetime.timedelta(days=days)
