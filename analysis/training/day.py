"""The position of the day: the same for everybody, by the date (UTC) from the set of the house.

Only exercises of the file take part, so that every house with this version has the same one.
"""

from collections import Counter
from dataclasses import dataclass
from datetime import UTC, date, timedelta
from typing import Final

from django.db.models import Count, Q
from django.http import HttpRequest
from django.utils import timezone

from analysis.exercises.grading import Grade, grade_of
from analysis.models import Exercise, ExerciseTry
from analysis.training.house_set import FROM_FILE, house_exercises, lines_of_file
from analysis.training.tries import tries_of
from backgammon.counting.judging import SHOWN

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
    told = {
        each["day"]: (int(each["answers"]), int(each["found"]))
        for each in ExerciseTry.objects.filter(day__in=days)
        .values("day")
        .annotate(answers=Count("pk"), found=Count("pk", filter=Q(loss__lt=SHOWN)))
    }
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


def own_grades(request: HttpRequest, days: list[date]) -> dict[date, Grade]:
    """The reader's grades on these days."""
    rows = tries_of(request).filter(day__in=days).values_list("day", "loss")
    return {day: grade_of(loss) for day, loss in rows if day is not None}
