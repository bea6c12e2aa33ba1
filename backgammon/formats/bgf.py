"""The match files of BGBlitz, `.bgf`: reading.

A line of JSON, then the match as Smile, packed by gzip: names, and for each game its board, the
score before it and its entries. Green is seat 0. What BGBlitz thought of a play is left aside. Who
won a game and how many points is read from the scores, and our rules say whether that can be.
"""

from __future__ import annotations

import datetime
import zlib
from typing import Any, Final

from backgammon.formats.errors import FormatError
from backgammon.formats.open_game import OpenGame
from backgammon.formats.reading import Collector, FileRead
from backgammon.formats.record import GameRecord, Heading, MatchRecord, RecordedTurn
from backgammon.formats.smile import smile_values
from backgammon.rules.cube import HIGHEST_CAP, CubeRules
from backgammon.rules.errors import RulesError
from backgammon.rules.match import FormatKind
from backgammon.rules.notation import Hop
from backgammon.rules.position import Position
from backgammon.rules.variants import by_key

#: the first bytes of every such file.
IS_BGF: Final = b'{"format":"BGF"'

#: gzip's own heading and end, as zlib is told to expect them.
_GZIP: Final = 31
_UNPACKED_MOST_BYTES: Final = 64 * 1024 * 1024
_SEATS: Final = {-1: 0, 1: 1}
_OWNERS: Final = {-1: 0, 0: None, 1: 1}
_NOTHING: Final = -1
_VARIANTS: Final = ("backgammon", "nackgammon", "hypergammon")

Row = dict[str, Any]


def read_bgf(data: bytes) -> FileRead:
    """The match of a file, each game as far as it is sound."""
    found = Collector()
    try:
        match = _content(data)
        games = _rows(match, "games")
        found.begin_match(_heading(match))
    except FormatError as error:
        found.remark(error)
        return found.finish()
    finals = (match.get("finalGreen"), match.get("finalRed"))
    scores = [*((game.get("scoreGreen"), game.get("scoreRed")) for game in games), finals]
    for number, game in enumerate(games, start=1):
        _read_game(found, game, number, scores[number])
    return found.finish()


def _content(data: bytes) -> Row:
    """The match as it is in the file.

    :raises FormatError: if it cannot be had.
    """
    _heading_line, _, packed = data.partition(b"\n")
    if packed.startswith(b"\x1f\x8b"):
        unpacker = zlib.decompressobj(_GZIP)
        try:
            packed = unpacker.decompress(packed, _UNPACKED_MOST_BYTES)
        except zlib.error as error:
            raise FormatError(f"the content cannot be unpacked: {error}") from error
        if not unpacker.eof:
            raise FormatError("the content is cut off, or more than any match has")
    found = smile_values(packed)
    if not isinstance(found, dict):
        raise FormatError("the content is no match")
    return found


def _heading(match: Row) -> MatchRecord:
    length = _number(match, "matchlen")
    limit = match.get("cubeLimit")
    is_power = isinstance(limit, int) and 2 <= limit <= HIGHEST_CAP and limit & (limit - 1) == 0
    is_match = length > 0
    return MatchRecord(
        players=(_text(match, "nameGreen"), _text(match, "nameRed")),
        kind=FormatKind.POINTS if is_match else FormatKind.UNLIMITED,
        length=max(length, 0),
        has_cube=match.get("useCube") is not False,
        rules=CubeRules(
            cap=limit if is_power and isinstance(limit, int) else HIGHEST_CAP,
            crawford=match.get("useCrawford") is not False,
            jacoby=match.get("useJacoby") is True and not is_match,
            beavers=match.get("useBeaver") is True and not is_match,
        ),
        heading=Heading(
            site=_text(match, "site") or _text(match, "location"),
            match_id=_text(match, "extMatchID"),
            event=_text(match, "event"),
            round=_text(match, "round"),
            date=_date(_text(match, "date")),
        ),
    )


def _read_game(found: Collector, game: Row, number: int, next_score: object) -> None:
    entry = 0
    try:
        board = found.begin_game(_begun(game), None)
        moves = _rows(game, "moves")
        is_answered = False
        for entry, move in enumerate(moves, start=1):  # noqa: B007 - names the entry at fault
            is_answered = not is_answered and _read_entry(board, move)
        entry = 0
        _end(found, board, game, next_score)
    except (FormatError, RulesError) as error:
        reason = error.reason if isinstance(error, FormatError) else str(error)
        place = f"game {number}" + (f", entry {entry}" if entry else "")
        found.cut(FormatError(reason, path=place))


def _begun(game: Row) -> GameRecord:
    initial = game.get("initial")
    if not isinstance(initial, dict):
        raise FormatError("the game has no board")
    points = initial.get("points")
    if not isinstance(points, list) or len(points) < 26 or not all(map(_is_number, points)):
        raise FormatError("the game has no board")
    mine = sum(count for count in points[:24] if count > 0) + points[24]
    theirs = -sum(count for count in points[:24] if count < 0) + abs(points[25])
    variants = [by_key(key) for key in _VARIANTS]
    variant = variants[2] if max(mine, theirs) <= variants[2].checkers else variants[0]
    most = variant.checkers
    start = Position(
        tuple(points[23::-1]),
        bar=(points[24], abs(points[25])),
        off=(most - mine, most - theirs),
    )
    whose = next((each for each in variants if each.start == start), None)
    return GameRecord(
        variant=(whose or variant).key,
        score=(_number(game, "scoreGreen"), _number(game, "scoreRed")),
        start=None if whose else start,
        cube_value=_number(initial, "cube"),
        cube_owner=_OWNERS.get(_number(initial, "cubeOwner")),
    )


def _read_entry(board: OpenGame, move: Row) -> bool:
    """One entry; True if the next one says the same double again, from the other side."""
    sources, targets = _points(move, "from"), _points(move, "to")
    seat = _SEATS.get(_number(move, "player"))
    if seat is None:
        raise FormatError("an entry belongs to no player")
    if sources[0] == _NOTHING:
        equity = move.get("equity")
        said = equity.get("cubeDecision") if isinstance(equity, dict) else None
        if not isinstance(said, dict) or said.get("hasDoubled") is not True:
            return False
        board.offer(seat)
        if said.get("hasAccepted") is True:
            board.take(1 - seat)
        else:
            board.drop(1 - seat)
        return True
    if move.get("dancingEquity") is not None:  # the dice stand in the place of the points
        board.turn(RecordedTurn(seat, (sources[0], targets[0]), ()))
        return False
    dice = (_number(move, "green"), _number(move, "red"))
    pairs = zip(sources, targets, strict=False)
    hops = [Hop(source, target) for source, target in pairs if source != _NOTHING]
    board.play(seat, dice, hops, "")
    return False


def _end(found: Collector, board: OpenGame, game: Row, next_score: object) -> None:
    """The result is what the next score adds; a score that adds nothing leaves the game open."""
    before = (_number(game, "scoreGreen"), _number(game, "scoreRed"))
    if not isinstance(next_score, tuple) or not all(map(_is_number, next_score)):
        raise FormatError("the score after the game cannot be read")
    gained = [after - score for after, score in zip(next_score, before, strict=True)]
    if sorted(gained)[0] != 0 or sum(gained) < 0:
        raise FormatError("the score after the game does not follow from it")
    if sum(gained):
        found.end_game(int(gained[1] > 0), sum(gained), None)
    elif board.over is not None:
        raise FormatError("the game ends, but the score stays the same")
    else:
        found.leave_game()


def _rows(row: Row, name: str) -> list[Row]:
    values = row.get(name)
    if not isinstance(values, list) or not all(isinstance(value, dict) for value in values):
        raise FormatError(f"a list of {name} should stand here")
    return values


def _points(move: Row, name: str) -> list[int]:
    values = move.get(name)
    if not isinstance(values, list) or not values or not all(map(_is_number, values)):
        raise FormatError(f"numbers should stand in {name}")
    return values


def _is_number(value: object) -> bool:
    return type(value) is int and abs(value) < 10_000


def _number(row: Row, name: str) -> int:
    value = row.get(name)
    if not isinstance(value, int) or not _is_number(value):
        raise FormatError(f"a number should stand in {name}")
    return value


def _text(row: Row, name: str) -> str:
    value = row.get(name)
    letters = value if isinstance(value, str) else ""
    return "".join(sign for sign in letters if sign.isprintable()).strip()[:200]


def _date(text: str) -> datetime.date | None:
    try:
        return datetime.date.fromisoformat(text.replace(".", "-"))
    except ValueError:
        return None
