"""Figures for Prometheus, at /metrics/ with the operator's token.

Two sorts: what every web process counts (games/live/figures.py, counts.py), added up over all
processes of this web server, and what is read for each request (house.py, servers.py), the same
whichever web server answers. docs/operations-reference.md lists every figure and what to do.
"""

import os
from collections.abc import Iterator
from hmac import compare_digest
from pathlib import Path
from typing import Final

import psutil
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseForbidden
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.metrics_core import Metric
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.registry import Collector

from accounts.tokens import bearer
from games.live.figures import histograms
from pasch.observability.house import HouseFigures
from pasch.observability.servers import ServerFigures

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
    registry.register(ServerFigures())
    registry.register(HouseFigures())
    return registry
