"""The lessons: the overview, and one lesson with its steps (docs/learning.md).

Every try is answered here, from the engine's legal plays. The page contains the plays that may be
tried, but not the accepted ones. Without scripts the same addresses take forms.
"""

import re
from collections.abc import Iterable
from typing import Any, Final

import msgspec
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBadRequest, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from games.lessons.answer import (
    LessonAnswer,
    NoPlayAsked,
    NoSuchChoice,
    answer_choice,
    answer_play,
    graph,
    right_choice,
    solution,
)
from games.lessons.lesson import Lesson, Step
from games.lessons.registry import (
    ALL,
    FIRST,
    WHOLE,
    NoSuchLesson,
    by_key,
    next_after,
    number_of,
)
from games.services.learning import Progress, progress_note, progress_of
from games.table.view import board_view

#: a play that is longer than this is none.
PLAY_LENGTH_MAX: Final = 200

#: the step that the overview draws of each lesson, and which part of its board.
PICTURES: Final = {
    "way": ("run", "all"),
    "dice": ("two", "home"),
    "doubles": ("six", "all"),
    "hitting": ("hit", "all"),
    "both": ("touch", "all"),
    "points": ("four", "home"),
    "off": ("exact", "home"),
    "gammon": ("backgammon", "far-home"),
    "cube": ("take", "all"),
    "match": ("after", "all"),
}

Row = dict[str, Any]


@require_safe
def learn(request: HttpRequest) -> HttpResponse:
    """All lessons with the reader's progress, and the one to go on with."""
    progress = progress_of(request)
    rows = {lesson.key: _lesson_row(lesson, progress) for lesson in ALL}
    context = {
        "groups": [
            {"first": True, "minutes": _minutes(FIRST), "rows": [rows[each.key] for each in FIRST]},
            {
                "first": False,
                "minutes": _minutes(WHOLE),
                "rows": [rows[each.key] for each in WHOLE],
            },
        ],
        "upcoming": _upcoming(rows.values()),
        "begun": bool(progress),
        "lessons": len(ALL),
        "lessons_done": sum(row["done"] for row in rows.values()),
        "steps": sum(len(lesson.steps) for lesson in ALL),
        "steps_done": sum(progress.values()),
    }
    return render(request, "games/learn.html", context)


def lesson_upcoming(progress: Progress) -> Row | None:
    """The lesson to go on with, as a row of the overview; None if all are done."""
    return _upcoming(_lesson_row(lesson, progress) for lesson in ALL)


def _upcoming(rows: Iterable[Row]) -> Row | None:
    return next((row for row in rows if not row["done"]), None)


def _minutes(lessons: tuple[Lesson, ...]) -> int:
    return sum(lesson.minutes for lesson in lessons)


def _lesson_row(lesson: Lesson, progress: Progress) -> Row:
    states = _states(lesson, progress)
    first = _first_open(states)
    step = lesson.steps[first - 1]
    pictured, part = PICTURES[lesson.key]
    shown = lesson.steps[lesson.number(pictured) - 1]
    return {
        "key": lesson.key,
        "number": number_of(lesson),
        "title": _(lesson.title),
        "line": _(lesson.line),
        "minutes": lesson.minutes,
        "states": states,
        "total": len(states),
        "solved": states.count("solved"),
        "begun": any(states),
        "done": all(state == "solved" for state in states),
        "step_number": first,
        "step": step,
        "picture": shown,
        "picture_cube": shown.cube.value if shown.cube else None,
        "part": part,
    }


def _states(lesson: Lesson, progress: Progress) -> list[str]:
    """For each step "solved", "shown" or ""."""
    words = {True: "solved", False: "shown", None: ""}
    return [words[progress.get((lesson.key, step.key))] for step in lesson.steps]


def _first_open(states: list[str]) -> int:
    """The number of the first step that is not solved; of the first one if all are."""
    return next((at for at, state in enumerate(states, 1) if state != "solved"), 1)


@require_http_methods(["GET", "HEAD", "POST"])
def lesson(request: HttpRequest, lesson_key: str, number: int | None = None) -> HttpResponse:
    """One lesson at one of its steps, by default the first that is not solved.

    A POST tries the step with `play` or `choice`, or asks for its solution with `show`. A reader
    that accepts JSON gets the answer as JSON, others the page with the answer on it.
    """
    try:
        course = by_key(lesson_key)
    except NoSuchLesson:
        raise Http404("there is no such lesson") from None
    if number is None:
        number = _first_open(_states(course, progress_of(request)))
    if not 1 <= number <= len(course.steps):
        raise Http404("the lesson has no such step")
    answer = None
    if request.method == "POST":
        answer = _answer(request, course, course.steps[number - 1])
        if answer is None:
            return HttpResponseBadRequest("play, choice or show\n", content_type="text/plain")
        if "application/json" in request.headers.get("accept", ""):
            return JsonResponse(answer)
    return _lesson_page(request, course, number, answer)


def _answer(request: HttpRequest, lesson: Lesson, step: Step) -> Row | None:
    """The answer to a try, with the progress stored; None for a request that is no try."""
    if "show" in request.POST:
        progress_note(request, lesson, step, solved=False)
        return _solution(step)
    try:
        if "choice" in request.POST:
            given = answer_choice(step, request.POST["choice"])
        else:
            given = answer_play(step, request.POST.get("play", "")[:PLAY_LENGTH_MAX])
    except (NoSuchChoice, NoPlayAsked):
        return None
    if given.verdict == "right":
        progress_note(request, lesson, step, solved=True)
    return _answer_row(given, request.POST.get("choice", ""))


def _answer_row(given: LessonAnswer, choice: str) -> Row:
    titles = {"right": _("Correct"), "wrong": _("Not quite"), "illegal": _("Not possible")}
    return {
        "verdict": given.verdict,
        "title": titles[given.verdict],
        "text": _(given.text),
        "moves": msgspec.to_builtins([(m.source, m.target, m.die) for m in given.moves]),
        "choice": choice,
    }


def _solution(step: Step) -> Row:
    """The solution as an answer of its own kind: it is shown, not solved."""
    text = step.right
    if step.is_question:
        text = answer_choice(step, right_choice(step)).text
    shown = _answer_row(LessonAnswer("right", text, solution(step)), right_choice(step))
    return {**shown, "verdict": "shown", "title": _("This is how")}


def _lesson_page(
    request: HttpRequest, lesson: Lesson, number: int, answer: Row | None
) -> HttpResponse:
    states = _states(lesson, progress_of(request))
    step = lesson.steps[number - 1]
    following = next_after(lesson)
    on_from_here = reverse("lesson", args=[following.key]) if following else reverse("learn")
    if lesson is FIRST[-1]:
        on_from_here = reverse("learn") + "#play"
    data: Row = {
        "number": number,
        "steps": [
            _step_data(lesson, each, at, state)
            for at, (each, state) in enumerate(zip(lesson.steps, states, strict=True), start=1)
        ],
        "after": on_from_here,
    }
    last = number == len(lesson.steps)
    context = {
        "lesson": {"key": lesson.key, "title": _(lesson.title), "number": number_of(lesson)},
        "data": data,
        "step": step,
        "shown": data["steps"][number - 1],
        "cube_value": step.cube.value if step.cube else None,
        "cube_owner": step.cube.owner if step.cube else None,
        "answer": answer,
        "next": on_from_here if last else reverse("lesson_step", args=[lesson.key, number + 1]),
    }
    return render(request, "games/lesson.html", context)


def _step_data(lesson: Lesson, step: Step, number: int, state: str) -> Row:
    """A step as the page and its script need it; nothing of what is accepted."""
    cube = step.cube
    return {
        "number": number,
        "url": reverse("lesson_step", args=[lesson.key, number]),
        "state": state,
        "parts": _parts(_(step.text)),
        "dice": step.dice,
        "board": msgspec.to_builtins(board_view(step.position)),
        "graph": None if step.is_question else graph(step),
        "cube": cube and {"value": cube.value, "owner": cube.owner, "offered": cube.offered},
        "ask": _ask(step),
        "score": _score(step),
        "arrows": step.arrows,
        "choices": [{"key": each.key, "label": _(each.label)} for each in step.choices],
    }


def _ask(step: Step) -> Row:
    """The task of the reader, while there is no answer yet."""
    if step.is_question:
        return {"title": _("A question"), "text": _("Choose an answer.")}
    assert step.dice, "a task without a question has dice"
    one, two = step.dice
    roll = (
        _("Your roll: a double, %(one)d and %(two)d")
        if one == two
        else _("Your roll: %(one)d and %(two)d")
    )
    return {
        "title": roll % {"one": one, "two": two},
        "text": _("Tap a checker, or type its way."),
    }


def _score(step: Step) -> str:
    if step.score is None:
        return ""
    mine, theirs, target = step.score
    return _("You have %(mine)d, the other side has %(theirs)d. The match goes to %(target)d.") % {
        "mine": mine,
        "theirs": theirs,
        "target": target,
    }


def _parts(text: str) -> list[tuple[str, bool]]:
    """A text as pieces, each with whether it is emphasised: `[…]` in the text."""
    pieces = re.split(r"\[([^\]]+)\]", text)
    return [(piece, at % 2 == 1) for at, piece in enumerate(pieces) if piece]
