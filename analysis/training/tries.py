"""The tries of a reader: of people by their account, of visitors and guests by their session.

A visitor's tries are rows without a person, which their session knows; a login takes them along.
"""

from datetime import date
from typing import Any, Final

from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest

from accounts.models import User
from analysis.exercises.grading import Graded
from analysis.models import ExerciseTry
from analysis.training.tasks import Task
from kit.requests import SignedInApiRequest
from kit.throttle import Rate, network_of, take

AnyRequest = HttpRequest | SignedInApiRequest
"""The request of a page, or of a program that is logged in."""

SESSION_KEY: Final = "exercise_tries"

#: sessions that one network may begin with an exercise, and tries of all its visitors; people.
SESSIONS: Final = Rate(120, 3600)
OF_NETWORK: Final = Rate(600, 3600)
OF_PERSON: Final = Rate(600, 3600)

#: as many of the latest tries a session knows.
_KEPT: Final = 400


def tries_of(request: AnyRequest) -> QuerySet[ExerciseTry]:
    """The tries of the reader, the oldest first."""
    if request.user.is_authenticated:
        return ExerciseTry.objects.filter(person=request.user).order_by("at", "pk")
    known = request.session.get(SESSION_KEY, [])
    return ExerciseTry.objects.filter(pk__in=known, person=None).order_by("at", "pk")


def try_store(
    request: AnyRequest, task: Task, graded: Graded, day: date | None = None
) -> ExerciseTry | None:
    """Store an answer; None if so many were given that this one is not kept.

    `day`: it is the position of that day. Only the first answer of a reader counts there.
    """
    if not _may_store(request):
        return None
    if day is not None and tries_of(request).filter(day=day).exists():
        day = None
    person = request.user if request.user.is_authenticated else None
    made = ExerciseTry(
        person=person,
        exercise_id=task.exercise_id,
        decision=task.decision,
        answer=graded.text,
        loss=graded.loss,
        day=day,
    )
    if person is None:
        made.save(force_insert=True)
        known = request.session.get(SESSION_KEY, [])
        request.session[SESSION_KEY] = [*known, made.pk][-_KEPT:]
        return made
    # two answers at the same moment: the second is one more try
    ExerciseTry.objects.bulk_create([made], ignore_conflicts=True)
    return made


def tries_take_over(*, request: HttpRequest | None, user: User, **_: Any) -> None:
    """Give a visitor's tries to the account that has just logged in."""
    if request is None or SESSION_KEY not in getattr(request, "session", {}):
        return
    known = request.session.pop(SESSION_KEY)
    with transaction.atomic():
        rows = ExerciseTry.objects.select_for_update(no_key=True).filter(pk__in=known, person=None)
        answered = set(
            ExerciseTry.objects.filter(person=user, day__isnull=False).values_list("day", flat=True)
        )
        for row in rows.order_by("pk"):
            row.person = user
            if row.day in answered:
                row.day = None
            row.save(update_fields=["person", "day"])


def _may_store(request: AnyRequest) -> bool:
    if request.user.is_authenticated:
        return take("exercises", str(request.user.pk), OF_PERSON)
    network = network_of(request.META.get("REMOTE_ADDR", ""))
    if request.session.session_key is None and not take("exercises:new", network, SESSIONS):
        return False
    return take("exercises", network, OF_NETWORK)
