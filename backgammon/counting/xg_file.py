"""The decisions of an eXtreme Gammon file, by bgsage's reader of its archive and records.

Only a process of `analysis.reading` reads such a file. The cube is followed from double to double
within each game; what the records say about it besides is not needed.
"""

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from backgammon.counting.positions import key_of
from backgammon.counting.situation import AWAY_MOST, MatchTooLong
from backgammon.formats.errors import FormatError
from backgammon.rules.errors import RulesError
from backgammon.rules.position import Position
from backgammon.rules.xgid import O, X, Xgid

#: the first bytes of every such file.
IS_XG: Final = b"RGMH"

#: the length of unlimited play in these files, and the longest match that is believed.
_UNLIMITED: Final = 99_999
_CHECKERS: Final = 15
_DOUBLED: Final = 1

Row = dict[str, Any]


def xg_decisions(data: bytes) -> tuple[tuple[str, str], Iterator[Row]]:
    """The players' names and the decisions, in the order of the file.

    :raises FormatError: naming the record that cannot be read.
    """
    # here, because only a process that reads such a file needs it; it has no types
    from bgsage import xg_file  # type: ignore[import-untyped] # it has no types

    with tempfile.NamedTemporaryFile(suffix=".xg") as file:
        file.write(data)
        file.flush()
        try:
            records = xg_file.XgArchive.load(file.name).get("temp.xg")
        except Exception as error:  # whatever a broken archive leads to in a foreign reader
            raise FormatError(f"the archive cannot be read: {_reason(error, file.name)}") from error
    if records is None:
        raise FormatError("the archive contains no match")
    return ("", ""), _Reader(xg_file, records).rows()


def _reason(error: Exception, name: str) -> str:
    return str(error).replace(f"{name}: ", "") or type(error).__name__


@dataclass
class _Game:
    """A game as far as it has been read; `owner` is the actor who owns the cube, 1 or -1."""

    number: int = 0
    score: tuple[int, int] = (0, 0)
    crawford: bool = False
    cube_value: int = 1
    owner: int = 0
    told: int = 0


@dataclass
class _Reader:
    xg: Any
    records: bytes
    length: int = 0
    jacoby: bool = False
    beavers: bool = False
    game: _Game = field(default_factory=_Game)

    def rows(self) -> Iterator[Row]:
        """Every decision, record by record."""
        for number, (at, kind) in enumerate(self.xg.iter_records(self.records), start=1):
            try:
                row = self._row(at, kind)
            except (RulesError, ValueError, KeyError) as error:
                raise FormatError(str(error), path=f"record {number}") from error
            if row is not None:
                yield row

    def _row(self, at: int, kind: int) -> Row | None:
        if kind == self.xg.TS_HEADER_MATCH:
            self._match(self.xg.parse_header(self.records, at))
        elif kind == self.xg.TS_HEADER_GAME:
            self._begin(self.xg.parse_game_header(self.records, at))
        elif kind == self.xg.TS_CUBE:
            return self._cube(self.xg.parse_cube_record(self.records, at))
        elif kind == self.xg.TS_MOVE:
            told = self.xg.parse_move_record(self.records, at)
            dice = (told["dice"][0], told["dice"][1])
            if dice != (0, 0):
                return self._decision(told, dice)
        return None

    def _match(self, header: dict[str, Any]) -> None:
        length = int(header["match_length"])
        self.length = 0 if length >= _UNLIMITED else length
        if self.length > AWAY_MOST:
            raise MatchTooLong(self.length)
        self.jacoby = bool(header["jacoby"]) and not self.length
        self.beavers = bool(header["beaver"]) and not self.length

    def _begin(self, header: dict[str, Any]) -> None:
        self.game = _Game(
            number=max(1, int(header["game_number"])),
            score=(int(header["score1"]), int(header["score2"])),
            crawford=bool(header["crawford"]) and self.length > 0,
        )

    def _cube(self, told: dict[str, Any]) -> Row | None:
        """A decision to double or not; a double that was taken changes the cube."""
        if told["double"] not in (0, _DOUBLED):
            return None
        row = self._decision(told, None)
        if told["double"] == _DOUBLED:
            row["doubled"] = True
            if told["take"] == 1:
                self.game.cube_value *= 2
                self.game.owner = -_sign(told)
        return row

    def _decision(self, told: dict[str, Any], dice: tuple[int, int] | None) -> Row:
        game, seat = self.game, X if _sign(told) == 1 else O
        game.told += 1
        owner = None if not game.owner else X if game.owner == _sign(told) else O
        asked = Xgid(
            position=_position(told["mover_board"]),
            cube_value=game.cube_value,
            cube_owner=owner,
            dice=dice,
            score=(game.score if seat == X else game.score[::-1]) if self.length else (0, 0),
            length=self.length,
            crawford=game.crawford,
            jacoby=self.jacoby,
            beavers=self.beavers,
        )
        return {
            "game": game.number,
            "number": game.told,
            "seat": seat,
            "xgid": key_of(asked).text(),
            "dice": dice,
            "played": "",
            "doubled": False,
        }


def _sign(told: dict[str, Any]) -> int:
    """The owner of the record: 1 the first player, -1 the second."""
    return 1 if told["actif"] == 1 else -1


def _position(board: tuple[int, ...]) -> Position:
    """bgsage's board, the mover's view: the opponent's bar, the points, the mover's bar."""
    points, bar = board[1:25], (board[25], board[0])
    mine = sum(count for count in points if count > 0) + bar[0]
    theirs = -sum(count for count in points if count < 0) + bar[1]
    return Position(points, bar=bar, off=(_CHECKERS - mine, _CHECKERS - theirs))
