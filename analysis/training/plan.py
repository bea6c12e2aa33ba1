"""What a reader should try next, and how far they have come."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone

from accounts.models import User
from analysis.exercises.boxes import Standing, Tried, standing_of
from analysis.exercises.grading import Grade, grade_of
from analysis.models import DecisionRow, Exercise, ExerciseTry
from analysis.training.house_set import house_exercises
from analysis.training.tasks import (
    Task,
    key_of,
    own_id,
    task_of_decision,
    task_of_exercise,
)
from analysis.training.tries import tries_of
from games.rules.errors import RulesError

#: an own error from this loss on comes back.
ERROR: Final = 0.040

#: in these variants.
VARIANTS: Final = ("backgammon", "nackgammon")

#: the latest own errors, and the depth of the report that counts.
OWN_MOST: Final = 200
DEPTH: Final = "full"

#: how many exercises are a day's work.
A_DAY: Final = 8


@dataclass(frozen=True, slots=True)
class Entry:
    """An exercise in the plan, with where it stands; None: not tried yet."""

    key: str
    theme: str
    loss: float
    standing: Standing | None

    def is_due(self, now: datetime) -> bool:
        """Whether it should be tried again."""
        return self.standing is not None and self.standing.due_at <= now


@dataclass(frozen=True, slots=True)
class Plan:
    """All exercises of a reader: own errors first. `today` has the grades of today's tries."""

    own: tuple[Entry, ...]
    house: tuple[Entry, ...]
    today: tuple[Grade, ...]
    now: datetime

    @property
    def due(self) -> list[Entry]:
        """What is due, the longest due first."""
        due = [entry for entry in (*self.own, *self.house) if entry.is_due(self.now)]
        return sorted(due, key=lambda entry: entry.standing.due_at if entry.standing else self.now)

    def next(self, theme: str = "", besides: str = "") -> Entry | None:
        """What to try next: what is due, new own errors, then what is new from the house.

        If nothing is left, what is due first. `theme` may be "own".
        """
        if theme == "own":
            wanted = list(self.own)
        else:
            both = (*self.own, *self.house)
            wanted = [entry for entry in both if theme in ("", entry.theme)]
        wanted = [entry for entry in wanted if entry.key != besides]
        due = [entry for entry in self.due if entry in wanted]
        new = [entry for entry in wanted if entry.standing is None]
        rest = sorted(
            (entry for entry in wanted if entry.standing),
            key=lambda entry: entry.standing.due_at if entry.standing else self.now,
        )
        return next(iter([*due, *new, *rest]), None)


def plan_of(request: HttpRequest) -> Plan:
    """The plan of the reader of a page."""
    now = timezone.now()
    tries: dict[str, list[Tried]] = defaultdict(list)
    today: dict[str, Grade] = {}
    for row in tries_of(request):
        key = key_of(row.exercise_id, row.decision_id)
        tries[key].append(Tried(row.loss, row.at))
        if row.at.date() == now.date():
            today.setdefault(key, grade_of(row.loss))
    own = []
    if request.user.is_authenticated:
        own = [_own_entry(row, tries) for row in own_errors(request.user)[:OWN_MOST]]
    house = [
        Entry(str(row.pk), row.theme, 0.0, standing_of(tries.get(str(row.pk), ())))
        for row in house_exercises()
    ]
    return Plan(tuple(own), tuple(house), tuple(today.values()), now)


def _own_entry(row: DecisionRow, tries: dict[str, list[Tried]]) -> Entry:
    key = key_of(None, row.pk)
    return Entry(key, "own", row.loss or 0.0, standing_of(tries.get(key, ())))


def own_errors(person: User) -> QuerySet[DecisionRow]:
    """The errors of a person in their analysed matches, the latest first."""
    theirs = Q(seat=0, report__match__player_0=person) | Q(seat=1, report__match__player_1=person)
    return (
        DecisionRow.objects.filter(
            theirs,
            counted=True,
            loss__gte=ERROR,
            report__depth=DEPTH,
            report__match__variant__in=VARIANTS,
            line__xgid__isnull=False,
        )
        .select_related("report__match")
        .order_by("-pk")
    )


def task_by_key(request: HttpRequest, key: str) -> Task | None:
    """The exercise of that name; an own error is one for its player alone."""
    number = own_id(key)
    if number is not None:
        if not request.user.is_authenticated:
            return None
        found = own_errors(request.user).filter(pk=number).first()
        try:
            return None if found is None else task_of_decision(found)
        except RulesError:
            return None
    row = Exercise.objects.filter(pk=int(key)).first() if key.isdecimal() else None
    return None if row is None else task_of_exercise(row)


def last_try(request: HttpRequest, task: Task) -> ExerciseTry | None:
    """The reader's latest try of an exercise."""
    return tries_of(request).filter(exercise=task.exercise_id, decision=task.decision).last()
