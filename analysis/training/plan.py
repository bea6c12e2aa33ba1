"""The exercises that a reader should try next, and how far they have come."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import User
from analysis.exercises.boxes import BoxStanding, Tried, standing_of
from analysis.exercises.grading import Grade, grade_of
from analysis.exercises.themes import THEMES
from analysis.models import Exercise, ExerciseTry, ListedDecision
from analysis.training.errors import others_errors, own_errors
from analysis.training.tasks import (
    Source,
    Task,
    key_of,
    source_of,
    task_of_decision,
    task_of_exercise,
)
from analysis.training.tries import AnyRequest, tries_of
from backgammon.rules.errors import RulesError

#: the latest own errors, and those of others besides the ones that were tried.
OWN_MOST: Final = 200
OTHERS_MOST: Final = 60

#: what can be asked for: one's own errors, those of others, or a theme of any source.
SUBJECTS: Final = ("own", "others", *THEMES)

#: what the name of a set begins with where a subject is asked for.
_SET: Final = "set-"

_Tries = dict[tuple[int | None, int | None], list[Tried]]
"""The tries by the row that was tried: an exercise of the house, or a decision."""

#: how many exercises are a day's work.
A_DAY: Final = 8


@dataclass(frozen=True, slots=True)
class PlanEntry:
    """An exercise in the plan, with where it stands; None: not tried yet.

    `set_name` is the subject of its set (`set_subject`).
    """

    key: str
    source: Source
    theme: str
    standing: BoxStanding | None
    set_name: str = ""

    def is_due(self, now: datetime) -> bool:
        """Whether it should be tried again."""
        return self.standing is not None and self.standing.due_at <= now


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    """All exercises of a reader: own errors, the house's, other people's errors.

    `today` has the grades of today's tries.
    """

    entries: tuple[PlanEntry, ...]
    today: tuple[Grade, ...]
    now: datetime

    @property
    def due(self) -> list[PlanEntry]:
        """The due exercises, the longest due first."""
        return self._by_date(entry for entry in self.entries if entry.is_due(self.now))

    def about(self, subject: str) -> list[PlanEntry]:
        """The exercises of a theme or a source; "" for all."""
        if not subject:
            return list(self.entries)
        return [
            entry
            for entry in self.entries
            if subject in (entry.source, entry.theme, entry.set_name)
        ]

    def queue(self, subject: str = "") -> list[PlanEntry]:
        """The exercises to try, in this order: due ones, new ones, then the rest by due date."""
        wanted = self.about(subject)
        due = self._by_date(entry for entry in wanted if entry.is_due(self.now))
        new = [entry for entry in wanted if entry.standing is None]
        rest = self._by_date(entry for entry in wanted if entry.standing and entry not in due)
        return [*due, *new, *rest]

    def next(self, subject: str = "", besides: str = "") -> PlanEntry | None:
        """The exercise to try next; None if there is nothing but the exercise `besides`."""
        return next((each for each in self.queue(subject) if each.key != besides), None)

    def _by_date(self, entries: Iterable[PlanEntry]) -> list[PlanEntry]:
        return sorted(entries, key=lambda each: each.standing.due_at if each.standing else self.now)


def plan_of(request: AnyRequest, subject: str = "") -> TrainingPlan:
    """The plan of the reader of a page; with a theme, other people's errors are of that theme."""
    now = timezone.now()
    tries: _Tries = defaultdict(list)
    today: dict[tuple[int | None, int | None], Grade] = {}
    for exercise, decision, loss, at in tries_of(request).values_list(
        "exercise", "decision", "loss", "at"
    ):
        tries[exercise, decision].append(Tried(loss, at))
        if at.date() == now.date():
            today.setdefault((exercise, decision), grade_of(loss))
    house = Exercise.objects.order_by("number", "pk").values_list("pk", "theme")
    entries = (
        *_sets(request, tries),
        *_own(request, tries),
        *(
            PlanEntry(key_of("house", pk), "house", theme, _standing(tries, pk))
            for pk, theme in house
        ),
        *_others(request, tries, subject),
    )
    return TrainingPlan(entries, tuple(today.values()), now)


def set_subject(number: UUID) -> str:
    """The name of a set where a subject is asked for."""
    return f"{_SET}{number}"


def is_subject(text: str) -> bool:
    """Whether a text names a subject; a set may be anybody's, and is empty for others."""
    if text in SUBJECTS:
        return True
    try:
        return text.startswith(_SET) and bool(UUID(text.removeprefix(_SET)))
    except ValueError:
        return False


def _set_entries(person: User) -> QuerySet[ListedDecision]:
    """The exercises of the sets that a person has made."""
    return ListedDecision.objects.filter(
        list__person=person, list__for_exercises=True, list__removed_at=None
    ).order_by("pk")


def _sets(request: AnyRequest, tries: _Tries) -> Iterable[PlanEntry]:
    if not request.user.is_authenticated:
        return
    rows = _set_entries(request.user).values_list("pk", "list", "decision", "theme")
    for pk, made, decision, theme in rows:
        standing = _standing(tries, None, decision)
        yield PlanEntry(key_of("set", pk), "set", theme, standing, set_subject(made))


def _own(request: AnyRequest, tries: _Tries) -> Iterable[PlanEntry]:
    """Own errors, but for those that are in a set."""
    if not request.user.is_authenticated:
        return
    in_sets = _set_entries(request.user).values("decision")
    rows = own_errors(request.user).exclude(decision__in=in_sets)
    for pk, theme in rows.values_list("decision", "theme")[:OWN_MOST]:
        yield PlanEntry(key_of("own", pk), "own", theme, _standing(tries, None, pk))


def _others(request: AnyRequest, tries: _Tries, subject: str) -> Iterable[PlanEntry]:
    """The exercises that were tried and may still be seen, and the latest besides."""
    found = others_errors(request.user).values_list("decision", "theme")
    tried = [decision for _exercise, decision in tries if decision is not None]
    of_theme = found.filter(theme=subject) if subject in THEMES else found
    known = dict(found.filter(decision__in=tried)) if tried else {}
    for pk, theme in {**known, **dict(of_theme[:OTHERS_MOST])}.items():
        yield PlanEntry(key_of("others", pk), "others", theme, _standing(tries, None, pk))


def _standing(
    tries: _Tries, exercise: int | None = None, decision: int | None = None
) -> BoxStanding | None:
    return standing_of(tries.get((exercise, decision), ()))


def task_by_key(request: AnyRequest, key: str) -> Task | None:
    """The exercise of that name, if it is one for this reader now."""
    named = source_of(key)
    if named is None:
        return None
    source, number = named
    if source == "house":
        row = Exercise.objects.filter(pk=number).first()
        return None if row is None else task_of_exercise(row)
    if source == "set":
        return _task_of_set(request, number)
    if source == "others":
        rows = others_errors(request.user)
    elif request.user.is_authenticated:
        rows = own_errors(request.user)
    else:
        return None
    found = rows.filter(decision=number).first()
    try:
        return None if found is None else task_of_decision(found.decision, source, found.theme)
    except RulesError:
        return None


def _task_of_set(request: AnyRequest, number: int) -> Task | None:
    """An exercise of a set of the reader's."""
    if not request.user.is_authenticated:
        return None
    subjects = ("decision__report__match__table", "decision__report__transcript")
    entry = _set_entries(request.user).select_related(*subjects).filter(pk=number).first()
    if entry is None:
        return None
    try:
        task = task_of_decision(entry.decision, "set", entry.theme)
    except RulesError:
        return None
    return replace(task, key=key_of("set", entry.pk), mirrored=entry.mirrored)


def last_try(request: AnyRequest, task: Task) -> ExerciseTry | None:
    """The reader's latest try of an exercise."""
    return tries_of(request).filter(exercise=task.exercise_id, decision=task.decision).last()
