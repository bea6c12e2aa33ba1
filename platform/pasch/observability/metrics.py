"""Figures for Prometheus, at /metrics/ with the operator's token.

Two sorts: what every web process counts (games/live/figures.py), added up over all processes of
this web server, and what is read from the database for each request, the same whichever web server
answers. docs/operations.md lists every figure with what to do about it.
"""

import logging
import os
from collections.abc import Callable, Iterator
from datetime import datetime
from hmac import compare_digest
from pathlib import Path
from typing import Any, Final

import psutil
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.models import Count, QuerySet, Sum
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseForbidden
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily as Gauge
from prometheus_client.metrics_core import Metric
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.registry import Collector

from accounts.tokens import bearer
from games.live.figures import histograms
from games.models import ChatReport, Deadline, Heartbeat, Match, Outage, Table
from ledger.models import Account
from ledger.postings import escrow_key
from ledger.selectors_desk import (
    adjustments_waiting,
    audit_latest,
    audit_latest_in_turns,
    audit_latest_recent,
)
from ledger.selectors_desk import payouts_waiting as payouts
from pasch.observability.parts import database_answers, valkey_answers

logger = logging.getLogger(__name__)

#: where several processes keep what they count; `pasch.serve` names a folder of its own.
FOLDER: Final = "PROMETHEUS_MULTIPROC_DIR"


@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """All figures as text; a house without METRICS_TOKEN has no such page."""
    if not settings.METRICS_TOKEN:
        raise Http404
    given = bearer(request.headers.get("Authorization", "")) or ""
    if not compare_digest(given.encode(), settings.METRICS_TOKEN.encode()):
        return HttpResponseForbidden("The token is missing or wrong.", content_type="text/plain")
    figures = generate_latest(_counted()) + generate_latest(_of_the_house())
    return HttpResponse(figures, content_type=CONTENT_TYPE_LATEST)


def _counted() -> CollectorRegistry:
    """The counts of all processes of this web server together."""
    registry = CollectorRegistry()
    folder = os.environ.get(FOLDER)
    if folder is None:
        registry.register(Counted(REGISTRY))  # one process, as in the tests
        return registry
    for path in Path(folder).glob("gauge_live*.db"):
        pid = int(path.stem.rpartition("_")[2])
        if not psutil.pid_exists(pid):
            mark_process_dead(pid)  # killed: its sockets are gone, what it counted stays
    registry.register(Counted(MultiProcessCollector(None)))
    return registry


class Counted(Collector):
    """The families of a collector, with whole histograms."""

    def __init__(self, source: Collector) -> None:
        self.source = source

    def describe(self) -> Iterator[Metric]:
        """Nothing is read when this is registered."""
        return iter(())

    def collect(self) -> Iterator[Metric]:
        """Every family."""
        return histograms(self.source.collect())


def _of_the_house() -> CollectorRegistry:
    registry = CollectorRegistry()
    registry.register(HouseFigures())
    return registry


class HouseFigures(Collector):
    """Figures of the house from the database, read for each request."""

    def describe(self) -> Iterator[Gauge]:
        """Nothing is read when this is registered."""
        return iter(())

    def collect(self) -> Iterator[Gauge]:
        """Every figure; those of the database are missing while it does not answer."""
        up = database_answers()
        yield Gauge("pasch_database_up", "Whether PostgreSQL answers.", value=up)
        yield Gauge("pasch_valkey_up", "Whether Valkey answers.", value=valkey_answers())
        if not up:
            return
        try:
            for read in READINGS:
                yield from read()
        except DatabaseError as error:
            logger.warning("figures of the house are missing: %s", error)


def _tables() -> Iterator[Gauge]:
    running = Gauge("pasch_matches_running", "Matches being played, by mode.", labels=["mode"])
    for mode, number in _by_mode(Match.objects.filter(ended_at=None)):
        running.add_metric([mode], number)
    yield running
    waiting = Gauge("pasch_tables_open", "Tables that wait for a guest, by mode.", labels=["mode"])
    for mode, number in _by_mode(Table.objects.filter(phase="open")):
        waiting.add_metric([mode], number)
    yield waiting


def _by_mode(rows: QuerySet[Any]) -> list[tuple[str, int]]:
    return list(rows.order_by("mode").values_list("mode").annotate(number=Count("pk")))


def _escrow() -> Iterator[Gauge]:
    matches = Match.objects.filter(ended_at=None).only("id")
    keys = [escrow_key(match.reference) for match in matches]
    held = Account.objects.filter(key__in=keys).aggregate(total=Sum("balance_cents"))["total"]
    yield Gauge("pasch_escrow_cents", "Stakes of running matches in escrow.", value=held or 0)


def _sweep() -> Iterator[Gauge]:
    due = Deadline.objects.order_by("due_at").values_list("due_at", flat=True).first()
    yield Gauge(
        "pasch_sweep_delay_seconds",
        "How long the oldest due deadline has waited for the sweep.",
        value=max(0.0, _age(due)) if due else 0.0,
    )
    beats = Gauge(
        "pasch_heartbeat_age_seconds",
        "How long ago a part of the house (web, sweep) was last alive.",
        labels=["role"],
    )
    for role, at in Heartbeat.objects.order_by("role").values_list("role", "beat_at"):
        beats.add_metric([role], _age(at))
    yield beats
    open_outages = Outage.objects.filter(credited_at=None).count()
    yield Gauge("pasch_outages_open", "Outages not given back yet.", value=open_outages)


def _audits() -> Iterator[Gauge]:
    findings = Gauge("pasch_audit_findings", "What the last audit found.", labels=["audit"])
    age = Gauge("pasch_audit_age_seconds", "Since when the last audit is done.", labels=["audit"])
    last = {
        "whole": audit_latest(),
        "in_turns": audit_latest_in_turns(),
        "recent": audit_latest_recent(),
    }
    for name, run in last.items():
        if run is not None:
            findings.add_metric([name], run.finding_count)
            age.add_metric([name], _age(run.started_at))
    yield from (findings, age)


def _desk() -> Iterator[Gauge]:
    waits = Gauge("pasch_desk_waiting", "What waits for an administrator.", labels=["what"])
    waits.add_metric(["payouts"], payouts().count())
    waits.add_metric(["adjustments"], adjustments_waiting().count())
    waits.add_metric(["reports"], ChatReport.objects.filter(outcome="").count())
    yield waits


def _database() -> Iterator[Gauge]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_database_size(current_database()), count(*)::int,"
            " coalesce(extract(epoch FROM max(clock_timestamp() - xact_start)), 0)"
            " FROM pg_stat_activity WHERE datname = current_database()"
        )
        size, connections, oldest = cursor.fetchone()
    yield Gauge("pasch_database_bytes", "The size of the database.", value=size)
    yield Gauge("pasch_database_connections", "Connections to the database.", value=connections)
    yield Gauge(
        "pasch_database_transaction_seconds", "The oldest open transaction.", value=float(oldest)
    )


READINGS: Final[tuple[Callable[[], Iterator[Gauge]], ...]] = (
    _tables,
    _escrow,
    _sweep,
    _audits,
    _desk,
    _database,
)


def _age(at: datetime) -> float:
    return (timezone.now() - at).total_seconds()
