"""Errors in the house's own dress: status, language, what to do next, without scripts."""

import json
import logging
import re
from collections.abc import Callable, Iterator
from queue import Queue
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from harness.waiting import WAIT_SECONDS
from kit.throttle import Rate
from pasch.observability.logs import JsonLines, TextFormatter
from pasch.web import csp_reports
from tests.pages.test_pages import INLINE

pytestmark = pytest.mark.django_db

LANGUAGES = {"en": "Home", "de": "Startseite"}


@pytest.fixture(params=LANGUAGES)
def reader(request, db) -> Client:
    """A visitor whose forms need their token; `language` is the one the browser asks for."""
    client = Client(enforce_csrf_checks=True, headers={"accept-language": request.param})
    client.language = request.param
    return client


def is_of_the_house(response, reader: Client, status: int) -> str:
    """The page, after a look at what all error pages have."""
    page = response.content.decode()
    assert response.status_code == status
    assert f'<html lang="{reader.language}" data-theme="device">' in page
    assert f">{status}<" in page
    assert f'href="/">{LANGUAGES[reader.language]}</a>' in page
    title = re.search(r"<title>(.+) · Pasch</title>", page)
    assert title
    assert f"<h1>{title[1]}</h1>" in page
    assert re.search(r'<meta name="description" content=".+">', page)
    assert not INLINE.findall(page)
    assert "<script" not in page
    return page


def test_without_cookies_a_form_is_answered_with_how_to_allow_them(reader):
    login = reverse("account_login")
    before = f"http://testserver{login}?next=/play/"
    response = reader.post(login, {"login": "x"}, headers={"referer": before})
    page = is_of_the_house(response, reader, 403)
    assert {"en": "Cookies are turned off", "de": "Cookies sind ausgeschaltet"}[
        reader.language
    ] in page
    assert f'href="{login}?next=/play/"' in page
    assert "no-store" in response["cache-control"]


def test_a_form_out_of_date_leads_back_to_its_page_and_nowhere_else(reader):
    reader.cookies[settings.CSRF_COOKIE_NAME] = "x" * 32
    elsewhere = {"referer": "http://elsewhere.example/trap/"}
    response = reader.post(reverse("account_login"), {"login": "x"}, headers=elsewhere)
    page = is_of_the_house(response, reader, 403)
    assert {"en": "This form is out of date", "de": "Dieses Formular ist veraltet"}[
        reader.language
    ] in page
    assert "elsewhere.example" not in page
    assert "/trap/" not in page


def test_a_page_that_does_not_exist(reader):
    page = is_of_the_house(reader.get("/no/such/page/"), reader, 404)
    assert 'href="/play/"' in page


def test_a_page_of_others(reader, django_user_model):
    reader.force_login(django_user_model.objects.create_user("hilde"))
    is_of_the_house(reader.get(reverse("desk:overview")), reader, 403)


def test_a_form_that_is_too_large(reader):
    reader.cookies[settings.CSRF_COOKIE_NAME] = "x" * 32
    body = "login=" + "x" * settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    kind = "application/x-www-form-urlencoded"
    response = reader.post(reverse("account_login"), body, content_type=kind)
    is_of_the_house(response, reader, 413)


def test_a_request_that_makes_no_sense(reader):
    response = reader.get("/", headers={"host": "not a host"})
    is_of_the_house(response, reader, 400)


def test_too_many_requests(reader):
    reset = reverse("account_reset_password")
    reader.handler.enforce_csrf_checks = False
    for _ in range(20):
        reader.post(reset, {"email": "nobody@example.org"})
    is_of_the_house(reader.post(reset, {"email": "nobody@example.org"}), reader, 429)


def test_a_fault_of_the_house(reader, monkeypatch):
    def breaks(*_args: object, **_kwargs: object) -> None:
        raise RuntimeError

    monkeypatch.setattr("pasch.pages.front_door.tiles", breaks)
    reader.raise_request_exception = False
    page = is_of_the_house(reader.get("/"), reader, 500)
    assert 'href="">' in page


# --- reports of the policy ------------------------------------------------------------------------
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
