"""Errors of the log as events for Sentry, where the operator names one (SENTRY_DSN).

An event is built here from what may leave the house, and nothing is filtered out afterwards: the
level, the logger, the message before its values are put in, the type of an exception with its
files and lines, the route and the request id. Names, addresses, mails, cookies, forms, the values
of variables and the texts of exceptions, which repeat what people sent, are never read.
"""

import logging
import os
import traceback
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any, Final

from django.core.exceptions import ImproperlyConfigured

from pasch.observability.tracing import trace_now

LOCK: Final = "deploy/requirements/observe.lock"
#: an event of the SDK has more; the rest is left out
SENT: Final = frozenset(
    {"event_id", "timestamp", "level", "logger", "logentry", "exception", "tags"}
    | {"environment", "release", "platform", "sdk", "transaction"}
)

_sdk: ModuleType | None = None


def begin() -> None:
    """Send errors from now on if SENTRY_DSN is set.

    Raises `ImproperlyConfigured` without the package or with an address that is none.
    """
    global _sdk
    address = os.environ.get("SENTRY_DSN", "").strip()
    if not address:
        return
    need("SENTRY_DSN", "sentry_sdk")
    sdk = import_module("sentry_sdk")
    try:
        sdk.init(
            address,
            default_integrations=False,
            auto_enabling_integrations=False,
            auto_session_tracking=False,
            send_default_pii=False,
            send_client_reports=False,
            include_local_variables=False,
            include_source_context=False,
            max_breadcrumbs=0,
            before_send=lambda event, _: {k: v for k, v in event.items() if k in SENT},
        )
    except sdk.utils.BadDsn as error:
        raise ImproperlyConfigured("SENTRY_DSN is no address of a project of Sentry.") from error
    _sdk = sdk


def need(variable: str, package: str) -> None:
    """Raise `ImproperlyConfigured` if the package that a variable wants is not installed."""
    try:
        found = find_spec(package)
    except ModuleNotFoundError:  # not even the package around it
        found = None
    if found is None:
        raise ImproperlyConfigured(
            f"{variable} is set, but its packages are missing: "
            f"pip install --require-hashes -r {LOCK}."
        )


class ErrorReports(logging.Filter):
    """Sends the errors among the records that pass; the last filter of a handler."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Pass every record."""
        if _sdk is not None and record.levelno >= logging.ERROR:
            _sdk.capture_event(event_of(record))
        return True


def event_of(record: logging.LogRecord) -> dict[str, Any]:
    """The event for a record, from what may leave the house."""
    trace = trace_now()
    match = trace.request.resolver_match if trace.request is not None else None
    event: dict[str, Any] = {
        "level": record.levelname.lower(),
        "logger": record.name,
        "logentry": {"message": record.msg if isinstance(record.msg, str) else record.name},
        "tags": {"request_id": trace.request_id} if trace.request_id else {},
    }
    if match is not None:
        event["transaction"] = match.route
    if record.exc_info and (error := record.exc_info[1]) is not None:
        event["exception"] = {"values": [_exception(each) for each in _chain(error)]}
    return event


def _chain(error: BaseException | None) -> list[BaseException]:
    """The error and what caused it, the first cause first."""
    found: list[BaseException] = []
    while error is not None and error not in found:
        found.insert(0, error)
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return found


def _exception(error: BaseException) -> dict[str, Any]:
    frames = [
        {"filename": frame.filename, "function": frame.name, "lineno": frame.lineno}
        for frame in traceback.extract_tb(error.__traceback__)
    ]
    kind = type(error)
    return {"type": kind.__name__, "module": kind.__module__, "stacktrace": {"frames": frames}}
