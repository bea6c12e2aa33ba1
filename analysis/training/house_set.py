"""The exercises of the house: the set that comes with the project, and the position of the day."""

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, timedelta
from functools import cache
from pathlib import Path
from typing import Any, Final

from django.db import connections
from django.db.models import Count, Q
from django.http import HttpRequest
from django.utils import timezone

from analysis.exercises.grading import Grade, grade_of
from analysis.models import Exercise, ExerciseTry
from analysis.training.tries import tries_of
from backgammon.counting.judging import SHOWN

#: made by `manage.py exercises_make --file`; a line is a row, and its place is its number.
FILE: Final = Path(__file__).with_name("house_set.jsonl")

FROM_FILE: Final = "house"
SELF_PLAY: Final = "self_play"


@cache
def lines_of_file() -> tuple[dict[str, Any], ...]:
    """The rows of the file."""
    text = FILE.read_text(encoding="utf-8")
    return tuple(json.loads(line) for line in text.splitlines())


def house_exercises() -> list[Exercise]:
    """All exercises of the house, those of the file first."""
    return list(Exercise.objects.order_by("number", "pk"))


def set_store(*, using: str, **_: Any) -> None:
    """Store what is missing of the file; after the migrations, once there is the table for it."""
    if Exercise._meta.db_table not in connections[using].introspection.table_names():
        return
    if Exercise.objects.filter(source=FROM_FILE).count() == len(lines_of_file()):
        return
    numbered = enumerate(lines_of_file())
    _store([Exercise(**row, source=FROM_FILE, number=number) for number, row in numbered])


def rows_store(rows: Iterable[dict[str, Any]]) -> int:
    """Store exercises that were made on this machine; how many are new."""
    before = Exercise.objects.count()
    _store([Exercise(**row, source=SELF_PLAY) for row in rows])
    return Exercise.objects.count() - before


def _store(rows: list[Exercise]) -> None:
    Exercise.objects.bulk_create(rows, ignore_conflicts=True)


#: the days before that a page lists.
DAYS_SHOWN: Final = 7


@dataclass(frozen=True, slots=True)
class DayBefore:
    """A day with its position, how many answered, how many found it, and the reader's grade."""

    day: date
    exercise: Exercise
    answers: int
    found: int
    own: Grade | None

    @property
    def share(self) -> float | None:
        """The share of people who found it; None before anybody answered."""
        return self.found / self.answers if self.answers else None


def today() -> date:
    """The date in UTC."""
    return timezone.now().astimezone(UTC).date()


def of_day(day: date) -> Exercise | None:
    """The position of that day; None in a house without its set."""
    number = day.toordinal() % len(lines_of_file())
    return Exercise.objects.filter(source=FROM_FILE, number=number).order_by("-pk").first()


def votes_of(day: date) -> Counter[str]:
    """The answers to the position of a day, and how many gave each."""
    rows = ExerciseTry.objects.filter(day=day).values_list("answer").annotate(count=Count("pk"))
    return Counter(dict(rows))


def days_before(request: HttpRequest, day: date) -> list[DayBefore]:
    """The days before that one, the latest first; days that nobody answered, too."""
    rows = {row.number: row for row in house_exercises() if row.source == FROM_FILE}
    days = [day - timedelta(days=back) for back in range(1, DAYS_SHOWN + 1)]
    told = answers_on(days)
    own = own_grades(request, days)
    return [
        DayBefore(
            each,
            rows[each.toordinal() % len(rows)],
            *told.get(each, (0, 0)),
            own.get(each),
        )
        for each in days
    ]


def answers_on(days: list[date]) -> dict[date, tuple[int, int]]:
    """How many people answered on each of these days, and how many of them found it."""
    rows = ExerciseTry.objects.filter(day__in=days).values_list("day")
    counted = rows.annotate(answers=Count("pk"), found=Count("pk", filter=Q(loss__lt=SHOWN)))
    return {day: (answers, found) for day, answers, found in counted if day is not None}


def own_grades(request: HttpRequest, days: list[date]) -> dict[date, Grade]:
    """The reader's grades on these days."""
    rows = tries_of(request).filter(day__in=days).values_list("day", "loss")
    return {day: grade_of(loss) for day, loss in rows if day is not None}
