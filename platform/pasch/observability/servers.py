"""Figures of PostgreSQL and Valkey as this house sees them, read for each request.

What only the servers' own exporters see (other disks, replication) is not here.
"""

import logging
import shutil
from collections.abc import Iterator
from typing import Final

from django.db import DatabaseError, connection
from django.utils import timezone
from prometheus_client.core import CounterMetricFamily as Counter
from prometheus_client.core import GaugeMetricFamily as Gauge
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector
from redis.exceptions import RedisError

from games.services.outages import copies_noted
from pasch.observability.parts import database_answers, folders_written, queue_length, valkeys_about

logger = logging.getLogger(__name__)

ACTIVITY: Final = """
    SELECT pg_database_size(current_database()), count(*)::int,
        current_setting('max_connections')::int
            - current_setting('superuser_reserved_connections')::int,
        coalesce(extract(epoch FROM max(clock_timestamp() - xact_start)), 0),
        count(*) FILTER (WHERE wait_event_type = 'Lock')
    FROM pg_stat_activity WHERE datname = current_database()
"""
WORK: Final = """
    SELECT xact_commit, xact_rollback, deadlocks, blks_read, blks_hit
    FROM pg_stat_database WHERE datname = current_database()
"""
ARCHIVED: Final = """
    SELECT extract(epoch FROM clock_timestamp() - last_archived_time),
        coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false)
    FROM pg_stat_archiver WHERE current_setting('archive_mode') <> 'off'
"""
TOLD: Final = ("used_memory", "maxmemory", "connected_clients", "total_commands_processed")
"""Of INFO."""


class ServerFigures(Collector):
    """Whether both servers answer, and how they are; a silent one has no further figures."""

    def describe(self) -> Iterator[Metric]:
        """Nothing is read when this is registered."""
        return iter(())

    def collect(self) -> Iterator[Metric]:
        """Every figure."""
        yield from _disks()
        up = database_answers()
        yield Gauge("pasch_database_up", "Whether PostgreSQL answers.", value=up)
        try:
            yield from (*_database(), *_copies()) if up else ()
        except DatabaseError as error:
            logger.warning("figures of PostgreSQL are missing: %s", error)
        found = _valkey_told()
        yield Gauge("pasch_valkey_up", "Whether Valkey answers.", value=found is not None)
        yield from _valkey(*found) if found else ()


def _disks() -> Iterator[Metric]:
    free = Gauge("pasch_disk_free", "Free part of the disk of a folder.", labels=["folder"])
    for folder in folders_written():
        usage = shutil.disk_usage(folder)
        free.add_metric([str(folder)], usage.free / usage.total)
    yield free


def _copies() -> Iterator[Metric]:
    with connection.cursor() as cursor:
        cursor.execute(ARCHIVED)
        archived = cursor.fetchone()
    ages = Gauge(
        "pasch_copy_age_seconds",
        "Since when the log was archived, a copy made, and sent to another place.",
        labels=["what"],
    )
    for what, at in copies_noted().items():
        ages.add_metric([what], max(0.0, (timezone.now() - at).total_seconds()))
    if archived and archived[0] is not None:
        ages.add_metric(["log"], float(archived[0]))
    yield ages
    fails = bool(archived and archived[1])
    yield Gauge("pasch_archive_fails", "Whether the log cannot be archived.", value=fails)


def _database() -> Iterator[Metric]:
    with connection.cursor() as cursor:
        cursor.execute(ACTIVITY)
        size, connections, most, oldest, locked = cursor.fetchone()
        cursor.execute(WORK)
        commits, rollbacks, deadlocks, read, hit = cursor.fetchone()
    yield Gauge("pasch_database_bytes", "The size of the database.", value=size)
    yield Gauge("pasch_database_connections", "Connections to the database.", value=connections)
    yield Gauge("pasch_database_connections_max", "Connections it has for all.", value=most)
    yield Gauge(
        "pasch_database_transaction_seconds", "The oldest open transaction.", value=float(oldest)
    )
    yield Gauge("pasch_database_locked", "Connections that wait for a lock.", value=locked)
    ended = Counter("pasch_database_transactions", "Transactions, by their end.", labels=["end"])
    ended.add_metric(["commit"], commits)
    ended.add_metric(["rollback"], rollbacks)
    yield ended
    yield Counter("pasch_database_deadlocks", "Transactions ended by a deadlock.", value=deadlocks)
    blocks = Counter("pasch_database_blocks", "Blocks read, by where they were.", labels=["where"])
    blocks.add_metric(["disk"], read)
    blocks.add_metric(["memory"], hit)
    yield blocks


def _valkey_told() -> tuple[dict[str, int], int] | None:
    """Figures of all servers together and the length of Celery's queue; None without an answer."""
    try:
        about = valkeys_about("default")
        length = queue_length()
    except RedisError:
        return None
    return {name: sum(int(each.get(name, 0)) for each in about) for name in TOLD}, length


def _valkey(told: dict[str, int], length: int) -> Iterator[Metric]:
    yield Gauge("pasch_valkey_bytes", "Memory in use by Valkey.", value=told["used_memory"])
    yield Gauge("pasch_valkey_bytes_max", "Its limit; 0: none.", value=told["maxmemory"])
    yield Gauge("pasch_valkey_clients", "Connections to Valkey.", value=told["connected_clients"])
    commands = told["total_commands_processed"]
    yield Counter("pasch_valkey_commands", "Commands that Valkey executed.", value=commands)
    yield Gauge("pasch_tasks_waiting", "Tasks of Celery that no worker has taken.", value=length)
