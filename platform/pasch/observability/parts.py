"""The parts of a running house, each with one question: "ready", or what is wrong in words.

A question that cannot be asked raises the error of the server that is away.
"""

import json
import os
import tempfile
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import cache as once
from pathlib import Path
from typing import Any, Final

from celery import current_app
from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError, InterfaceError, connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from redis import Redis
from redis.exceptions import RedisError

from analysis.queue import waiting
from analysis.report_state import workers_there
from games.models import Heartbeat
from games.services.outages import SILENCE, beats, outages_waiting, tables_waiting_count
from kit.database import database_now_ms, moment
from kit.periodic import PERIODIC
from kit.valkey.clients import client

READY: Final = "ready"
#: where Celery keeps the tasks that no worker has taken, newest first
QUEUE: Final = "celery:celery"
PING_SECONDS: Final = 1.0
#: of the newest tasks in the queue
LOOKED_AT: Final = 20


def database_answers() -> bool:
    """Whether PostgreSQL answers."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except (DatabaseError, InterfaceError):
        return False
    return True


def valkey_answers() -> bool:
    """Whether Valkey answers."""
    try:
        cache.get("health")
    except RedisError:
        return False
    return True


def migrations() -> str:
    """Whether the database has run every migration of this version."""
    applied = MigrationRecorder(connection).applied_migrations().keys()
    if applied >= _on_disk():
        return READY
    executor = MigrationExecutor(connection)
    missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return f"{len(missing)} missing: run manage.py prepare" if missing else READY


@once
def _on_disk() -> frozenset[tuple[str, str]]:
    loader = MigrationLoader(None)
    loader.load_disk()
    return frozenset(loader.disk_migrations)


def heartbeat_of(role: str, *, never: str, silent: str) -> str:
    """Whether the heartbeat of a role is recent; else a text with what to look at."""
    if (seconds := heartbeat_age_seconds(role)) is None:
        return f"has never run: {never}"
    if seconds > SILENCE.total_seconds():
        return f"silent for {int(seconds)} s: {silent}"
    return READY


def heartbeat_age_seconds(role: str) -> float | None:
    """The age of the last heartbeat of a role by the database's clock; None before the first."""
    beat_at = Heartbeat.objects.filter(role=role).values_list("beat_at", flat=True).first()
    return (moment(database_now_ms()) - beat_at).total_seconds() if beat_at else None


def outages() -> str:
    """Whether no outage is under way, and the time of every earlier one was given back."""
    silent_since = moment(database_now_ms()) - SILENCE
    if silent := beats().filter(beat_at__lt=silent_since).order_by("beat_at").first():
        return f"under way since {silent.beat_at:%Y-%m-%d %H:%M:%S} UTC ({silent.role})"
    if outages_waiting().exists():
        return f"over; its time is being given back, {tables_waiting_count()} tables wait for it"
    return READY


def workers() -> str:
    """Whether a worker of Celery answers."""
    replies = current_app.control.ping(timeout=PING_SECONDS, limit=1)
    return READY if replies else "none answers: start a worker"


def analysis() -> str:
    """Whether a worker of the analysis is there, or nothing waits for one."""
    if workers_there():
        return READY
    if number := waiting().count():
        return f"no worker, and {number} jobs wait: start manage.py analysis_worker"
    return f"{READY} (no worker, and nothing waits for one)"


def beat_sends(now: datetime) -> bool:
    """Whether beat has sent a task lately that no worker has taken yet."""
    return any(now - sent_at < SILENCE for sent_at in _sent_by_beat())


def queue_length() -> int:
    """How many tasks wait for a worker."""
    return int(broker().llen(QUEUE))


def broker() -> Redis:
    """The client of Celery's broker; it waits for at most two seconds and is not to be closed."""
    return client(settings.QUEUE_URL)


def folders_written() -> set[Path]:
    """Existing folders that the house, or an embedded server of it, writes."""
    found = {Path(tempfile.gettempdir()), Path(settings.STATIC_ROOT)}
    if settings.EMBEDDED:
        found.add(settings.HOME.root)
    if settings.LEDGER_SEAL_FILE:
        found.add(Path(settings.LEDGER_SEAL_FILE).parent)
    if folder := os.environ.get("BACKUP_FOLDER"):
        found.add(Path(folder))
    return {folder for folder in found if folder.is_dir()}


def valkeys_about(section: str) -> list[dict[str, Any]]:
    """A section of INFO of each server: of Valkey, and of the broker where that is another."""
    addresses = dict.fromkeys((settings.REDIS_URL, settings.QUEUE_URL))
    return [client(address).info(section) for address in addresses]


def _sent_by_beat() -> Iterator[datetime]:
    """When the newest tasks of the schedule were sent: they expire after a known time."""
    current_app.loader.import_default_modules()
    lives = {
        name: timedelta(seconds=work.expires_seconds)
        for name, work in PERIODIC.items()
        if work.expires_seconds is not None
    }
    messages = broker().lrange(QUEUE, 0, LOOKED_AT - 1)
    for message in messages:
        headers: dict[str, Any] = json.loads(message)["headers"]
        if headers["task"] in lives and headers.get("expires"):
            yield datetime.fromisoformat(headers["expires"]) - lives[headers["task"]]
