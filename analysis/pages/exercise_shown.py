"""One exercise as its page shows it: the question without a hint, and the answer as a card."""

from collections import Counter
from typing import Any, Final

import msgspec
from django.contrib.auth.models import AnonymousUser
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from accounts.models import User
from analysis.exercises.grading import Graded
from analysis.models import ImportedMatch
from analysis.pages.card import CardPlace, card
from analysis.pages.exercise_words import asked_words, cube_words, score_words, verdict_words
from analysis.pages.numbers import percent, signed
from analysis.pages.report_decisions import ReportDecision
from analysis.pages.words import option_words
from analysis.training.tasks import CHOICES, Task
from backgammon.counting.judging import SHOWN, mark_of
from backgammon.counting.situation import MINE
from backgammon.rules.position import Position, Way
from backgammon.rules.variants import by_key
from games.table.view import board_view
from games.templatetags.tables import variant_name

Row = dict[str, Any]

#: as many answers are listed with their share; the others together.
_VOTES_SHOWN: Final = 5

#: the variant that goes without saying, and the one of the analysis board.
STANDARD: Final = "backgammon"


def question_shown(task: Task) -> Row:
    """The values for the page of a question; nothing about what a choice is worth."""
    position = _seen(task)
    variant = by_key(task.situation.variant)
    own, other = position.pips(variant.way)
    return {
        "asked": asked_words(task),
        "facts": _facts(task),
        "dice": task.dice,
        "pips": (own, other),
        "choices": [] if task.dice else _choices(task),
        "data": {
            "board": msgspec.to_builtins(board_view(position)),
            "dice": task.dice,
            "graph": None if task.dice is None else _graph(task),
            "cube": _cube(task) if task.situation.has_cube else None,
            "way": variant.way.value,
            "pins": variant.movement.pins,
            "mirrored": task.mirrored,
        },
    }


def drawn_question(task: Task) -> Row:
    """The position as the server draws it."""
    cube = _cube(task) if task.situation.has_cube else {"value": None, "owner": None}
    return {
        "position": _seen(task),
        "variant": task.situation.variant,
        "dice": task.dice or (),
        "cube": cube["value"],
        "cube_owner": cube["owner"],
    }


def _facts(task: Task) -> list[tuple[str, str]]:
    """Facts that the reader needs besides the position."""
    facts = [(_("Score"), score_words(task))]
    if task.situation.has_cube:
        facts.append((_("Cube"), cube_words(task)))
    if task.situation.variant != STANDARD:
        facts.append((_("Variant"), variant_name(task.situation.variant)))
    return facts


def _seen(task: Task) -> Position:
    """The position from the reader's side."""
    position = task.situation.position
    return position.turned(Way.AGAINST) if task.kind == "take" else position


def _graph(task: Task) -> Any:
    assert task.dice is not None, "only a roll has plays"
    variant = by_key(task.situation.variant)
    return variant.legal_plays(task.situation.position, task.dice).graph.wire()


def _cube(task: Task) -> Row:
    cube = task.situation.cube
    if task.kind == "take":
        return {"value": 2 * cube.value, "owner": None, "offered": True}
    owner = None if cube.owner is None else "me" if cube.owner == MINE else "op"
    return {"value": cube.value, "owner": owner, "offered": False}


def _choices(task: Task) -> list[Row]:
    return [{"key": text, "label": option_words(text)} for text in CHOICES[task.kind]]


# --- the answer -----------------------------------------------------------------------------------


def answer_shown(
    task: Task, given: Graded, votes: Counter[str] | None, reader: User | AnonymousUser
) -> Row:
    """The values for the page of an answer; `votes` are the answers of everybody."""
    best = task.line["options"][0]["text"]
    shown = _told(task, given)
    place = CardPlace(
        variant=task.situation.variant,
        has_cube=task.situation.has_cube,
        names=(pgettext("checkers", "Light"), pgettext("checkers", "Dark")),
        near=0,
        points=not task.xgid.length,
    )
    return {
        "card": card(shown, place),
        "given": given,
        "given_text": option_words(given.text),
        "verdict": verdict_words(given, best),
        "loss": signed(-given.loss),
        "facts": _facts(task),
        "is_backgammon": task.situation.variant == STANDARD,
        "votes": None if votes is None else _votes(task, given, votes),
        "origin": _origin(task, reader) if task.source in ("own", "set") else None,
        "is_others": task.source == "others",
    }


def _told(task: Task, given: Graded) -> ReportDecision:
    """The answer as if it were a decision of a match, in which the reader has seat 0."""
    line = {
        **task.line,
        "dice": None if task.dice is None else list(task.dice),
        "played": given.text,
        "mark": mark_of(given.loss),
        "cost": None,
        "gift": None,
        "ply": task.line["options"][0]["ply"],
        "xgid": task.xgid.text(),
        "on_roll": int(task.kind == "take"),
        "span": None,
        "options": _listed(task, given),
    }
    return ReportDecision(1, 1, 0, task.kind, True, given.loss, None, line)


def _listed(task: Task, given: Graded) -> list[Row]:
    """The best six options, and the one given if it is judged."""
    options = task.line["options"]
    return [
        option
        for number, option in enumerate(options)
        if number < 6 or option["text"] == given.text
    ]


def _votes(task: Task, given: Graded, votes: Counter[str]) -> Row:
    total = votes.total()
    losses = {option["text"]: option["equity"] for option in task.line["options"]}
    best = task.line["options"][0]
    found = sum(
        count for text, count in votes.items() if best["equity"] - losses.get(text, -9) < SHOWN
    )
    rows = [
        {
            "text": option_words(text),
            "count": count,
            "share": percent(count / total, 0),
            "width": round(100 * count / total, 1),
            "look": "best" if text == best["text"] else "played" if text == given.text else "",
        }
        for text, count in votes.most_common(_VOTES_SHOWN)
    ]
    return {"total": total, "found": percent(found / total, 0) if total else "", "rows": rows}


def _origin(task: Task, reader: User | AnonymousUser) -> Row | None:
    """The match that one's own decision comes from, and what was played there."""
    row = task.decision
    assert row is not None, "only own decisions come from a match"
    played = option_words(row.line.get("played") or "")
    match = row.report.match
    if match is not None:
        other = match.player_1 if row.seat == 0 else match.player_0
        return {
            "opponent": other.get_username(),
            "ended_at": match.ended_at,
            "played": played,
            "url": f"{reverse('match_report', args=[match.pk])}?d={row.game}.{row.number}",
        }
    brought = ImportedMatch.objects.filter(
        person=reader.pk, transcript=row.report.transcript_id, seat=row.seat
    ).first()
    if brought is None:
        return None  # it was taken out meanwhile
    return {
        "opponent": brought.names[1 - row.seat],
        "ended_at": brought.ended_at,
        "played": played,
        "url": f"{reverse('imported_report', args=[brought.pk])}?d={row.game}.{row.number}",
    }
