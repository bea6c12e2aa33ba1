"""A record as JSON, the one format that loses nothing: writing and reading.

``{"format": "pasch-match", "version": 1, "players": [...], "games": [...], ...}``. Seats are 0
and 1, a move is ``[from, to, die]`` in its player's numbering (25 enters, 0 is off), positions
are written as everywhere in the rules. ``play`` beside the moves is for the human eye; a turn may
also come with it alone. Fields at their default may be missing.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, fields
from functools import partial
from typing import Any, TypeVar

from backgammon.formats.builder import RecordBuilder
from backgammon.formats.errors import FormatError
from backgammon.formats.json_object import JsonObject
from backgammon.formats.open_game import OpenGame
from backgammon.formats.reading import Collector, Fault, FileRead
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
    """The record of a JSON file without a fault.

    :raises FormatError: naming line and column of what is no JSON, or the path of a wrong value.
    """
    return read_json(text).sole()


def read_json(text: str) -> FileRead:
    """The match of a document, each game as far as it is sound; of a torn one what it begins."""
    text = text.removeprefix("\ufeff")
    try:
        return read_document(json.loads(text))
    except json.JSONDecodeError as error:
        torn = FormatError(error.msg, line=error.lineno, column=error.colno)
        beginning = _whole_beginning(text[: error.pos])
        try:
            return read_document(json.loads(beginning), torn)
        except (RecursionError, ValueError):
            return FileRead((), (Fault(torn),))
    except (RecursionError, ValueError) as error:
        return FileRead((), (Fault(FormatError(f"this is no JSON we can read: {error}"[:120])),))


def _whole_beginning(text: str) -> str:
    """The text up to its last whole object in a list, with all that is open closed."""
    open_ones, beginning, is_text, at = "", "", False, 0
    while at < len(text):
        sign = text[at]
        at += 2 if is_text and sign == "\\" else 1
        if sign == '"':
            is_text = not is_text
        elif not is_text and sign in "[{":
            open_ones = ("]" if sign == "[" else "}") + open_ones
        elif not is_text and sign in "]}":
            open_ones = open_ones[1:]
            if sign == "}" and open_ones[:1] == "]":
                beginning = text[:at] + open_ones
    return beginning


def record_from_json(document: object) -> MatchRecord:
    """The record of a decoded JSON document without a fault.

    :raises FormatError: naming the path of the value at fault.
    """
    return read_document(document).sole()


def read_document(document: object, torn: FormatError | None = None) -> FileRead:
    """Return the match of a document, which ends where it is torn."""
    found = Collector()
    try:
        whole = JsonObject(document, "")
        if whole.get("format", str) != FORMAT or whole.get("version", int) != VERSION:
            raise whole.error(f"this is not a {FORMAT} of version {VERSION}")
        heading = whole.guard(_heading)
        games = whole.get("games", list)
    except FormatError as error:
        return FileRead((), (Fault(torn or error),))
    found.begin_match(heading)
    for index, game in enumerate(games):
        is_torn = torn is not None and index == len(games) - 1
        if not isinstance(game, dict):
            found.skip_game(None)
        try:
            JsonObject(game, f"games[{index}]").guard(partial(_read_game, found, is_torn))
        except FormatError as error:
            found.cut(error)
    if torn is not None:
        found.cut(torn)
    return found.finish()


def _heading(place: JsonObject) -> MatchRecord:
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


def _dataclass(place: JsonObject, kind: Callable[..., T]) -> T:
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


def _texts(place: JsonObject) -> Heading:
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


def _moment(place: JsonObject, name: str, read: Callable[[str], T]) -> T | None:
    text = place.get(name, str, "")
    if not text:
        return None
    try:
        return read(text)
    except ValueError:
        raise place.error(f"{text!r:.40} is no {name}", name) from None


def _read_game(found: Collector, is_torn: bool, place: JsonObject) -> None:
    """A game; of a torn one the result is missing, which is no fault of its own."""
    try:
        record, crawford = _game(place)
    except (FormatError, RulesError):
        found.skip_game(None)
        raise
    game = found.begin_game(record, None, crawford=crawford)
    for action in place.items("actions"):
        action.guard(lambda told: _read_action(told, game))
    if place.value.get("result") is not None:
        place.place("result").guard(lambda told: _read_result(told, found))
    elif not is_torn:
        if game.over is not None:
            raise place.error("the game ends, but has no result", "result")
        found.leave_game()


def _game(place: JsonObject) -> tuple[GameRecord, bool | None]:
    start = place.get("start", str, "")
    record = GameRecord(
        variant=place.get("variant", str),
        score=place.pair("score", int, (0, 0)),
        start=Position.parse(start) if start else None,
        cube_value=place.get("cube_value", int, 1),
        cube_owner=None if place.value.get("cube_owner") is None else place.get("cube_owner", int),
        comment=place.get("comment", str, ""),
    )
    return record, place.get("crawford", bool) if "crawford" in place.value else None


def _read_result(place: JsonObject, found: Collector) -> None:
    winner = place.get("winner", int) if place.value.get("winner") is not None else None
    if winner not in (None, 0, 1):
        raise place.error(f"{winner} is no seat", "winner")
    found.end_game(winner, place.get("points", int), place.choice("ending", Ending))


def _read_action(place: JsonObject, game: OpenGame) -> None:
    seat, comment = place.get("seat", int), place.get("comment", str, "")
    if seat not in (0, 1):
        raise place.error(f"{seat} is no seat", "seat")
    kind = place.get("type", str)
    if kind == "resignation":
        level, accepted = place.get("level", int), place.get("accepted", bool)
        game.tell(Resignation(seat, level, accepted, comment))
    elif kind != "turn":
        verb = place.choice("type", CubeVerb)
        game.tell(CubeAction(seat, verb, place.get("value", int), comment))
    else:
        dice = _whole_numbers(place, "dice", place.get("dice", list))
        if "moves" not in place.value and "play" in place.value:
            game.play(seat, dice, parse_hops(place.get("play", str)), comment)
        else:
            game.tell(RecordedTurn(seat, dice, _moves(place), comment))


def _moves(place: JsonObject) -> tuple[Move, ...] | None:
    if place.value.get("moves") is None:
        return None
    moves = []
    for value in place.get("moves", list):
        numbers = _whole_numbers(place, "moves", value)
        if len(numbers) != 3:
            raise place.error("a move is [from, to, die]", "moves")
        moves.append(Move(*numbers))
    return tuple(moves)


def _whole_numbers(place: JsonObject, name: str, values: object) -> tuple[int, ...]:
    if not isinstance(values, Sequence) or not all(type(value) is int for value in values):
        raise place.error("whole numbers should stand here", name)
    return tuple(values)
