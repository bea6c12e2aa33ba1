"""Two addresses for monitoring: is this web server alive, and is the house ready?

`/health/` is for programs that restart or route around a web server: it checks only the parts this
server needs to answer at all. `/health/ready/` is for people and for programs that switch traffic
over: everything a match needs, each part with its reason.
"""

from datetime import timedelta
from typing import Final

from django.core.cache import cache
from django.db import DatabaseError, InterfaceError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from redis.exceptions import RedisError

from games.models import Heartbeat, Outage
from games.services.outages import SWEEP

#: the sweep beats every second; a little more than an outage is made of is bad news.
SWEEP_SILENCE: Final = timedelta(seconds=10)
READY: Final = "ready"


@never_cache
def health(request: HttpRequest) -> JsonResponse:
    """200 if PostgreSQL and Valkey answer, else 503 with the missing one, and nothing more."""
    state = {"database": database_answers(), "valkey": valkey_answers()}
    return JsonResponse(state, status=200 if all(state.values()) else 503)


@never_cache
def readiness(request: HttpRequest) -> JsonResponse:
    """200 if matches can be played here, else 503; each part is "ready" or the problem."""
    state = {"valkey": READY if valkey_answers() else "does not answer"}
    if database_answers():
        state |= {"database": READY, "migrations": _migrations(), "sweep": _sweep()}
    else:
        state |= {"database": "does not answer"}
    well = all(reason == READY for reason in state.values())
    return JsonResponse(state, status=200 if well else 503)


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


def _migrations() -> str:
    executor = MigrationExecutor(connection)
    missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return f"{len(missing)} missing: run manage.py prepare" if missing else READY


def _sweep() -> str:
    """The sweep beats only while both a worker and beat run."""
    beat_at = Heartbeat.objects.filter(role=SWEEP).values_list("beat_at", flat=True).first()
    if beat_at is None:
        return "has never run: start a worker and beat"
    if (silence := timezone.now() - beat_at) > SWEEP_SILENCE:
        seconds = int(silence.total_seconds())
        return f"silent for {seconds} s: look at the worker and at beat"
    if Outage.objects.filter(credited_at=None).exists():
        return "gives an outage back"
    return READY
