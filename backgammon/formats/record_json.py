"""A record as JSON, the one format that loses nothing: writing and reading.

``{"format": "pasch-match", "version": 1, "players": [...], "games": [...], ...}``. Seats are 0
and 1, a move is ``[from, to, die]`` in its player's numbering (25 enters, 0 is off), positions
are written as everywhere in the rules. ``play`` beside the moves is for the human eye; a turn may
also come with it alone. Fields at their default may be missing.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any, TypeVar

from backgammon.formats.builder import RecordBuilder
from backgammon.formats.errors import FormatError
from backgammon.formats.open_game import OpenGame
from backgammon.formats.reading import Fault, FileRead, whole
from backgammon.formats.record import (
    Action,
    CubeAction,
    CubeVerb,
    Ending,
    GameRecord,
    Heading,
    MatchRecord,
    RecordedTurn,
    Resignation,
    Stakes,
)
from backgammon.rules.cube import CubeRules
from backgammon.rules.errors import RulesError
from backgammon.rules.match import FormatKind
from backgammon.rules.moves import Move
from backgammon.rules.notation import format_play, parse_hops
from backgammon.rules.position import Position
from backgammon.rules.variant import Options

FORMAT = "pasch-match"
VERSION = 1

Json = dict[str, Any]
T = TypeVar("T")


def record_to_json(record: MatchRecord) -> Json:
    """The record as plain values for ``json.dumps``.

    :raises RecordError: if the record is not a possible match.
    :raises RulesError: if it holds an illegal play.
    """
    heading = asdict(record.heading)
    heading["date"] = record.heading.date and record.heading.date.isoformat()
    heading["time"] = record.heading.time and record.heading.time.isoformat("minutes")
    heading["elo"] = list(record.heading.elo)
    heading["other"] = [list(pair) for pair in record.heading.other]
    builder = RecordBuilder(record)
    return {
        "format": FORMAT,
        "version": VERSION,
        "players": list(record.players),
        "kind": record.kind.value,
        "length": record.length,
        "has_cube": record.has_cube,
        "rules": asdict(record.rules),
        "options": asdict(record.options),
        "heading": heading,
        "stakes": record.stakes and asdict(record.stakes),
        "games": [_game_to_json(game, builder) for game in record.games],
    }


def format_json(record: MatchRecord) -> str:
    """The file's text.

    :raises RecordError: if the record is not a possible match.
    :raises RulesError: if it holds an illegal play.
    """
    return json.dumps(record_to_json(record), ensure_ascii=False, indent=1) + "\n"


def _game_to_json(game: GameRecord, builder: RecordBuilder) -> Json:
    open_game = builder.begin_game(game, crawford=game.crawford)
    actions = []
    for action in game.actions:
        actions.append(_action_to_json(action, open_game))
        builder.tell(action)
    result = game.result
    builder.close_game(result)
    return {
        "variant": game.variant,
        "score": list(game.score),
        "start": game.start and game.start.text(),
        "cube_value": game.cube_value,
        "cube_owner": game.cube_owner,
        "crawford": game.crawford,
        "comment": game.comment,
        "actions": actions,
        "result": result
        and {"winner": result.winner, "points": result.points, "ending": result.ending.value},
    }


def _action_to_json(action: Action, game: OpenGame) -> Json:
    told: Json = {"seat": action.seat}
    if isinstance(action, RecordedTurn):
        told |= {"type": "turn", "dice": list(action.dice), "moves": None}
        if action.moves is not None:
            board = game.position(action.seat)
            told["moves"] = [[move.source, move.target, move.die] for move in action.moves]
            told["play"] = format_play(game.variant, board, action.moves)
    elif isinstance(action, CubeAction):
        told |= {"type": action.verb.value, "value": action.value}
    else:
        told |= {"type": "resignation", "level": action.level, "accepted": action.accepted}
    if action.comment:
        told["comment"] = action.comment
    return told


def parse_json(text: str) -> MatchRecord:
    """The record of a JSON file.

    :raises FormatError: naming line and column of what is no JSON, or the path of a wrong value.
    """
    try:
        document = json.loads(text.removeprefix("\ufeff"))
    except json.JSONDecodeError as error:
        raise FormatError(error.msg, line=error.lineno, column=error.colno) from error
    except (RecursionError, ValueError) as error:
        raise FormatError(f"this is no JSON we can read: {error}"[:120]) from error
    return record_from_json(document)


def read_json(text: str) -> FileRead:
    """The match of a document, or what is wrong with it."""
    try:
        return whole(parse_json(text))
    except FormatError as error:
        return FileRead((), (Fault(error),))


def record_from_json(document: object) -> MatchRecord:
    """The record of a decoded JSON document.

    :raises FormatError: naming the path of the value at fault.
    """
    whole = _Place(document, "")
    if whole.get("format", str) != FORMAT or whole.get("version", int) != VERSION:
        raise whole.error(f"this is not a {FORMAT} of version {VERSION}")
    builder = RecordBuilder(whole.guard(_heading))
    whole.get("games", list)
    for game in whole.items("games"):
        game.guard(lambda place: _read_game(place, builder))
    return builder.record()


class _Place:
    """A JSON object with its path, so that every error can name it."""

    def __init__(self, value: object, path: str) -> None:
        if not isinstance(value, dict):
            raise FormatError("an object should stand here", path=path or "the document")
        self.value: Mapping[str, object] = value
        self.path = path

    def error(self, message: str, name: str = "") -> FormatError:
        """An error here, or at a field of this object."""
        path = f"{self.path}.{name}".strip(".") if name else self.path
        return FormatError(message, path=path or "the document")

    def guard(self, read: Callable[[_Place], T]) -> T:
        """Whatever ``read`` makes of this object; errors from below get this path."""
        try:
            return read(self)
        except FormatError as error:
            if error.path is not None:
                raise
            raise self.error(error.reason) from error
        except RulesError as error:
            raise self.error(str(error)) from error

    def get(self, name: str, kind: type[T], default: T | None = None) -> T:
        """A field of the given type; a missing or null one is the default, if there is one."""
        value = self.value.get(name)
        if value is None and default is not None:
            return default
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise self.error(f"{value!r:.40} is no {kind.__name__}", name)
        if kind is int and not -(2**31) < int(str(value)) < 2**31:
            raise self.error("too large a number", name)
        return value

    def pair(self, name: str, kind: type[T], default: tuple[T, T] | None = None) -> tuple[T, T]:
        """A field with one value a seat."""
        if default is not None and self.value.get(name) is None:
            return default
        values = self.get(name, list)
        if len(values) != 2 or not all(type(value) is kind for value in values):
            raise self.error(f"two values of type {kind.__name__} should stand here", name)
        return values[0], values[1]

    def place(self, name: str) -> _Place:
        """A field that is an object; a missing or null one is empty."""
        value = self.value.get(name)
        return _Place({} if value is None else value, f"{self.path}.{name}".strip("."))

    def items(self, name: str) -> list[_Place]:
        """A field that is a list of objects."""
        values = self.get(name, list, [])
        path = f"{self.path}.{name}".strip(".")
        return [_Place(value, f"{path}[{index}]") for index, value in enumerate(values)]

    def choice(self, name: str, kind: Callable[[str], T], default: str = "") -> T:
        """A field that names a member of an enum."""
        text = self.get(name, str, default)
        try:
            return kind(text)
        except ValueError:
            raise self.error(f"{text!r:.40} is not known here", name) from None


def _heading(place: _Place) -> MatchRecord:
    stakes = None
    if place.value.get("stakes") is not None:
        stakes = _dataclass(place.place("stakes"), Stakes)
    rules = _dataclass(place.place("rules"), CubeRules)
    kind = place.choice("kind", FormatKind, "unlimited")
    length = place.get("length", int, 0)
    if (length < 1) != (kind is FormatKind.UNLIMITED) or length < 0:
        raise place.error(f"{length} is no length of this kind of match", "length")
    rules.check(is_match=kind is FormatKind.POINTS)
    return MatchRecord(
        players=place.pair("players", str),
        kind=kind,
        length=length,
        has_cube=place.get("has_cube", bool, True),
        rules=rules,
        options=_dataclass(place.place("options"), Options),
        heading=_texts(place.place("heading")),
        stakes=stakes,
    )


def _dataclass(place: _Place, kind: Callable[..., T]) -> T:
    """A flat dataclass of numbers, switches and texts, defaults filled in."""
    values: Json = {}
    known = {field.name: field for field in fields(kind)}  # type: ignore[arg-type] # a dataclass
    for name in place.value:
        if name not in known:
            raise place.error("there is no such field", name)
        types = {"bool": bool, "int": int, "str": str, "int | None": int}
        if place.value[name] is not None:
            values[name] = place.get(name, types[str(known[name].type)])
    try:
        return kind(**values)
    except TypeError as error:
        raise place.error(str(error)) from error


def _texts(place: _Place) -> Heading:
    other = []
    for value in place.get("other", list, []):
        if not isinstance(value, list) or [type(part) for part in value] != [str, str]:
            raise place.error("pairs of name and value should stand here", "other")
        other.append((value[0], value[1]))
    return Heading(
        site=place.get("site", str, ""),
        match_id=place.get("match_id", str, ""),
        event=place.get("event", str, ""),
        round=place.get("round", str, ""),
        comment=place.get("comment", str, ""),
        date=_moment(place, "date", datetime.date.fromisoformat),
        time=_moment(place, "time", datetime.time.fromisoformat),
        elo=place.pair("elo", str, ("", "")),
        unrated=place.get("unrated", bool, False),
        other=tuple(other),
    )


def _moment(place: _Place, name: str, read: Callable[[str], T]) -> T | None:
    text = place.get(name, str, "")
    if not text:
        return None
    try:
        return read(text)
    except ValueError:
        raise place.error(f"{text!r:.40} is no {name}", name) from None


def _read_game(place: _Place, builder: RecordBuilder) -> None:
    start = place.get("start", str, "")
    crawford = place.get("crawford", bool) if "crawford" in place.value else None
    record = GameRecord(
        variant=place.get("variant", str),
        score=place.pair("score", int, (0, 0)),
        start=Position.parse(start) if start else None,
        cube_value=place.get("cube_value", int, 1),
        cube_owner=None if place.value.get("cube_owner") is None else place.get("cube_owner", int),
        comment=place.get("comment", str, ""),
    )
    game = builder.begin_game(record, crawford=crawford)
    for action in place.items("actions"):
        action.guard(lambda told: _read_action(told, builder, game))
    if place.value.get("result") is None:
        if game.over is not None:
            raise place.error("the game ends, but has no result", "result")
        builder.abandon_game()
        return
    place.place("result").guard(lambda told: _read_result(told, builder))


def _read_result(place: _Place, builder: RecordBuilder) -> None:
    winner = place.get("winner", int) if place.value.get("winner") is not None else None
    if winner not in (None, 0, 1):
        raise place.error(f"{winner} is no seat", "winner")
    builder.end_game(winner, place.get("points", int), place.choice("ending", Ending))


def _read_action(place: _Place, builder: RecordBuilder, game: OpenGame) -> None:
    seat, comment = place.get("seat", int), place.get("comment", str, "")
    if seat not in (0, 1):
        raise place.error(f"{seat} is no seat", "seat")
    kind = place.get("type", str)
    if kind == "resignation":
        level, accepted = place.get("level", int), place.get("accepted", bool)
        builder.tell(Resignation(seat, level, accepted, comment))
    elif kind != "turn":
        verb = place.choice("type", CubeVerb)
        builder.tell(CubeAction(seat, verb, place.get("value", int), comment))
    else:
        dice = _whole_numbers(place, "dice", place.get("dice", list))
        if "moves" not in place.value and "play" in place.value:
            game.play(seat, dice, parse_hops(place.get("play", str)), comment)
        else:
            builder.tell(RecordedTurn(seat, dice, _moves(place), comment))


def _moves(place: _Place) -> tuple[Move, ...] | None:
    if place.value.get("moves") is None:
        return None
    moves = []
    for value in place.get("moves", list):
        numbers = _whole_numbers(place, "moves", value)
        if len(numbers) != 3:
            raise place.error("a move is [from, to, die]", "moves")
        moves.append(Move(*numbers))
    return tuple(moves)


def _whole_numbers(place: _Place, name: str, values: object) -> tuple[int, ...]:
    if not isinstance(values, Sequence) or not all(type(value) is int for value in values):
        raise place.error("whole numbers should stand here", name)
    return tuple(values)
