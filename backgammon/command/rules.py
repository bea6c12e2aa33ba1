"""The questions to the rules: legal plays, starts, leave values, positions in all notations.

``plays`` and ``leave`` also read JSON lines on standard input, one question a line, and answer
each with one line, so that other programs can be compared in bulk.
"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace, _SubParsersAction
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from typing import Any

from backgammon.board import read_position
from backgammon.command.asking import BadQuestion
from backgammon.rules.drawing import draw
from backgammon.rules.errors import NotationError, OptionNotOffered, RulesError
from backgammon.rules.notation import format_play
from backgammon.rules.plays import LegalPlays
from backgammon.rules.position import Position
from backgammon.rules.position_id import format_position_id
from backgammon.rules.scoring import leave_level
from backgammon.rules.variant import Options, Variant
from backgammon.rules.variants import KEYS, by_key
from backgammon.rules.xgid import Xgid

Answer = dict[str, Any]


ERRORS = (RulesError, BadQuestion)

_EPILOG = (
    'POSITION is "p1 ... p24 | bar a b | off a b", start, a GNU Position ID or an XGID. '
    "Without VARIANT questions are read from standard input as JSON lines, one answer a line."
)


def add_to(questions: _SubParsersAction[ArgumentParser]) -> None:
    """Add the questions to the rules; each takes ``--json``."""
    plays = _add(questions, "plays", "all legal plays of a roll")
    _add_question(plays, "variant", "position", "dice")
    plays.add_argument("--first-turn", action="store_true", help="the player's own first turn")
    plays.add_argument("--options", default="{}", help='optional rules, {"max_stack": 5}')
    start = _add(questions, "start", "the starting position of a variant")
    start.add_argument("variant", choices=KEYS, metavar="VARIANT")
    leave = _add(questions, "leave", "the largest level that a leaver may still lose")
    _add_question(leave, "variant", "position")
    leave.add_argument("--jacoby", action="store_true", help="the Jacoby rule is on")
    leave.add_argument("--double-taken", action="store_true", help="a double was taken")
    identify = _add(questions, "id", "a position in all its notations")
    identify.add_argument("position", metavar="POSITION", help="a position, ID or XGID")


def _add(questions: _SubParsersAction[ArgumentParser], name: str, help_text: str) -> ArgumentParser:
    parser = questions.add_parser(name, help=help_text, description=help_text.capitalize() + ".")
    parser.add_argument("--json", action="store_true", help="answer as JSON")
    parser.set_defaults(answer=answer)
    return parser


def _add_question(parser: ArgumentParser, *names: str) -> None:
    for name in names:
        parser.add_argument(name, nargs="?", metavar=name.upper())
    parser.add_argument("--jsonl", action="store_true", help="read JSON lines (also without any)")
    parser.epilog = _EPILOG


def answer(options: Namespace) -> None:
    """Answer one question, or those on standard input.

    :raises RulesError: if the rules refuse it.
    :raises BadQuestion: if it is not put well.
    """
    asked: str = options.question
    if asked in BULK and options.variant is None:
        _answer_lines(BULK[asked], sys.stdin)
        return
    question = _question(vars(options))
    print(json.dumps(ANSWERS[asked](question)) if options.json else DESCRIPTIONS[asked](question))


def _answer_lines(ask: Callable[[Mapping[str, Any]], Answer], lines: Iterable[str]) -> None:
    """Answer line by line; a bad one gets its error and the next is read."""
    for line in lines:
        if not line.strip():
            continue
        try:
            found = ask(_decoded(line))
        except ERRORS as error:
            found = {"error": {"code": error.code, "message": str(error)}}
        print(json.dumps(found), flush=True)


def _question(options: Mapping[str, Any]) -> dict[str, Any]:
    """The command line as a line of JSON would put it.

    :raises BadQuestion: if something is missing or not as expected.
    """
    asked = {key: value for key, value in options.items() if value is not None}
    if options["question"] in BULK and options.get("jsonl"):
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
    return read_position(_field(question, "position", str), variant.key)


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
    position = read_position(question["position"])
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
