"""The day of a reader: the position of the day with their streak, and the exercises due."""

from datetime import date
from typing import Any

from django.http import HttpRequest
from django.utils import timezone
from django.utils.dates import WEEKDAYS, WEEKDAYS_ABBR
from django.utils.translation import gettext as _

from accounts.reader_preferences import zone_of
from analysis.exercises.grading import Graded, grade_of
from analysis.pages.exercise_shown import answer_shown, drawn_question
from analysis.pages.exercise_words import asked_words, grade_words
from analysis.pages.positions import without_tries
from analysis.training.house_set import answers_on, of_day, today
from analysis.training.plan import plan_of
from analysis.training.streaks import DayState, streak_of
from analysis.training.tasks import Task, task_of_exercise
from analysis.training.tries import tries_of

Row = dict[str, Any]


def today_shown(request: HttpRequest) -> Row | None:
    """Return the position of the day for a reader; None in a house without exercises.

    Before their own answer it tells nothing of what others answered.
    """
    day = today()
    row = of_day(day)
    if row is None:
        return None
    task = task_of_exercise(row)
    given = list(
        tries_of(request).filter(day__isnull=False).values_list("day", "at", "answer", "loss")
    )
    own = next(((answer, loss) for on, _at, answer, loss in given if on == day), None)
    zone = zone_of(request)
    here = timezone.now().astimezone(zone).date()
    streak = streak_of((at.astimezone(zone).date() for _day, at, _answer, _loss in given), here)
    return {
        "drawn": drawn_question(task),
        "asked": asked_words(task),
        "streak": streak.days,
        "week": [_day_shown(*entry) for entry in streak.week] if streak.is_seen else [],
        **({"done": False} if own is None else _answered(request, task, day, *own)),
    }


def _answered(request: HttpRequest, task: Task, day: date, answer: str, loss: float) -> Row:
    """The reader's answer with the best one, and how many found it."""
    answers, found = answers_on([day])[day]
    told = answer_shown(task, Graded(answer, loss, at_least=False), None, request.user)
    return {
        "done": True,
        "shown": without_tries(told["card"].shown),
        "grade": grade_words(grade_of(loss)),
        "answers": answers,
        "found": found,
    }


def _day_shown(day: date, state: DayState) -> Row:
    words = {
        "answered": _("answered"),
        "forgiven": _("forgiven"),
        "today": _("still open"),
        "missed": _("missed"),
    }
    return {
        "state": state,
        "name": WEEKDAYS_ABBR[day.weekday()],
        "words": f"{WEEKDAYS[day.weekday()]}: {words[state]}",
    }


def exercises_due(request: HttpRequest) -> Row:
    """Return how many exercises are due, and how many of these are the reader's own errors."""
    due = plan_of(request).due
    return {"count": len(due), "own": sum(each.source == "own" for each in due)}
