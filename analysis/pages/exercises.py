"""The exercises: what is due, one exercise and its answer, and the position of the day.

The page of a question contains the plays that can be made, but nothing of what they are worth. An
answer is a form; what was stored is then shown at an address of its own, with and without scripts.
"""

from datetime import date, timedelta
from typing import Any, Final
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.dates import WEEKDAYS_ABBR
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from analysis.exercises.boxes import BOX_DAYS
from analysis.exercises.grading import Graded
from analysis.models import ExerciseTry
from analysis.pages.exercise_shown import answer_shown, drawn_question, question_shown
from analysis.pages.exercise_words import grade_words, theme_facts, theme_words
from analysis.pages.today import day_to_share, streak_now
from analysis.training.house_set import (
    days_before,
    of_day,
    own_grades,
    votes_of,
)
from analysis.training.house_set import today as date_of_today
from analysis.training.plan import (
    A_DAY,
    SUBJECTS,
    PlanEntry,
    TrainingPlan,
    is_subject,
    last_try,
    plan_of,
    task_by_key,
)
from analysis.training.tasks import NoAnswer, Task, answer_of, task_of_exercise
from analysis.training.tries import tries_of, try_store

#: a play that is longer is none.
ANSWER_LENGTH_MAX: Final = 80

Row = dict[str, Any]


@require_safe
@never_cache
def overview(request: HttpRequest) -> HttpResponse:
    """The due exercises, the themes, and how far the reader has come."""
    plan = plan_of(request)
    upcoming = plan.next()
    day = date_of_today()
    of_today = of_day(day)
    boxes = [
        sum(each.standing is not None and each.standing.box == box for each in plan.entries)
        for box in range(1, len(BOX_DAYS) + 1)
    ]
    context = {
        "today_row": _today_row(plan),
        "upcoming": upcoming and {"theme": theme_words(upcoming.theme)},
        "due": len(plan.due),
        "tried": any(each.standing for each in plan.entries),
        "themes": _theme_rows(plan),
        "boxes": [
            {"number": number, "days": days, "count": count}
            for number, (days, count) in enumerate(zip(BOX_DAYS, boxes, strict=True), start=1)
        ],
        "learnt": boxes[-1],
        "day_drawn": of_today and drawn_question(task_of_exercise(of_today)),
        "day_grade": grade_words(own_grades(request, [day]).get(day)),
        "day_done": day in own_grades(request, [day]),
    }
    return render(request, "analysis/exercises.html", context)


def _today_row(plan: TrainingPlan) -> Row:
    """The segments of a day's work, with the grades of what was tried."""
    grades = list(plan.today)
    rest = [""] * max(0, A_DAY - len(grades))
    return {
        "states": [*grades[:A_DAY], *rest],
        "done": len(grades),
        "of": A_DAY,
        "found": grades.count("found"),
    }


def _theme_rows(plan: TrainingPlan) -> list[Row]:
    """Every source and theme that has an exercise; one's own errors first."""
    rows = []
    for theme in SUBJECTS:
        entries = plan.about(theme)
        if entries:
            rows.append(
                {
                    "theme": theme,
                    "name": theme_words(theme),
                    "facts": theme_facts(theme),
                    "total": len(entries),
                    "tried": sum(each.standing is not None for each in entries),
                    "found": sum(
                        each.standing is not None and each.standing.last == "found"
                        for each in entries
                    ),
                    "due": sum(each.is_due(plan.now) for each in entries),
                }
            )
    return rows


@require_safe
@never_cache
def following(request: HttpRequest) -> HttpResponse:
    """Go to what the reader should try next; `besides` is what they have just seen."""
    theme = _theme(request)
    found = plan_of(request, theme).next(theme, request.GET.get("besides", ""))
    if found is None:
        return redirect("exercises")
    return redirect(_address("exercise", found.key, theme))


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def exercise(request: HttpRequest, key: str) -> HttpResponse:
    """One exercise to be answered; a POST answers it with `play` or `choice`."""
    task = _task(request, key)
    theme = _theme(request)
    if request.method == "POST":
        here = _address("exercise_answer", key, theme)
        return _answered(request, task, theme, here)
    return _question_page(request, task, theme)


@require_safe
@never_cache
def answer(request: HttpRequest, key: str) -> HttpResponse:
    """The reader's latest answer to an exercise, with what the engine says."""
    task, theme = _task(request, key), _theme(request)
    row = last_try(request, task)
    if row is None:
        return redirect(_address("exercise", key, theme))
    return _answer_page(request, task, theme, _graded(task, row.answer, row.loss))


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def today(request: HttpRequest) -> HttpResponse:
    """The position of the day; its first answer counts, and the share of others comes after."""
    day = date_of_today()
    row = of_day(day)
    if row is None:
        return redirect("exercises")
    task = task_of_exercise(row)
    given = _of_day(request, day)
    if request.method == "POST" and given is None:
        return _answered(request, task, "", reverse("exercise_today"), day)
    if given is None:
        return _question_page(request, task, "", day=day)
    return _answer_page(request, task, "", _graded(task, given.answer, given.loss), day=day)


def _of_day(request: HttpRequest, day: date) -> ExerciseTry | None:
    return tries_of(request).filter(day=day).first()


def _task(request: HttpRequest, key: str) -> Task:
    task = task_by_key(request, key)
    if task is None:
        raise Http404("there is no such exercise")
    return task


def _theme(request: HttpRequest) -> str:
    theme = request.GET.get("theme", "")
    return theme if is_subject(theme) else ""


def _address(name: str, key: str, theme: str) -> str:
    return reverse(name, args=[key]) + (f"?{urlencode({'theme': theme})}" if theme else "")


def _graded(task: Task, text: str, loss: float) -> Graded:
    listed = any(option["text"] == text for option in task.line["options"])
    return Graded(text, loss, at_least=not listed)


def _answered(
    request: HttpRequest, task: Task, theme: str, here: str, day: date | None = None
) -> HttpResponse:
    """Store an answer and go where it is shown; one that is not kept is shown at once."""
    sent = request.POST.get("choice") or request.POST.get("play", "")
    try:
        given = answer_of(task, sent.strip()[:ANSWER_LENGTH_MAX])
    except NoAnswer:
        problem = _("That is no legal play of this roll.")
        return _question_page(request, task, theme, day=day, problem=problem, sent=sent)
    if try_store(request, task, given, day) is None:
        return _answer_page(request, task, theme, given, day=day)
    return HttpResponseRedirect(here)


# --- what the templates show ----------------------------------------------------------------------


def _question_page(
    request: HttpRequest,
    task: Task,
    theme: str,
    *,
    day: date | None = None,
    problem: str = "",
    sent: str = "",
) -> HttpResponse:
    context = {
        **_frame(request, task, theme, day),
        **question_shown(task),
        "problem": problem,
        "sent": sent[:ANSWER_LENGTH_MAX],
    }
    return render(request, "analysis/exercise.html", context, status=400 if problem else 200)


def _answer_page(
    request: HttpRequest, task: Task, theme: str, given: Graded, *, day: date | None = None
) -> HttpResponse:
    votes = None if day is None else votes_of(day)
    frame = _frame(request, task, theme, day)
    entry = frame["entry"]
    context = {
        **frame,
        **answer_shown(task, given, votes, request.user),
        "back_days": None if entry is None else _days_until(entry),
        "days_before": [] if day is None else _days(request, day),
        "to_share": day and day_to_share(request, day, given.loss, streak_now(request)),
    }
    return render(request, "analysis/exercise.html", context)


def _frame(request: HttpRequest, task: Task, theme: str, day: date | None) -> Row:
    """The values that a question and its answer have in common."""
    plan = plan_of(request)
    asked = urlencode({"besides": task.key, **({"theme": theme} if theme else {})})
    entry = next((each for each in plan.entries if each.key == task.key), None)
    return {
        "task": task,
        "drawn": drawn_question(task),
        "subject": theme_words(task.theme),
        "day": day,
        "week": [] if day is None else _week(request, day),
        "today_row": _today_row(plan),
        "entry": entry if entry and entry.standing else None,
        "next": f"{reverse('exercise_next')}?{asked}",
        "form_url": reverse("exercise_today")
        if day is not None
        else _address("exercise", task.key, theme),
    }


def _days_until(entry: PlanEntry) -> int | None:
    if entry.standing is None:
        return None
    return max(1, round((entry.standing.due_at - timezone.now()) / timedelta(days=1)))


def _week(request: HttpRequest, day: date) -> list[Row]:
    """The days from Monday to Sunday, each with the reader's grade."""
    monday = day - timedelta(days=day.weekday())
    days = [monday + timedelta(days=number) for number in range(7)]
    grades = own_grades(request, days)
    return [
        {
            "day": each,
            "weekday": WEEKDAYS_ABBR[each.weekday()],
            "grade": grades.get(each, ""),
            "words": grade_words(grades.get(each)),
            "now": each == day,
        }
        for each in days
    ]


def _days(request: HttpRequest, day: date) -> list[Row]:
    return [
        {
            "day": each.day,
            "theme": theme_words(each.exercise.theme),
            "answers": each.answers,
            "share": each.share,
            "percent": None if each.share is None else round(100 * each.share),
            "grade": each.own or "",
            "words": grade_words(each.own),
            "key": each.exercise.pk,
        }
        for each in days_before(request, day)
    ]
