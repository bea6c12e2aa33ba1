"""Each address for monitoring answers its own question, and in time."""

import json
import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import psutil
import pytest
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django.utils import timezone

from accounts.models import User
from analysis.models import Job
from analysis.questions import worker_here
from games.models import Heartbeat, Outage
from games.services.outages import SWEEP, WEB, heartbeat
from games.services.tables import table_join, table_open
from harness.processes import Processes
from harness.waiting import wait_until
from pasch.observability import asking, health, parts
from pasch.observability.asking import Unanswered, asked
from pasch.servers.embedded import Home, postgres_pid, valkey_start, valkey_stop
from tests.platform.test_away import ask

pytestmark = pytest.mark.django_db(transaction=True)

READY = dict.fromkeys(("database", "migrations", "valkey"), "ready")


def answer_of(client: Client, name: str) -> tuple[int, dict[str, str]]:
    answer = client.get(f"/health/{name}/")
    assert "no-store" in answer.headers["Cache-Control"]
    return answer.status_code, answer.json()


# --- one process, whose rows the tests write ------------------------------------------------------


def newest_migration() -> tuple[str, str]:
    found: tuple[str, str] = MigrationLoader(connection).graph.leaf_nodes()[0]
    return found


@pytest.fixture
def recorder() -> Iterator[MigrationRecorder]:
    """Forgets a migration, and remembers it again at the end."""
    recorder = MigrationRecorder(connection)
    yield recorder
    if newest_migration() not in recorder.applied_migrations():
        recorder.record_applied(*newest_migration())


def test_ready_names_a_missing_migration_and_asks_for_nothing_else(
    client: Client, recorder: MigrationRecorder
) -> None:
    assert answer_of(client, "ready") == (200, READY)
    recorder.record_unapplied(*newest_migration())
    missing = {"migrations": "1 missing: run manage.py prepare"}
    assert answer_of(client, "ready") == (503, READY | missing)


def test_a_start_is_complete_once_and_stays_complete(
    client: Client, recorder: MigrationRecorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "_started", bytearray(1))
    recorder.record_unapplied(*newest_migration())
    status, state = answer_of(client, "started")
    assert (status, state["start"]) == (503, "not complete")
    assert state["migrations"] == "1 missing: run manage.py prepare"
    recorder.record_applied(*newest_migration())
    assert answer_of(client, "started") == (200, {"start": "ready"})
    recorder.record_unapplied(*newest_migration())
    assert answer_of(client, "started") == (200, {"start": "ready"})


def test_the_house_names_a_sweep_that_stopped_and_an_outage(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts, "PING_SECONDS", 0.1)  # no worker runs here

    def state() -> dict[str, str]:
        status, found = answer_of(client, "house")
        assert status == 503
        assert found["workers"] == "none answers: start a worker"
        return found

    assert state()["sweep"] == "has never run: start a worker and beat"
    assert state()["web"] == "has never run: start a web server"
    heartbeat(SWEEP)
    heartbeat(WEB)
    found = state()
    assert {found[name] for name in ("database", "valkey", "web", "sweep", "outages")} == {"ready"}
    Heartbeat.objects.filter(role=SWEEP).update(beat_at=timezone.now() - timedelta(seconds=30))
    found = state()
    assert found["sweep"] == "silent for 30 s: look at the worker and at beat"
    assert found["outages"].startswith("under way since ")
    assert found["outages"].endswith(" UTC (sweep)")
    assert found["beat"] == health.NO_BEAT
    heartbeat(SWEEP)  # which has noticed the outage
    assert state()["outages"] == "over; its time is being given back, 0 tables wait for it"
    Outage.objects.all().delete()
    assert state()["outages"] == "ready"


@pytest.mark.slow
def test_a_worker_of_the_analysis_is_missing_only_while_something_waits(client: Client) -> None:
    def analysis() -> str:
        return answer_of(client, "house")[1]["analysis"]

    assert analysis() == "ready (no worker, and nothing waits for one)"
    magriel, hilde = (User.objects.create_user(name) for name in ("magriel", "hilde"))
    table = table_open(user=magriel, mode="normal")
    table_join(user=hilde, table_id=table.pk)
    Job.objects.create(match=table.matches.get(), depth="quick")
    assert analysis() == "no worker, and 1 jobs wait: start manage.py analysis_worker"
    worker_here()
    assert analysis() == "ready"


# --- questions ------------------------------------------------------------------------------------


def test_a_question_that_hangs_costs_the_limit_and_is_asked_again_only_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    free, begun = threading.Event(), []

    def hang() -> str:
        begun.append(1)
        free.wait(20)
        return "at last"

    try:
        for _ in range(3):
            assert asked({"hanging": hang, "other": lambda: "at once"}, seconds=0.2) == {
                "hanging": Unanswered(),
                "other": "at once",
            }
        assert len(begun) == 1
        monkeypatch.setattr(asking, "AGAIN_SECONDS", 0.0)
        assert asked({"hanging": hang}, seconds=0.2) == {"hanging": Unanswered()}
        assert len(begun) == 2, "a connection to a machine that is gone may never answer"
    finally:
        free.set()
    assert asked({"hanging": hang}) == {"hanging": "at last"}


def test_an_error_is_the_answer_of_its_question() -> None:
    def fails() -> str:
        raise TimeoutError("of the question's own")

    answer = asked({"failing": fails})["failing"]
    assert isinstance(answer, Unanswered)
    assert isinstance(answer.error, TimeoutError)


# --- whole houses ---------------------------------------------------------------------------------


@contextmanager
def hanging(home: Home) -> Iterator[None]:
    """A PostgreSQL that takes connections and says nothing."""
    first = psutil.Process(postgres_pid(home))
    family = [first, *first.children(recursive=True)]
    for process in family:
        process.suspend()
    try:
        yield
    finally:
        for process in family:
            os.kill(process.pid, signal.SIGCONT)


def state_of(house: Processes, name: str) -> tuple[int, dict[str, str]]:
    answer = ask(house, f"/health/{name}/")
    return answer.status, json.loads(answer.text)


@pytest.mark.slow
def test_a_web_server_says_which_of_its_servers_is_missing(
    house: Processes, servers_of_its_own: Home
) -> None:
    assert state_of(house, "started") == (200, {"start": "ready"})
    assert state_of(house, "ready") == (200, READY)
    with hanging(servers_of_its_own):
        late = dict.fromkeys(("database", "migrations"), "no answer within 3 s")
        assert state_of(house, "ready") == (503, READY | late)
        assert state_of(house, "house")[1]["sweep"] == "no answer within 3 s"
        answer = ask(house, "/health/")
        assert (answer.status, json.loads(answer.text)["database"]) == (503, False)
        spent = []
        for _ in range(10):  # another process may answer each time
            began = time.monotonic()
            assert state_of(house, "live") == (200, {"process": "ready"})
            assert state_of(house, "started") == (200, {"start": "ready"})
            spent.append(time.monotonic() - began)
        assert min(spent) < asking.LIMIT_SECONDS, "nobody waits for the database"
    wait_until(lambda: state_of(house, "ready")[0] == 200)
    valkey_stop(servers_of_its_own)
    without = "ready for players at tables alone: Valkey does not answer"
    missing = (200, READY | {"valkey": without})
    wait_until(lambda: state_of(house, "ready") == missing)  # the pool may still be recovering
    assert state_of(house, "house")[0] == 503
    assert state_of(house, "live")[0] == 200
    found = state_of(house, "house")[1]
    unknown = "unknown while the valkey does not answer"
    assert (found["workers"], found["beat"]) == (unknown, unknown)
    valkey_start(servers_of_its_own)
    wait_until(lambda: state_of(house, "ready") == (200, READY))


@pytest.mark.slow
def test_a_house_is_well_while_worker_and_beat_run_and_names_what_died(
    house: Processes,
) -> None:
    house.start("worker", "beat")
    wait_until(lambda: state_of(house, "house")[0] == 200)
    house.kill("worker")
    wait_until(lambda: "silent" in state_of(house, "house")[1]["sweep"])
    status, found = state_of(house, "house")
    assert (status, found["workers"]) == (503, "none answers: start a worker")
    assert found["beat"] == "ready", "what it sends piles up"
    assert state_of(house, "ready") == (200, READY)
    house.kill("beat")
    wait_until(lambda: state_of(house, "house")[1]["beat"] == health.NO_BEAT)
