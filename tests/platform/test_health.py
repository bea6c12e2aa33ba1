"""The site's own answers: each address for monitoring, and errors in a shape for programs."""

import json
import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from http import HTTPStatus
from typing import Any

import psutil
import pytest
from django.core.exceptions import PermissionDenied
from django.core.exceptions import ValidationError as FieldError
from django.db import OperationalError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.http import Http404
from django.test import Client
from django.utils import timezone
from rest_framework.exceptions import Throttled, ValidationError

from accounts.models import User
from analysis.models import Job
from analysis.questions import worker_here
from backgammon.rules.errors import IllegalPlay
from games.models import Heartbeat, Outage
from games.services.outages import SWEEP, WEB, heartbeat
from games.services.tables import table_join, table_open
from games.table.errors import BadTerms, NotSeated, NotYourTurn
from harness.processes import Processes
from harness.servers import NO_VALKEY
from harness.waiting import wait_until
from kit.errors import Refusal
from kit.sentences import plain_sentence
from ledger.errors import AccountFrozen, InsufficientCredits
from pasch.observability import asking, health, parts
from pasch.observability.asking import Unanswered, asked
from pasch.servers.embedded import Home, postgres_pid, valkey_start, valkey_stop
from pasch.web.errors import exception_handler, status_of
from ratings.models import Rating
from tests.platform.test_away import ask

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


@pytest.mark.django_db(transaction=True)
def test_ready_names_a_missing_migration_and_asks_for_nothing_else(
    client: Client, recorder: MigrationRecorder
) -> None:
    assert answer_of(client, "ready") == (200, READY)
    recorder.record_unapplied(*newest_migration())
    missing = {"migrations": "1 missing: run manage.py prepare"}
    assert answer_of(client, "ready") == (503, READY | missing)


@pytest.mark.django_db(transaction=True)
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


@pytest.mark.django_db(transaction=True)
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


@pytest.mark.django_db(transaction=True)
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


@pytest.mark.django_db(transaction=True)
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


@pytest.mark.django_db(transaction=True)
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


# --- errors ---------------------------------------------------------------------------------------
@pytest.mark.django_db
def test_health_names_what_does_not_answer(client: Client, settings: Any) -> None:
    answer = client.get("/health/")
    assert (answer.status_code, answer.json()) == (200, {"database": True, "valkey": True})
    assert "no-store" in answer.headers["Cache-Control"]
    redis = "django.core.cache.backends.redis.RedisCache"
    settings.CACHES = {"default": {"BACKEND": redis, "LOCATION": NO_VALKEY}}
    answer = client.get("/health/")
    assert (answer.status_code, answer.json()) == (503, {"database": True, "valkey": False})


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (IllegalPlay("no such move"), HTTPStatus.BAD_REQUEST),
        (BadTerms("no such stake"), HTTPStatus.BAD_REQUEST),
        (NotSeated("a watcher"), HTTPStatus.FORBIDDEN),
        (AccountFrozen("wallet:1"), HTTPStatus.FORBIDDEN),
        (NotYourTurn("wait"), HTTPStatus.CONFLICT),
        (InsufficientCredits(1, 250, 100), HTTPStatus.CONFLICT),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_domain_error_keeps_its_code(error: Exception, status: HTTPStatus) -> None:
    """Its message is the sentence for people, where it has one."""
    response = exception_handler(error, {})
    assert response is not None
    assert response.status_code == status
    message = plain_sentence(error) if isinstance(error, Refusal) else str(error)
    assert response.data == {"code": error.code, "message": message}  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (Http404(), 404, "not_found"),
        (PermissionDenied(), 403, "permission_denied"),
        (Throttled(wait=3), 429, "throttled"),
        (ValidationError({"stake_cents": ["too much"]}), 400, "invalid"),
        (FieldError("too much"), 400, "invalid"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_an_error_of_the_framework_has_the_same_shape(
    error: Exception, status: int, code: str
) -> None:
    response = exception_handler(error, {})
    assert response is not None
    assert (response.status_code, response.data["code"]) == (status, code)
    assert isinstance(response.data["message"], str)


def test_a_bug_stays_a_bug() -> None:
    assert status_of(KeyError("x")) is None
    assert exception_handler(KeyError("x"), {}) is None


def test_while_valkey_is_away_a_page_says_when_to_ask_again(db: None, settings: Any) -> None:
    redis = "django.core.cache.backends.redis.RedisCache"
    settings.CACHES = {"default": {"BACKEND": redis, "LOCATION": NO_VALKEY}}
    client = Client(raise_request_exception=False)
    answer = client.post("/accounts/login/", {"login": "hilde", "password": "of no use"})
    assert (answer.status_code, answer.headers.get("Retry-After")) == (503, "5")


def test_while_postgresql_is_away_a_page_says_when_to_ask_again(transactional_db: None) -> None:
    client = Client(raise_request_exception=False)
    with connection.cursor() as cursor, suppress(OperationalError):
        cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")
    answer = client.get("/ranking/")
    connection.close()
    assert (answer.status_code, answer.headers.get("Retry-After")) == (503, "5")
    assert client.get("/ranking/").status_code == 200


def test_an_error_of_ours_is_no_promise(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Rating, "objects", None)
    answer = Client(raise_request_exception=False).get("/ranking/")
    assert (answer.status_code, answer.headers.get("Retry-After")) == (500, None)
