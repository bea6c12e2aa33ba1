"""The processes of the house: web servers, workers, beat, and workers of the analysis."""

from datetime import UTC, datetime
from typing import Final

from celery import current_app

from games.services.outages import SILENCE, SWEEP, WEB
from kit.sweeps import Stuck
from pasch.doctor.registry import Diagnosis, inside, ok, warning, wrong
from pasch.observability import parts

#: beat sends a few tasks a second at most, and a worker takes them at once
QUEUE_MAX: Final = 200


@inside("valkey")
def workers() -> Diagnosis:
    """A worker of Celery answers."""
    replies = current_app.control.ping(timeout=parts.PING_SECONDS)
    names = sorted(name for reply in replies or () for name in reply)
    if not names:
        return wrong("no worker answers", "start one: celery -A pasch worker")
    return ok(f"workers that answer: {', '.join(names)}")


@inside("postgresql")
def beat() -> Diagnosis:
    """Beat sends its tasks: the sweep ran, or they wait in the queue."""
    age = parts.heartbeat_age_seconds(SWEEP)
    if age is not None and age <= SILENCE.total_seconds():
        return ok("beat sends: the sweep ran just now")
    if parts.beat_sends(datetime.now(tz=UTC)):
        return ok("beat sends, and no worker takes it")
    return wrong("no sign of beat", "start it: celery -A pasch beat")


@inside("postgresql")
def sweep() -> Diagnosis:
    """The sweep, which ends clocks and deadlines, ran lately."""
    return _heartbeat(SWEEP, "look at the checks workers and beat")


@inside("postgresql")
def web() -> Diagnosis:
    """A web server runs."""
    return _heartbeat(WEB, "start one: python -m pasch.serve")


@inside("postgresql")
def outages() -> Diagnosis:
    """No outage is under way, and none waits to be given back."""
    state = parts.outages()
    if state != parts.READY:
        return warning(f"an outage: {state}; clocks stand still", "look at sweep and web")
    return ok("no outage")


@inside("postgresql")
def stuck() -> Diagnosis:
    """Sweeps go round nothing."""
    if number := Stuck.objects.count():
        oldest = Stuck.objects.order_by("since")[0]
        text = f"sweeps go round {number}, first {oldest.item} ({oldest.sweep}): {oldest.error}"
        return warning(text, "read the first page of the desk, and the worker's log")
    return ok("sweeps go round nothing")


@inside("valkey")
def queue() -> Diagnosis:
    """Tasks do not pile up."""
    length = parts.queue_length()
    if length > QUEUE_MAX:
        return wrong(f"{length} tasks wait", "start more workers, or look at their log")
    return ok(f"tasks that wait: {length}")


@inside("postgresql")
def analysis() -> Diagnosis:
    """A worker of the analysis runs, if anything waits for one."""
    state = parts.analysis()
    if not state.startswith(parts.READY):
        return warning(f"analysis: {state}", "their pages say that they wait")
    return ok(f"analysis: {state}")


def _heartbeat(role: str, todo: str) -> Diagnosis:
    age = parts.heartbeat_age_seconds(role)
    if age is None:
        return wrong(f"no heartbeat of {role} yet", todo)
    text = f"the last heartbeat of {role} is {age:.0f} s old"
    return wrong(text, todo) if age > SILENCE.total_seconds() else ok(text)
