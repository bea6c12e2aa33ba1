"""OGXM, the match format of HedgeHog: writing.

What it has no field for stands in a section of our own, `PSCH`: the match as JSON, packed by zlib,
with the hash of what the format itself holds. Other programs pass over it.
"""

from __future__ import annotations

import datetime
import json
import re
import struct
import zlib
from collections.abc import Callable, Collection, Iterator
from itertools import combinations_with_replacement
from typing import Any, Final

from backgammon.formats.builder import RecordBuilder
from backgammon.formats.errors import UnsupportedRecord
from backgammon.formats.ogxm_bytes import (
    COMMENTS,
    GAME,
    GAMES_MOST,
    MATCH,
    OURS,
    PLIES_MOST,
    SIGNATURE,
    TEXT_MOST_BYTES,
    Section,
    digest_of,
    file_bytes,
    number_bytes,
    record_bytes,
    signature_bytes,
    signed_part,
    text_bytes,
)
from backgammon.formats.record import (
    Action,
    CubeAction,
    CubeVerb,
    Ending,
    GameRecord,
    MatchRecord,
    RecordedTurn,
    Resignation,
    Result,
)
from backgammon.formats.record_json import record_to_json
from backgammon.rules.cube import HIGHEST_CAP
from backgammon.rules.match import FormatKind
from backgammon.rules.position import POINTS, Position

#: the games that the format knows, by its numbers. Its fourth, Long gammon, is not one of ours.
VARIANTS: Final = ("backgammon", "nackgammon", "hypergammon")

#: the rolls by their numbers, without their order.
DICE: Final = tuple(combinations_with_replacement(range(1, 7), 2))

DOUBLE, TAKE, DROP, RESIGN, FORFEIT = 21, 22, 23, 27, 29
BEAVER, RACCOON, CUBE_SET = 32, 33, 36
SEAT_BIT, MORE_BIT = 0x40, 0x80
VERBS: Final = {
    CubeVerb.DOUBLE: DOUBLE,
    CubeVerb.TAKE: TAKE,
    CubeVerb.DROP: DROP,
    CubeVerb.BEAVER: BEAVER,
    CubeVerb.RACCOON: RACCOON,
}
CRAWFORD, JACOBY, BEAVERS, RACCOONS, AUTO_DOUBLES = 1, 2, 4, 8, 16

_ENDINGS: Final = {Ending.BOARD: 0, Ending.DROP: 1, Ending.RESIGNATION: 2}
_FORFEITED: Final = 4
_ON_ENTRY: Final = 2
_NAME_MOST_BYTES: Final = 255
_EVENT_MOST_BYTES: Final = 120
_ROUND: Final = re.compile(r"[1-9][0-9]?")
_BOARD: Final = struct.Struct("<26b")
_MS: Final = 1000

Json = dict[str, Any]


def can_write(variants: Collection[str]) -> bool:
    """Whether the format knows a match of these games: of one, which is one of its own."""
    return len(set(variants)) <= 1 and set(variants) <= set(VARIANTS)


def format_ogxm(record: MatchRecord) -> bytes:
    """Return the file's bytes.

    :raises UnsupportedRecord: for a game or several that the format does not know.
    :raises RecordError: if the record is not a possible match.
    :raises RulesError: if it holds an illegal play.
    """
    sections = _sections(record)
    return _file(record, sections, _document(record, sections), None)


def format_signed_ogxm(
    record: MatchRecord,
    complete: Callable[[Json], Json],
    *,
    public_key: bytes,
    sign: Callable[[bytes], bytes],
) -> bytes:
    """Return the file's bytes with a signature that programs which read OGXM check.

    `complete` makes of the document of our own section the one that is written.

    :raises UnsupportedRecord: like `format_ogxm`.
    """
    sections = _sections(record)
    signature = signature_bytes(public_key, sign(signed_part(digest_of(sections))))
    return _file(record, sections, complete(_document(record, sections)), signature)


def _document(record: MatchRecord, sections: list[Section]) -> Json:
    return {**record_to_json(record), "ogxm": digest_of(sections).hex()}


def _file(
    record: MatchRecord, sections: list[Section], document: Json, signature: bytes | None
) -> bytes:
    told = json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()
    written = [*sections, (OURS, zlib.compress(told, 9))]
    if signature is not None:
        written.append((SIGNATURE, signature))
    ends_doubled = any(_waits(game.actions) for game in record.games)
    return file_bytes(written, least_minor=2 if ends_doubled else 0)


def _waits(actions: tuple[Action, ...]) -> bool:
    """Whether a double was never answered, in the words of the format."""
    said = [each for each in actions if not isinstance(each, Resignation)]
    last = said[-1] if said else None
    return isinstance(last, CubeAction) and last.verb is CubeVerb.DOUBLE


def _sections(record: MatchRecord) -> list[Section]:
    if not can_write(record.variants):
        raise UnsupportedRecord(f"OGXM has one game a match, one of {', '.join(VARIANTS)}")
    if len(record.games) > GAMES_MOST:
        raise UnsupportedRecord(f"OGXM has no match of more than {GAMES_MOST} games")
    builder, comments, before = RecordBuilder(record), b"", 0
    games: list[Section] = []
    for game in record.games:
        plies = _plies(game, builder)
        if len(plies) > PLIES_MOST:
            raise UnsupportedRecord(f"OGXM has no game of more than {PLIES_MOST} entries")
        is_last = len(games) == len(record.games) - 1
        entries = b"".join(entry for entry, _comment in plies)
        games.append((GAME, _game_head(game, is_last=is_last) + entries))
        for number, (_entry, comment) in enumerate(plies, start=before):
            comments += _comment_bytes(number, comment)
        before += len(plies)
    told = [(COMMENTS, comments)] if comments else []
    return [(MATCH, _match(record)), *games, *told]


def _comment_bytes(number: int, comment: str) -> bytes:
    """The comment on an entry of the match, as other programs show it."""
    if not comment:
        return b""
    text = comment.encode()[:TEXT_MOST_BYTES].decode(errors="ignore")
    return record_bytes({}, number_bytes(_ON_ENTRY) + number_bytes(number) + text_bytes(text))


def _match(record: MatchRecord) -> bytes:
    length = record.length if record.kind is FormatKind.POINTS else 0
    is_match, rules, heading = length > 0, record.rules, record.heading
    fields = {bit: text_bytes(_cut(name)) for bit, name in enumerate(record.players) if name}
    flags = (
        CRAWFORD * (is_match and rules.crawford)
        | JACOBY * rules.jacoby
        | BEAVERS * rules.beavers
        | RACCOONS * rules.raccoons
        | AUTO_DOUBLES * (rules.auto_doubles_max > 0)
    )
    fields[2] = number_bytes(flags)
    if not record.has_cube or rules.cap < HIGHEST_CAP:
        fields[3] = number_bytes(rules.cap if record.has_cube else 1)
    first = record.games[0].score if record.games else (0, 0)
    if any(first):
        fields[4] = b"".join(map(number_bytes, first))
    if is_match and rules.crawford and max(first) == length - 1 and not record.games[0].crawford:
        fields[11] = b""
    if heading.date is not None and heading.date.year >= 1970:
        moment = datetime.datetime.combine(heading.date, heading.time or datetime.time(0))
        began = moment.replace(tzinfo=datetime.UTC).timestamp()
        fields[8] = number_bytes(int(began) * _MS)
        if heading.time is None:
            fields[14] = number_bytes(0)
    if 0 < len(heading.event.encode()) <= _EVENT_MOST_BYTES:
        fields[12] = text_bytes(heading.event)
    if _ROUND.fullmatch(heading.round):
        fields[16] = number_bytes(int(heading.round))
    variant = VARIANTS.index(record.variants[0]) if record.games else 0
    return record_bytes(fields, number_bytes(length) + number_bytes(variant))


def _cut(name: str) -> str:
    return name.encode()[:_NAME_MOST_BYTES].decode(errors="ignore")


def _game_head(game: GameRecord, *, is_last: bool) -> bytes:
    fields: dict[int, bytes] = {}
    result = game.result
    if result is not None and result.winner is not None:
        fields[0], fields[1] = number_bytes(result.winner), number_bytes(result.points)
        fields[7] = number_bytes(_ENDINGS.get(_ending(game, result), _FORFEITED))
    if is_last:
        fields[2] = b""
    if game.start is not None:
        fields[3] = board_bytes(game.start)
    if game.cube_value > 1:
        fields[4] = number_bytes(game.cube_value)
    if game.cube_owner is not None:
        fields[5] = number_bytes(game.cube_owner)
    return record_bytes(fields)


def _plies(game: GameRecord, builder: RecordBuilder) -> list[tuple[bytes, str]]:
    """Each entry of a game with its comment, and at its end what shows who gave it up.

    The game is passed to the builder on the way.
    """
    open_game = builder.begin_game(game, crawford=game.crawford)
    plies: list[tuple[bytes, str]] = []
    before: Action | None = None
    for action in game.actions:
        if isinstance(action, RecordedTurn):
            plies.append((_turn(action), action.comment))
        elif isinstance(action, CubeAction):
            plies += _cube(action, before)
        before = before if isinstance(action, Resignation) else action
        open_game.tell(action)
    value = open_game.cube_value
    builder.close_game(game.result)
    if game.result is not None and game.result.winner is not None:
        plies += _given_up(game, game.result, value)
    return plies


def _given_up(game: GameRecord, result: Result, cube_value: int) -> Iterator[tuple[bytes, str]]:
    """The player who resigned or left."""
    ending, loser = _ending(game, result), SEAT_BIT * (result.winner == 0)
    if ending is Ending.RESIGNATION:
        level = max(1, min(3, result.points // cube_value))
        yield bytes((RESIGN | loser | MORE_BIT,)) + record_bytes({1: number_bytes(level)}), ""
    elif ending not in (Ending.BOARD, Ending.DROP):
        yield bytes((FORFEIT | loser,)), ""


def _cube(action: CubeAction, before: Action | None) -> Iterator[tuple[bytes, str]]:
    """A word about the cube.

    After a raccoon the format gives the cube to its caller, if nothing else is said.
    """
    if not _is_silent(action, before):
        yield bytes((VERBS[action.verb] | SEAT_BIT * action.seat,)), action.comment
    elif action.verb is CubeVerb.TAKE and _verb(before) is CubeVerb.RACCOON:
        owner = record_bytes({2: number_bytes(action.value), 8: number_bytes(action.seat)})
        yield bytes((CUBE_SET | SEAT_BIT * (1 - action.seat) | MORE_BIT,)) + owner, action.comment


def _verb(action: Action | None) -> CubeVerb | None:
    return action.verb if isinstance(action, CubeAction) else None


def _is_silent(action: CubeAction, before: Action | None) -> bool:
    """Whether the format does not say it: that a beaver or a raccoon is taken, or dropped."""
    is_answer = action.verb in (CubeVerb.TAKE, CubeVerb.DROP)
    return is_answer and _verb(before) is not CubeVerb.DOUBLE


def _ending(game: GameRecord, result: Result) -> Ending:
    """How the game ended in the words of the format.

    Who drops a beaver, or resigns with a double before them, has left there.
    """
    said = [action for action in game.actions if not isinstance(action, Resignation)]
    last, before = (said[-1], said[-2]) if len(said) > 1 else (None, None)
    if not isinstance(last, CubeAction) or result.ending is Ending.BOARD:
        return result.ending
    if last.verb is CubeVerb.DROP:
        return Ending.LEFT if _is_silent(last, before) else result.ending
    return result.ending if last.verb is CubeVerb.TAKE else Ending.LEFT


def _turn(turn: RecordedTurn) -> bytes:
    low, high = sorted(turn.dice)
    most = 4 if low == high else 2
    steps = bytes(_step(turn.seat, move.source, move.die) for move in turn.moves or ())
    number = DICE.index((low, high)) | SEAT_BIT * turn.seat
    return bytes((number,)) + steps + b"\0" * (len(steps) < most)


def _step(seat: int, source: int, die: int) -> int:
    return (source if seat else POINTS + 1 - source) | die << 5


def board_bytes(position: Position) -> bytes:
    """Return a board that seat 0 sees; White's checkers count positive, Black's negative."""
    points = [position.points[POINTS - number] for number in range(1, POINTS + 1)]
    return _BOARD.pack(position.bar[0], *points, -position.bar[1])


def board_of(data: bytes, checkers: int) -> Position:
    """Return the board of these 26 bytes as seat 0 sees it; what is missing is borne off."""
    values = _BOARD.unpack(data)
    points = tuple(values[POINTS - number] for number in range(POINTS))
    bar = (values[0], -values[POINTS + 1])
    mine = sum(each for each in points if each > 0) + bar[0]
    theirs = -sum(each for each in points if each < 0) + bar[1]
    return Position(points, bar=bar, off=(checkers - mine, checkers - theirs))
