"""Violations of a page's policy are reported, and reports cannot forge lines of the log."""

import json
import logging
from collections.abc import Callable, Iterator
from queue import Queue
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from harness.waiting import WAIT_SECONDS
from kit.throttle import Rate
from pasch.observability.logs import JsonLines, TextFormatter
from pasch.web import csp_reports

pytestmark = pytest.mark.django_db

PATH = "/csp-report/"
REPORT = {
    "csp-report": {
        "document-uri": "https://pasch.example/wallet/?secret=1#here",
        "violated-directive": "script-src-elem",
        "effective-directive": "script-src-elem",
        "blocked-uri": "https://evil.example/steal.js?wallet=99",
        "line-number": 7,
        "status-code": 200,
    }
}
KEPT = {
    "event": "csp",
    "directive": "script-src-elem",
    "line": "7",
    "page": "wallet",
    "blocked": "https://evil.example",
}


class Kept(logging.Handler):
    """Puts the records of the log into a queue."""

    def __init__(self) -> None:
        super().__init__()
        self.records: Queue[logging.LogRecord] = Queue()

    def emit(self, record: logging.LogRecord) -> None:
        self.records.put(record)


@pytest.fixture
def log() -> Iterator[Queue[logging.LogRecord]]:
    """The lines that are written to the log of reports."""
    handler = Kept()
    logger = logging.getLogger("pasch.csp")
    logger.addHandler(handler)
    yield handler.records
    logger.removeHandler(handler)


def send(report: object, kind: str = "application/csp-report", **more: Any) -> int:
    body = report if isinstance(report, bytes) else json.dumps(report)
    return Client(**more).post(PATH, body, content_type=kind).status_code


def event(record: logging.LogRecord) -> dict[str, str]:
    return record.event  # type: ignore[attr-defined]  # the logger's `extra` sets it


def test_a_report_is_one_line_with_what_is_ours_to_know(log: Queue[logging.LogRecord]) -> None:
    assert send(REPORT) == 204
    record = log.get_nowait()
    assert event(record) == KEPT
    for form in (TextFormatter(), JsonLines()):
        assert "\n" not in form.format(record)


def test_the_newer_form_is_understood_as_well(log: Queue[logging.LogRecord]) -> None:
    body = {
        "documentURL": "https://pasch.example/wallet/",
        "effectiveDirective": "script-src-elem",
        "blockedURL": "https://evil.example/steal.js",
        "lineNumber": 7,
    }
    told = [{"type": "csp-violation", "age": 3, "body": body}, {"type": "other", "body": None}]
    assert send(told, "application/reports+json; charset=utf-8") == 204
    assert event(log.get_nowait()) == KEPT
    assert log.empty()


def test_what_a_stranger_writes_stays_in_its_line(log: Queue[logging.LogRecord]) -> None:
    forged = "img-src\r\n2026-11-21 ERROR ledger.audit: all is lost\u2028\x1b[2J" + "x" * 5_000
    facts = {"effective-directive": forged, "document-uri": "https://[", "blocked-uri": "\ninline"}
    assert send({"csp-report": facts}) == 204
    told = event(log.get_nowait())
    assert told["directive"].isprintable()
    assert len(told["directive"]) <= csp_reports.TEXT_MAX
    assert told["page"] == "unknown"
    assert told["blocked"].isprintable()


def test_what_is_no_report_is_left_out_in_silence(log: Queue[logging.LogRecord]) -> None:
    for body in (b"{", b"[[[[1]]]]", b"7", b'{"csp-report": 3}', b"\xff", b"[" * 9_000):
        assert send(body) == 204
    assert log.empty()


def test_size_kind_and_number_have_limits(
    log: Queue[logging.LogRecord], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(csp_reports, "FROM_ONE_NETWORK", Rate(2, 86_400))
    assert send(b" " * (csp_reports.BYTES_MAX + 1)) == 413
    assert send(REPORT, "text/plain") == 415
    assert Client().get(PATH).status_code == 405
    assert log.empty()
    assert [send([REPORT] * 50), send(REPORT), send(REPORT)] == [204, 204, 429]
    assert log.qsize() == csp_reports.REPORTS_MAX + 1
    assert send(REPORT, REMOTE_ADDR="192.0.2.9") == 204, "others are not kept from reporting"


def test_every_page_names_the_endpoint(settings: Any) -> None:
    assert reverse("csp_report") == PATH
    page = Client().get("/rules/")
    assert f"report-uri {PATH}" in page["Content-Security-Policy"]
    assert "Reporting-Endpoints" not in page
    settings.HTTPS = True
    assert Client().get("/rules/")["Reporting-Endpoints"] == f'policy="{PATH}"'


def test_a_real_browser_reports_a_page_that_breaks_its_policy(
    player: Callable[..., Any], log: Queue[logging.LogRecord]
) -> None:
    page = player(None)
    page.goto("/rules/")
    with page.expect_console_message(lambda message: message.text.startswith("CSP ")):
        page.evaluate(
            """() => {
              const script = document.createElement('script');
              script.textContent = 'window.broken = true';
              document.head.append(script);
            }"""
        )
    told = event(log.get(timeout=WAIT_SECONDS))
    assert (told["page"], told["blocked"]) == ("rules", "inline")
    assert told["directive"].startswith("script-src")
    assert page.evaluate("window.broken") is None
    page.problems.clear()  # the messages of the console were expected here
