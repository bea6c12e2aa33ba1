"""Sentry and OpenTelemetry receive what helps an operator, and nothing about people.

A server of the test receives what real processes send. The packages are none of a house's own.
"""

import gzip
import json
import re
import threading
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from http.cookiejar import CookieJar
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import brotli
import pytest
from django.db import connection

from accounts.models import User
from harness.processes import Processes
from harness.waiting import WAIT_SECONDS, wait_until
from pasch.celery import app
from tests.platform.test_settings import deployed

MARK = "2Vx9kQpersonal"  # part of everything that a person sends here
PASSWORD = "lantern-Ufer-81-hedge"
ADDRESS = "203.0.113.77"
needs_sentry = pytest.mark.skipif(
    find_spec("sentry_sdk") is None, reason="sentry-sdk is not installed here"
)
needs_traces = pytest.mark.skipif(
    find_spec("opentelemetry") is None, reason="opentelemetry is not installed here"
)


UNPACK: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    "gzip": gzip.decompress,
    "br": brotli.decompress,
}


class Receiver(ThreadingHTTPServer):
    """Keeps every request that it receives: its path and headers as text, and its body."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Keeping)
        self.received: list[tuple[str, bytes]] = []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def wait_for(self, reached: Callable[[], Any]) -> Any:
        return wait_until(reached, lambda: self.received)


class Keeping(BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        body = UNPACK[self.headers.get("Content-Encoding", "")](body)
        self.server.received.append((f"{self.path}\n{self.headers}", body))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        """Log nothing."""


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    receiver = Receiver()
    yield receiver
    receiver.shutdown()
    receiver.server_close()


@pytest.fixture
def house(transactional_db: None, tmp_path: Path, receiver: Receiver) -> Iterator[Processes]:
    """Processes that report to the receiver once a test has set the variables."""
    with Processes(tmp_path, [(3, 1)]) as house:
        house.environment |= {
            "OTEL_BSP_SCHEDULE_DELAY": "100",
            "TRUSTED_PROXIES": "127.0.0.1",
            "WEB_WORKERS": "2",
        }
        yield house


@pytest.fixture
def broken_logins() -> Iterator[None]:
    """Every login fails inside PostgreSQL with a text that repeats what was typed."""
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE FUNCTION broken() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
            " RAISE EXCEPTION 'planted about %', NEW.username;"
            " END $$;"
            "CREATE TRIGGER broken BEFORE INSERT OR UPDATE ON accounts_user FOR EACH ROW"
            " EXECUTE FUNCTION broken()"
        )
        try:
            yield
        finally:
            cursor.execute("DROP TRIGGER broken ON accounts_user; DROP FUNCTION broken()")


class Browser:
    """A browser of one person, with cookies and an address of its own."""

    def __init__(self, house: Processes) -> None:
        self.house = house
        self.cookies = CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.cookies))
        self.opener.addheaders = [("X-Forwarded-For", ADDRESS), ("User-Agent", MARK)]

    def get(self, path: str) -> str:
        with self.opener.open(f"{self.house.address}{path}", timeout=WAIT_SECONDS) as answer:
            return str(answer.read().decode())

    def post(self, path: str, **fields: str) -> int:
        page = self.get(path)
        token = re.findall(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)[0]
        body = urllib.parse.urlencode({"csrfmiddlewaretoken": token, **fields}).encode()
        try:
            with self.opener.open(
                f"{self.house.address}{path}", body, timeout=WAIT_SECONDS
            ) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as error:
            return error.code

    def secrets(self) -> list[str]:
        """What no one else may learn: what was typed, the address, every cookie."""
        return [MARK, PASSWORD, ADDRESS, *(str(cookie.value) for cookie in self.cookies)]


def sign_up(house: Processes) -> tuple[Browser, int]:
    browser = Browser(house)
    status = browser.post(
        f"/accounts/signup/?next=/{MARK}/",
        username=f"n{MARK}",
        email=f"{MARK}@example.org",
        password1=PASSWORD,
    )
    return browser, status


@pytest.mark.slow
@needs_sentry
def test_an_error_reaches_sentry_without_the_person(
    house: Processes, receiver: Receiver, broken_logins: None
) -> None:
    port = receiver.server_address[1]
    house.environment["SENTRY_DSN"] = f"http://anykey@127.0.0.1:{port}/1"
    house.environment["SENTRY_ENVIRONMENT"] = "rehearsal"
    house.start("web")
    browser, status = sign_up(house)
    assert status == 500
    assert MARK in house.log.read_text(), "the operator's own log has the text"

    def events() -> list[dict[str, Any]]:
        lines = [line for _, body in receiver.received for line in body.splitlines()]
        found = [json.loads(line) for line in lines]
        return [each for each in found if "logger" in each]

    (event,) = receiver.wait_for(events)
    assert set(event) <= {
        "event_id", "timestamp", "level", "logger", "logentry", "exception", "tags",
        "environment", "release", "platform", "sdk", "transaction",
    }  # fmt: skip
    assert (event["level"], event["logger"]) == ("error", "django.request")
    assert event["transaction"] == "accounts/signup/"
    assert event["environment"] == "rehearsal"
    assert event["tags"]["request_id"] in house.log.read_text()
    errors = event["exception"]["values"]
    assert [error["type"] for error in errors] == ["RaiseException", "ProgrammingError"]
    assert all(set(error) == {"type", "module", "stacktrace"} for error in errors)
    frames = [frame for error in errors for frame in error["stacktrace"]["frames"]]
    assert all(set(frame) == {"filename", "function", "lineno"} for frame in frames)
    assert any(frame["filename"].endswith("accounts/adapter.py") for frame in frames)
    everything = "".join(f"{head}{body.decode()}" for head, body in receiver.received)
    for secret in browser.secrets():
        assert secret not in everything


@pytest.mark.slow
@needs_traces
def test_requests_and_tasks_are_traced_without_people(house: Processes, receiver: Receiver) -> None:
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
        ExportTraceServiceRequest,
    )

    port = receiver.server_address[1]
    house.environment["OTEL_EXPORTER_OTLP_ENDPOINT"] = f"http://127.0.0.1:{port}"
    house.start("web", "worker")
    browser, status = sign_up(house)
    assert status in (200, 404), "it goes on to a page that does not exist"
    assert User.objects.filter(username=f"n{MARK}").exists()
    app.send_task("games.tasks.sweep_lobby")

    def spans() -> dict[str, Any]:
        found = {}
        for _, body in receiver.received:
            for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
                for scope in resource.scope_spans:
                    found |= {span.name: span for span in scope.spans}
        return found

    wanted = {"POST accounts/signup/", "games.tasks.sweep_lobby"}
    told = receiver.wait_for(lambda: (each := spans()).keys() >= wanted and each)
    facts = {
        item.key: item.value.string_value or item.value.int_value or item.value.double_value
        for item in told["POST accounts/signup/"].attributes
    }
    assert facts["http.route"] == "accounts/signup/"
    assert facts["http.response.status_code"] == 302
    assert facts["pasch.database.statements"] > 3
    assert 0 < facts["pasch.database.seconds"] < WAIT_SECONDS
    assert len(facts) == 6
    (state,) = told["games.tasks.sweep_lobby"].attributes
    assert (state.key, state.value.string_value) == ("pasch.task.state", "SUCCESS")
    for span in told.values():
        assert not span.events, "an exception's text would be one"
    everything = b"".join(head.encode() + body for head, body in receiver.received)
    for secret in browser.secrets():
        assert secret.encode() not in everything


@pytest.mark.slow
@pytest.mark.parametrize(
    ("variable", "value", "package"),
    [
        ("SENTRY_DSN", "http://key@127.0.0.1:1/1", "sentry_sdk"),
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1", "opentelemetry"),
    ],
)
def test_without_the_packages_one_sentence_names_them(
    variable: str, value: str, package: str
) -> None:
    hidden = f"import sys; sys.modules['{package}'] = None\nimport django; django.setup()"
    told = {"DJANGO_SETTINGS_MODULE": "pasch.settings", variable: value}
    result = deployed("-c", hidden, **told)
    assert result.returncode == 1
    assert f"{variable} is set, but its packages are missing" in result.stderr.splitlines()[-1]
    assert "deploy/requirements/observe.lock" in result.stderr
