"""The Celery application: work outside of a request, and the clock that wakes it."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pasch.settings")

app = Celery("pasch")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
