"""Periodic work: an app declares in its tasks.py what is done, when, and what tells that it is due.

Every task is only a wake-up: what is due stands in rows, so a lost or repeated task is harmless.
Most of them find nothing to do, so the clock of the house asks first (`pasch.scheduler`).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from celery import shared_task
from celery.schedules import crontab


@dataclass(frozen=True, slots=True)
class Periodic:
    """A task that comes every so many seconds, or at moments of the clock.

    While no worker runs, tasks must not pile up: they expire. `due` says whether anything is to be
    done; without it the task is always sent.
    """

    when: float | crontab
    expires_seconds: float | None
    due: Callable[[], bool] | None


#: by the name of the task.
PERIODIC: Final[dict[str, Periodic]] = {}


def every(
    seconds: float, name: str, *, due: Callable[[], bool] | None = None
) -> Callable[[Callable[[], Any]], Any]:
    """Make a function the task of this name that comes every so many seconds."""
    PERIODIC[name] = Periodic(seconds, seconds, due)
    return shared_task(name=name)


def at(
    name: str, *, expires_seconds: float | None = None, options: Any = None, **moment: int | str
) -> Callable[[Callable[[], Any]], Any]:
    """Make a function the task of this name that comes at moments as Celery's crontab reads them.

    `options` are those of Celery for a task.
    """
    PERIODIC[name] = Periodic(crontab(**moment), expires_seconds, None)
    return shared_task(name=name, **(options or {}))


def beat_schedule() -> dict[str, Any]:
    """All periodic work as Celery's clock reads it; each task by its name."""
    return {
        name: {
            "task": name,
            "schedule": work.when,
            "options": {} if work.expires_seconds is None else {"expires": work.expires_seconds},
        }
        for name, work in PERIODIC.items()
    }
