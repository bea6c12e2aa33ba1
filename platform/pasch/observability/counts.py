"""Counts of this web server: its pages with their durations, and the errors in its log."""

import logging
import time
from collections.abc import Callable
from typing import Final

from django.http import HttpRequest, HttpResponse
from prometheus_client import Counter, Histogram

#: pages of monitoring and files would hide how long people wait
_KINDS: Final = {
    "/api/": "api",
    "/static/": "file",
    "/health/": "monitoring",
    "/metrics/": "monitoring",
}
BOUNDS_SECONDS: Final = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)

REQUESTS: Final = Counter("pasch_requests", "Requests, by kind and class.", ["kind", "status"])
SECONDS: Final = Histogram(
    "pasch_request_seconds", "From a request to its response.", ["kind"], buckets=BOUNDS_SECONDS
)
REPLICA_PAGES: Final = Counter(
    "pasch_replica_pages", "Pages that may be a moment old, by the server that was read.", ["at"]
)
ERRORS: Final = Counter("pasch_log_errors", "Errors in the log of this server.")


class RequestCounts:
    """Middleware: counts every request and how long its response took."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request."""
        began = time.perf_counter()
        response = self.get_response(request)
        kind = kind_of(request.path)
        SECONDS.labels(kind).observe(time.perf_counter() - began)
        REQUESTS.labels(kind, f"{response.status_code // 100}xx").inc()
        return response


def kind_of(path: str) -> str:
    """`page`, `api`, `file` or `monitoring`."""
    begin = next((begin for begin in _KINDS if path.startswith(begin)), "")
    return _KINDS.get(begin, "page")


class ErrorCounts(logging.Filter):
    """Counts the errors among the records that pass; the last filter of a handler."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Pass every record."""
        if record.levelno >= logging.ERROR:
            ERRORS.inc()
        return True
