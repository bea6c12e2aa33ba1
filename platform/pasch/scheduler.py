"""The clock of the house: it asks the rows whether anything is due before it wakes a worker.

Workers of an idle house would otherwise take five tasks a second that find nothing. A question is
one short statement, asked as often as the task was sent before, so nothing that is due waits
longer. Where a question cannot be asked, and once every `ANYWAY_SECONDS`, the task is sent.
"""

import logging
import time
from typing import Any

from celery.beat import ScheduleEntry, Scheduler
from django.db import Error, close_old_connections
from django.utils.module_loading import import_string

from pasch.schedule import ANYWAY_SECONDS, QUESTIONS

logger = logging.getLogger(__name__)


class AskingScheduler(Scheduler):
    """Celery's scheduler in memory, which leaves out tasks for which nothing is due."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self._sent_at: dict[str, float] = {}
        super().__init__(*arguments, **options)

    def apply_entry(self, entry: ScheduleEntry, producer: Any = None) -> None:
        """Send a task whose time has come, if there is anything to do."""
        task, now = str(entry.task), time.monotonic()
        was_quiet = now - self._sent_at.get(task, float("-inf")) >= ANYWAY_SECONDS
        if was_quiet or _is_due(task):
            self._sent_at[task] = now
            super().apply_entry(entry, producer=producer)


def _is_due(task: str) -> bool:
    """Return True if the rows say that there is anything to do, or cannot be asked."""
    if task not in QUESTIONS:
        return True
    try:
        close_old_connections()
        return bool(import_string(QUESTIONS[task])())
    except Error as error:
        logger.warning("cannot ask whether %s is due: %s", task, error)
        return True
