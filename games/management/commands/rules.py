"""The rules on the command line: legal plays, starts, leave values, IDs and match files.

``plays`` and ``leave`` also read JSON lines on standard input, one question a line, and answer
each with one line, so that other programs can be compared in bulk. Needs no database.
"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from backgammon.formats import registry
from backgammon.formats.errors import FormatError
from backgammon.rules.drawing import draw
from backgammon.rules.errors import NotationError, OptionNotOffered, RulesError
from backgammon.rules.notation import format_play
from backgammon.rules.options import Options
from backgammon.rules.plays import LegalPlays
from backgammon.rules.position import Position
from backgammon.rules.position_id import LENGTH, format_position_id, parse_position_id
from backgammon.rules.scoring import leave_level
from backgammon.rules.variant import Variant
from backgammon.rules.variants import KEYS, by_key
from backgammon.rules.xgid import PREFIX, Xgid

Answer = dict[str, Any]


class BadQuestion(ValueError):
    """A question that is not put as the command expects it."""

    code = "bad_question"


ERRORS = (RulesError, FormatError, BadQuestion)


class Command(BaseCommand):
    """``manage.py rules plays|start|leave|id|convert``."""

    help = "Ask the rules: legal plays, starting positions, leave values, IDs, match files."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """One sub-command a question; each takes ``--json``."""
        asked = parser.add_subparsers(dest="asked", required=True, metavar="QUESTION")
        plays = asked.add_parser("plays", help="all legal plays of a roll")
        _add_question(plays, "variant", "position", "dice")
        plays.add_argument("--first-turn", action="store_true", help="the player's own first turn")
        plays.add_argument("--options", default="{}", help='optional rules, {"max_stack": 5}')
        start = asked.add_parser("start", help="the starting position of a variant")
        start.add_argument("variant", choices=KEYS, metavar="VARIANT")
        leave = asked.add_parser("leave", help="the largest level still possible for a leaver")
        _add_question(leave, "variant", "position")
        leave.add_argument("--jacoby", action="store_true", help="the Jacoby rule is on")
        leave.add_argument("--double-taken", action="store_true", help="a double was taken")
        identify = asked.add_parser("id", help="a position in all its notations")
        identify.add_argument("position", metavar="POSITION", help="a position, ID or XGID")
        convert = asked.add_parser("convert", help="a match file in another format")
        convert.add_argument("file", metavar="FILE", help="- reads standard input")
        convert.add_argument("--to", choices=registry.KEYS, help="default: mat, for .mat sgf")
        for sub in (plays, start, leave, identify, convert):
            sub.add_argument("--json", action="store_true", help="answer as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Answer one question, or those on standard input."""
        asked = options["asked"]
        if asked in BULK and options["variant"] is None:
            self._answer_lines(BULK[asked], sys.stdin)
            return
        try:
            if asked == "convert":
                self._convert(options)
                return
            question = _question(options)
            if options["json"]:
                self.stdout.write(json.dumps(ANSWERS[asked](question)))
            else:
                self.stdout.write(DESCRIPTIONS[asked](question))
        except ERRORS as error:
            if options["json"]:
                self.stdout.write(json.dumps(_error(error)))
            raise CommandError(f"{error.code}: {error}") from error

    def _answer_lines(
        self, ask: Callable[[Mapping[str, Any]], Answer], lines: Iterable[str]
    ) -> None:
        """Answer line by line; a bad one gets its error and the next is read."""
        for line in lines:
            if not line.strip():
                continue
            try:
                answer = ask(_decoded(line))
            except ERRORS as error:
                answer = _error(error)
            self.stdout.write(json.dumps(answer))
            self.stdout.flush()

    def _convert(self, options: Mapping[str, Any]) -> None:
        name = options["file"]
        try:
            data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        except OSError as error:
            raise BadQuestion(f"{name}: {error.strerror}") from error
        text = registry.decoded(data)
        source = registry.format_of(text)
        to = "json" if options["json"] else options["to"]
        target = registry.by_key(to or ("sgf" if source.key == "mat" else "mat"))
        self.stdout.write(target.format(source.parse(text)), ending="")


def _add_question(parser: ArgumentParser, *names: str) -> None:
    for name in names:
        parser.add_argument(name, nargs="?", metavar=name.upper())
    parser.add_argument("--jsonl", action="store_true", help="read JSON lines (also without any)")
    parser.epilog = (
        'POSITION is "p1 ... p24 | bar a b | off a b", start, a GNU Position ID or an XGID. '
        "Without VARIANT questions are read from standard input as JSON lines."
    )


def _question(options: Mapping[str, Any]) -> dict[str, Any]:
    """The command line as a line of JSON would put it.

    :raises BadQuestion: if something is missing or not as expected.
    """
    asked = {key: value for key, value in options.items() if value is not None}
    if options["asked"] in BULK and options.get("jsonl"):
        raise BadQuestion("either --jsonl or a question on the command line")
    if "dice" in asked:
        asked["dice"] = [int(face) for face in asked["dice"] if face.isascii() and face.isdigit()]
    if isinstance(asked.get("options"), str):
        asked["options"] = _decoded(asked["options"])
    return asked


def _decoded(line: str) -> dict[str, Any]:
    try:
        question = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BadQuestion(f"no JSON: {error}") from error
    if not isinstance(question, dict):
        raise BadQuestion("a JSON object should stand here")
    return question


def _field(question: Mapping[str, Any], name: str, kind: type, default: Any = None) -> Any:
    value = question.get(name, default)
    if not isinstance(value, kind):
        raise BadQuestion(f"{name} is missing" if value is None else f"{name}: {value!r:.60}")
    return value


def _position(question: Mapping[str, Any], variant: Variant) -> Position:
    text = _field(question, "position", str).strip()
    if text == "start":
        return variant.start
    return _read_position(text, variant.checkers)


def _read_position(text: str, checkers: int = 15) -> Position:
    """A position in any of its notations."""
    if "|" not in text and text.upper().startswith(PREFIX):
        return Xgid.parse(text, checkers).mover_position()
    if "|" not in text and len(text) == LENGTH:
        return parse_position_id(text, checkers)
    return Position.parse(text)


def _options(question: Mapping[str, Any]) -> Options:
    chosen = _field(question, "options", dict, {})
    known = {field.name for field in fields(Options)}
    for name, value in chosen.items():
        if name not in known:
            raise OptionNotOffered(f"there is no option {name!r:.40}")
        if not isinstance(value, bool | int | None):
            raise BadQuestion(f"option {name}: {value!r:.60}")
    return Options(**chosen)


def answer_plays(question: Mapping[str, Any]) -> Answer:
    """The positions a roll can lead to, sorted by their text.

    :raises RulesError: if the rules refuse the question.
    :raises BadQuestion: if it is not put well.
    """
    return {"results": sorted(result.text() for result in _asked_plays(question)[2].results)}


def _asked_plays(question: Mapping[str, Any]) -> tuple[Variant, Position, LegalPlays]:
    variant = by_key(_field(question, "variant", str))
    position = _position(question, variant)
    plays = variant.legal_plays(
        position,
        _field(question, "dice", list),
        first_turn=_field(question, "first_turn", bool, False),
        options=_options(question),
    )
    return variant, position, plays


def describe_plays(question: Mapping[str, Any]) -> str:
    """Each play of a roll as it is written, a line each.

    :raises RulesError: if the rules refuse the question.
    :raises BadQuestion: if it is not put well.
    """
    variant, position, plays = _asked_plays(question)
    if not plays.dice_played:
        return "no legal play"
    texts = {result: format_play(variant, position, moves) for moves, result in plays.graph.ends()}
    return "\n".join([*sorted(texts.values()), f"{len(texts)} different plays"])


def answer_start(question: Mapping[str, Any]) -> Answer:
    """The starting position of a variant."""
    return {"position": by_key(question["variant"]).start.text()}


def answer_leave(question: Mapping[str, Any]) -> Answer:
    """The level that a player loses by leaving at this position, in their own view.

    :raises RulesError: if the rules refuse the question.
    :raises BadQuestion: if it is not put well.
    """
    variant = by_key(_field(question, "variant", str))
    position = _position(question, variant)
    variant.check(position)
    jacoby = _field(question, "jacoby", bool, False) and not _field(
        question, "double_taken", bool, False
    )
    # The worked cases say it in one word: Jacoby's rule holds and no double was taken.
    jacoby = jacoby or _field(question, "jacoby_dead", bool, False)
    return {"max_level": leave_level(variant, position, jacoby=jacoby)}


def answer_id(question: Mapping[str, Any]) -> Answer:
    """A position in all its notations, null where one has no room for it.

    :raises RulesError: if it cannot be read.
    """
    position = _read_position(question["position"].strip())
    return {
        "position": position.text(),
        "position_id": _written(format_position_id, position),
        "xgid": _written(lambda board: Xgid(board).text(), position),
        "drawing": draw(position),
    }


def _written(write: Callable[[Position], str], position: Position) -> str | None:
    try:
        return write(position)
    except NotationError:
        return None


def _error(error: Exception) -> Answer:
    return {"error": {"code": getattr(error, "code", "error"), "message": str(error)}}


def describe_id(question: Mapping[str, Any]) -> str:
    """A position in all its notations, and drawn."""
    answer = answer_id(question)
    names = (("position", "position"), ("Position ID", "position_id"), ("XGID", "xgid"))
    told = [f"{name}: {answer[key]}" for name, key in names if answer[key]]
    return "\n".join([*told, answer["drawing"]])


ANSWERS: dict[str, Callable[[Mapping[str, Any]], Answer]] = {
    "plays": answer_plays,
    "start": answer_start,
    "leave": answer_leave,
    "id": answer_id,
}
BULK = {"plays": answer_plays, "leave": answer_leave}
DESCRIPTIONS: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "plays": describe_plays,
    "start": lambda question: str(answer_start(question)["position"]),
    "leave": lambda question: str(answer_leave(question)["max_level"]),
    "id": describe_id,
}
