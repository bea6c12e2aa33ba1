"""Progress in the lessons: of people in the database, of strangers in their session.

A stranger's progress moves to the account when they log in or have just registered. Nothing here
needs a lock: a step is only ever added, and "solved" never becomes "shown only" again.
"""

from typing import Any, Final

from django.contrib.sessions.backends.base import SessionBase
from django.http import HttpRequest

from accounts.models import User
from games.lessons.lesson import Lesson, Step
from games.lessons.registry import steps
from games.models import LearntStep
from kit.throttle import Rate, network_of, take

SESSION_KEY: Final = "learnt"

#: sessions that one network may begin by learning; more learn without stored progress.
SESSIONS: Final = Rate(120, 3600)

Progress = dict[tuple[str, str], bool]
"""Lesson and step, by their keys, to whether it was solved; False if it was shown only."""


def progress_of(request: HttpRequest) -> Progress:
    """The progress of the reader of a page, steps of the present course only."""
    if request.user.is_authenticated:
        rows = LearntStep.objects.filter(person=request.user.pk)
        known = {(row.lesson, row.step): row.solved for row in rows}
    else:
        known = _of_session(request.session)
    course = {(lesson.key, step.key) for lesson, step in steps()}
    return {each: solved for each, solved in known.items() if each in course}


def progress_note(request: HttpRequest, lesson: Lesson, step: Step, *, solved: bool) -> None:
    """Store that the reader solved a step, or was shown it."""
    if request.user.is_authenticated:
        _store(request.user.pk, {(lesson.key, step.key): solved})
        return
    known = _of_session(request.session)
    if known.get((lesson.key, step.key), False) or not _may_store(request):
        return
    known[lesson.key, step.key] = solved
    request.session[SESSION_KEY] = [[*each, done] for each, done in known.items()]


def progress_take_over(*, request: HttpRequest | None, user: User, **_: Any) -> None:
    """Move a stranger's progress from the session to the account that has just logged in."""
    if request is None or SESSION_KEY not in getattr(request, "session", {}):
        return
    _store(user.pk, _of_session(request.session))
    del request.session[SESSION_KEY]


def _store(user_id: int, progress: Progress) -> None:
    rows = [
        LearntStep(person_id=user_id, lesson=lesson, step=step, solved=solved)
        for (lesson, step), solved in progress.items()
    ]
    LearntStep.objects.bulk_create(rows, ignore_conflicts=True)
    for row in rows:
        if row.solved:
            own = LearntStep.objects.filter(person=user_id, lesson=row.lesson, step=row.step)
            own.filter(solved=False).update(solved=True)


def _of_session(session: SessionBase) -> Progress:
    return {(lesson, step): solved for lesson, step, solved in session.get(SESSION_KEY, [])}


def _may_store(request: HttpRequest) -> bool:
    """A stranger without a session gets one, unless their network has begun too many."""
    if request.session.session_key is not None:
        return True
    return take("learning", network_of(request.META.get("REMOTE_ADDR", "")), SESSIONS)
