"""Reports of browsers about pages that broke the content security policy: one line each in the log.

Browsers send them without a login, so anybody can send anything: reports are limited in size and
number, and only a few known fields of each are kept. Addresses are reduced to the name of our page
and the origin of the blocked resource.
"""

import json
import logging
import unicodedata
from collections.abc import Callable, Iterator
from typing import Any, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import Resolver404, resolve
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from kit.throttle import Rate, network_of, take

logger = logging.getLogger("pasch.csp")

MEDIA_TYPES: Final = ("application/csp-report", "application/reports+json", "application/json")
BYTES_MAX: Final = 16_384
REPORTS_MAX: Final = 10
TEXT_MAX: Final = 120

#: how many calls are read from one network, and in all.
FROM_ONE_NETWORK: Final = Rate(20, 60)
IN_ALL: Final = Rate(200, 60)

#: the field of a report in either form, and what the log calls it.
FIELDS: Final = {
    "effective-directive": "directive",
    "effectiveDirective": "directive",
    "violated-directive": "directive",
    "line-number": "line",
    "lineNumber": "line",
    "script-sample": "sample",
    "sample": "sample",
}


class ReportingEndpoints:
    """Middleware: adds the header with the endpoint that the policy's report-to names."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request; browsers take the header over https alone."""
        response = self.get_response(request)
        if settings.HTTPS:
            name, path = settings.CSP_REPORT_NAME, settings.CSP_REPORT_PATH
            response["Reporting-Endpoints"] = f'{name}="{path}"'
        return response


@csrf_exempt
@require_POST
def csp_report(request: HttpRequest) -> HttpResponse:
    """Take what a browser reports; what cannot be understood is left out in silence."""
    if request.content_type not in MEDIA_TYPES:
        return HttpResponse(status=415)
    body = request.read(BYTES_MAX + 1)
    if len(body) > BYTES_MAX:
        return HttpResponse(status=413)
    network = network_of(request.META.get("REMOTE_ADDR", ""))
    if not take("csp", network, FROM_ONE_NETWORK) or not take("csp", "all", IN_ALL):
        return HttpResponse(status=429)
    for told in _reports(body):
        logger.warning("a page broke its policy", extra={"event": {"event": "csp", **told}})
    return HttpResponse(status=204)


def _reports(body: bytes) -> Iterator[dict[str, Any]]:
    """The kept fields of each report of a body, in either form; other content is dropped."""
    try:
        sent = json.loads(body)
    except (ValueError, RecursionError):
        return
    for report in (sent if isinstance(sent, list) else [sent])[:REPORTS_MAX]:
        if not isinstance(report, dict):
            continue
        facts = report.get("csp-report") or report.get("body")
        if isinstance(facts, dict):
            yield _kept(facts)


def _kept(facts: dict[str, Any]) -> dict[str, Any]:
    known = {new: _plain(facts[old]) for old, new in FIELDS.items() if facts.get(old)}
    page = facts.get("document-uri") or facts.get("documentURL")
    blocked = facts.get("blocked-uri") or facts.get("blockedURL")
    return {**known, "page": _page_name(str(page)), "blocked": _origin(str(blocked))}


def _page_name(address: str) -> str:
    """The name of our page at an address; the address itself may hold secrets."""
    try:
        return resolve(urlsplit(address).path).view_name
    except (Resolver404, ValueError):
        return "unknown"


def _origin(address: str) -> str:
    """Where something came from, without path and query; words like "inline" stay."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return "unreadable"
    return _plain(f"{parts.scheme}://{parts.netloc}" if parts.netloc else address.split(":")[0])


def _plain(value: object) -> str:
    """A short text of one line: whatever ends a line or steers a terminal becomes a space."""
    text = str(value)[:TEXT_MAX]
    return "".join(" " if unicodedata.category(sign)[0] in "CZ" else sign for sign in text)
