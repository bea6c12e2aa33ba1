"""The Celery application: work outside of a request, and the clock that wakes it."""

import os
from logging.config import dictConfig
from typing import Any

from celery import Celery, signals

from pasch.broker import steady
from pasch.observability.tracing import task_begins, task_ends, task_sent

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pasch.settings")

steady()
app = Celery("pasch")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()

signals.before_task_publish.connect(task_sent)
signals.task_prerun.connect(task_begins)
signals.task_postrun.connect(task_ends)


@signals.setup_logging.connect
def logs_as_everywhere(**_: Any) -> None:
    """Log as the rest of the house does; without this Celery would set up its own."""
    from django.conf import settings

    dictConfig(settings.LOGGING)
