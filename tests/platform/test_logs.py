"""The log: one event per line for any input, with its context, and without secrets."""

import json
import logging
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from asgiref.sync import async_to_sync
from django.db import DatabaseError, connection
from django.test import Client

from games.tasks import bot_move
from pasch.observability import away
from pasch.observability.logs import About, JsonLines, TextFormatter, logging_settings
from pasch.observability.tracing import (
    TASK_HEADER,
    Traced,
    _trace,
    task_begins,
    task_ends,
    task_sent,
    trace_now,
)
from tests.platform.test_settings import deployed

FORGED = 'x\n2026-11-21T15:00:00.000Z ERROR ledger: all gone\r\x1b[2J\x85\u2028{"level": 1}'


@pytest.fixture(autouse=True)
def _nothing_known() -> Any:
    token = _trace.set(None)
    yield
    _trace.reset(token)


def record(message: str, *args: object, **more: Any) -> logging.LogRecord:
    made = logging.makeLogRecord({"name": "games", "levelname": "WARNING", "msg": message, **more})
    made.args = args
    About().filter(made)
    return made


def raised(text: str) -> Any:
    try:
        raise ValueError(text)
    except ValueError as error:
        return (ValueError, error, error.__traceback__)


@pytest.mark.parametrize("formatter", [TextFormatter(), JsonLines()])
def test_what_a_stranger_sent_stays_in_its_line(formatter: logging.Formatter) -> None:
    line = formatter.format(record("name %s", FORGED, event={"event": FORGED}))
    assert len(line.splitlines()) == 1
    assert "\x1b" not in line
    assert "all gone" in line


def test_a_traceback_is_indented_and_cannot_pass_for_lines_of_the_log() -> None:
    lines = TextFormatter().format(record("failed", exc_info=raised(FORGED))).splitlines()
    assert len(lines) > 2
    assert all(line.startswith("    ") for line in lines[1:])
    told = json.loads(JsonLines().format(record("failed", exc_info=raised("seven"))))
    assert "ValueError: seven" in told["exception"]


@pytest.mark.parametrize("formatter", [TextFormatter(), JsonLines()])
def test_no_line_opens_a_door(formatter: logging.Formatter) -> None:
    secrets = ("postgresql://pasch:hunter2@db/x", "Bearer pasch_0123456789abcdefXYZ")
    line = formatter.format(record("%s %s", *secrets, exc_info=raised(" ".join(secrets))))
    assert "hunter2" not in line
    assert "0123456789abcdef" not in line
    assert "postgresql://pasch:***@db/x" in line


def test_a_line_of_json_has_its_fields() -> None:
    _trace.set(SimpleNamespace(fields=lambda: {"request_id": "abcdefgh", "user_id": 7}))
    told = json.loads(JsonLines().format(record("it is %d", 5, event={"event": "refused"})))
    assert told.pop("time").endswith("Z")
    assert told.pop("process") > 0
    assert told == {
        "level": "WARNING",
        "logger": "games",
        "message": "it is 5",
        "request_id": "abcdefgh",
        "user_id": 7,
        "event": "refused",
    }


def test_both_forms_can_be_set_up() -> None:
    for form in ("text", "json"):
        assert logging_settings(form=form, level="INFO")["formatters"]["line"]


# --- what a line is about -------------------------------------------------------------------------


def asked(app: Any, *, peer: str, headers: dict[str, str]) -> tuple[str, dict[bytes, bytes]]:
    """The id of a request and the headers that the application received."""
    sent: list[dict[str, Any]] = []

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "path": "/", "client": (peer, 4711), "headers": pairs}
    async_to_sync(app)(scope, None, send)
    return dict(sent[0]["headers"])[b"x-request-id"].decode(), dict(scope["headers"])


async def page(scope: Any, receive: Any, send: Any) -> None:
    logging.getLogger("games").warning("told %s", trace_now().fields()["request_id"])
    await send({"type": "http.response.start", "status": 200, "headers": []})


TOLD = {"x-request-id": "given-by-nginx", "x-forwarded-for": "1.2.3.4", "forwarded": "for=1.2.3.4"}


def test_an_id_is_believed_of_our_proxy_alone(caplog: pytest.LogCaptureFixture) -> None:
    site = Traced(page, trusted=["172.31.77.0/24", "::1"])
    request_id, headers = asked(site, peer="172.31.77.4", headers=TOLD)
    assert request_id == "given-by-nginx"
    assert set(headers) == {name.encode() for name in TOLD}
    assert caplog.messages == ["told given-by-nginx"]

    request_id, headers = asked(site, peer="172.31.78.4", headers=TOLD)
    assert len(request_id) == 32
    assert headers == {}, "nobody else is believed, not even further inside"
    forged = {"x-request-id": 'a" evil: "'}
    assert len(asked(site, peer="::1", headers=forged)[0]) == 32


def test_a_page_knows_who_asked(client: Client, django_user_model: Any, caplog: Any) -> None:
    magriel = django_user_model.objects.create_user("magriel")
    client.force_login(magriel)
    caplog.handler.addFilter(about := About())
    try:
        assert client.put("/wallet/payouts/").status_code == 405
    finally:
        caplog.handler.removeFilter(about)
    refused = caplog.records[-1]
    assert refused.event["route"] == "wallet/payouts/"
    assert refused.about["user_id"] == magriel.pk
    assert len(refused.about["request_id"]) == 32
    assert trace_now().request_id == "", "nothing of it stays behind"


def test_a_task_carries_the_id_of_the_request_that_sent_it() -> None:
    _trace.set(SimpleNamespace(request_id="abcdefgh"))
    headers: dict[str, Any] = {}
    task_sent(headers=headers)
    assert headers == {TASK_HEADER: "abcdefgh"}

    table = str(uuid4())
    task = SimpleNamespace(request=SimpleNamespace(**headers), run=bot_move.run)
    task_begins(task_id="t", task=task, args=(table,), kwargs={})
    assert trace_now().fields() == {"request_id": "abcdefgh", "table_id": table}
    task.request = None
    task_begins(task_id="by-the-clock", task=task, args=(table,), kwargs={})
    assert trace_now().request_id == "by-the-clock"
    task_ends()
    assert trace_now().request_id == ""


@pytest.mark.django_db(transaction=True)
def test_a_full_disk_is_one_line_a_minute_however_much_fails(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(away, "_said_at", {})
    monkeypatch.setattr(away, "_unsaid", {})
    said = []
    for number in range(50):
        if number == 49:  # a minute later
            away._said_at[away.DISK] -= away.REPEAT_SECONDS
        try:
            with connection.cursor() as cursor:
                cursor.execute(
                    "DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = 'disk_full', MESSAGE ="
                    " 'could not extend file: No space left on device'; END $$"
                )
        except DatabaseError as error:
            how = {"exc_info": (type(error), error, error.__traceback__)} if number % 2 else {}
            made = record("it failed", *([] if how else [error]), **how)
            if away.OncePerAbsence().filter(made):
                said.append(made.getMessage())
    line = "The disk of PostgreSQL is full, so that nobody can play: "
    line += "could not extend file: No space left on device"
    assert said == [line, f"{line} (48 more failed since the last line)"]


def test_a_server_that_recovers_from_a_full_disk_names_the_disk(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(away, "_back_at", {})
    error = psycopg.OperationalError("the database system is in recovery mode")
    for full_bytes, tail in ((0, ""), (2**62, "; the disk of ")):  # no disk counts as full, or each
        monkeypatch.setattr(away, "_said_at", {})
        monkeypatch.setattr(away, "FULL_BYTES", full_bytes)
        made = record("it failed: %s", error)
        assert away.OncePerAbsence().filter(made)
        said = made.getMessage()
        assert said.startswith(
            f"PostgreSQL does not answer: the database system is in recovery mode{tail}"
        )
        assert ("is full" in said) == bool(tail)


@pytest.mark.slow
def test_a_worker_of_the_analysis_without_a_database_says_so_in_the_log() -> None:
    away_at = "postgresql://nobody@127.0.0.1:1/none"
    done = deployed(
        "manage.py", "analysis_worker", "--once", DATABASE_URL=away_at, LOG_FORMAT="json"
    )
    lines = [json.loads(line) for line in done.stderr.splitlines()]
    assert len(lines) == 1
    assert lines[0]["message"].startswith("PostgreSQL does not answer")
