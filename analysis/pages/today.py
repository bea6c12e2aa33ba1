"""The day of a reader: the position of the day with their streak, and the exercises due."""

from datetime import date
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.dates import WEEKDAYS, WEEKDAYS_ABBR
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.reader_preferences import zone_of
from analysis.exercises.grading import Graded, grade_of
from analysis.pages.exercise_shown import answer_shown, drawn_question
from analysis.pages.exercise_words import asked_words, grade_words
from analysis.pages.positions import without_tries
from analysis.training.house_set import answers_on, of_day, today
from analysis.training.plan import plan_of
from analysis.training.streaks import DayState, Streak, streak_of
from analysis.training.tasks import Task, task_of_exercise
from analysis.training.tries import tries_of
from house.reader import house_now

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
    own = tries_of(request).filter(day=day).values_list("answer", "loss").first()
    streak = streak_now(request)
    return {
        "drawn": drawn_question(task),
        "asked": asked_words(task),
        "streak": streak.days,
        "week": [_day_shown(*entry) for entry in streak.week] if streak.is_seen else [],
        **({"done": False} if own is None else _answered(request, task, day, *own, streak)),
    }


def day_to_share(request: HttpRequest, day: date, loss: float, streak: Streak) -> str:
    """Return a line about the reader's answer, which does not give the best play away."""
    days = streak.days
    words = {
        "house": house_now().name,
        "day": date_format(day, "DATE_FORMAT"),
        "grade": grade_words(grade_of(loss)),
    }
    line = _("%(house)s, position of the day, %(day)s: %(grade)s") % words
    in_a_row = ngettext("%(days)s day in a row", "%(days)s days in a row", days) % {"days": days}
    address = request.build_absolute_uri(reverse("exercise_today"))
    return f"{line} · {in_a_row}. {address}"


def streak_now(request: HttpRequest) -> Streak:
    """Return the days in a row on which the reader has answered the position of the day."""
    zone = zone_of(request)
    moments = tries_of(request).filter(day__isnull=False).values_list("at", flat=True)
    return streak_of(
        (at.astimezone(zone).date() for at in moments), timezone.now().astimezone(zone).date()
    )


def _answered(
    request: HttpRequest, task: Task, day: date, answer: str, loss: float, streak: Streak
) -> Row:
    """The reader's answer with the best one, and how many found it."""
    answers, found = answers_on([day])[day]
    told = answer_shown(task, Graded(answer, loss, at_least=False), None, request.user)
    return {
        "done": True,
        "shown": without_tries(told["card"].shown),
        "grade": grade_words(grade_of(loss)),
        "to_share": day_to_share(request, day, loss, streak),
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
