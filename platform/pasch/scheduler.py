"""The clock of the house: it asks the rows whether anything is due before it wakes a worker.

Workers of an idle house would otherwise take five tasks a second that find nothing. A question is
one short statement, asked as often as the task was sent before, so nothing that is due waits
longer. Where a question cannot be asked, and once every `ANYWAY_SECONDS`, the task is sent.
"""

import logging
import time
from typing import Any, Final

from celery.beat import ScheduleEntry, Scheduler
from django.db import Error, close_old_connections

from kit.periodic import PERIODIC, beat_schedule

logger = logging.getLogger(__name__)

#: how often a task is sent about which the rows say that nothing is due.
ANYWAY_SECONDS: Final = 60.0


class AskingScheduler(Scheduler):
    """Celery's scheduler in memory, which leaves out tasks for which nothing is due."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self._sent_at: dict[str, float] = {}
        super().__init__(*arguments, **options)

    def setup_schedule(self) -> None:
        """Begin with the periodic work of all apps."""
        self.app.loader.import_default_modules()
        self.merge_inplace(beat_schedule())

    def apply_entry(self, entry: ScheduleEntry, producer: Any = None) -> None:
        """Send a task whose time has come, if there is anything to do."""
        task, now = str(entry.task), time.monotonic()
        was_quiet = now - self._sent_at.get(task, float("-inf")) >= ANYWAY_SECONDS
        if was_quiet or _is_due(task):
            self._sent_at[task] = now
            super().apply_entry(entry, producer=producer)


def _is_due(task: str) -> bool:
    """Return True if the rows say that there is anything to do, or cannot be asked."""
    work = PERIODIC.get(task)
    if work is None or work.due is None:
        return True
    try:
        close_old_connections()
        return work.due()
    except Error as error:
        logger.warning("cannot ask whether %s is due: %s", task, error)
        return True
