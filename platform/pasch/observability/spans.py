"""Traces of requests and tasks for OpenTelemetry (OTEL_EXPORTER_OTLP_ENDPOINT).

A span has its route or the name of its task, how it ended, the request id, and how many statements
the database executed in how many seconds. Paths, queries, headers, forms, arguments and statements
are never read, because they may have names, codes and secrets in them. The SDK's own variables set
the rest: OTEL_SERVICE_NAME, OTEL_TRACES_SAMPLER, OTEL_EXPORTER_OTLP_HEADERS.
"""

import os
import time
from collections.abc import Callable, Iterator, MutableMapping
from contextlib import contextmanager
from importlib import import_module
from typing import Any, Final

from celery import signals
from django.core.exceptions import MiddlewareNotUsed
from django.db import connection
from django.http import HttpRequest, HttpResponse

from pasch.observability.reports import need
from pasch.observability.tracing import trace_now

ENDPOINT: Final = "OTEL_EXPORTER_OTLP_ENDPOINT"

_tracers: dict[int, Any] = {}
_open: dict[str, Any] = {}


def begin() -> None:
    """Trace from now on if the endpoint is set; `ImproperlyConfigured` without the packages."""
    if not is_on():
        return
    need(ENDPOINT, "opentelemetry.sdk.trace")
    need(ENDPOINT, "opentelemetry.exporter.otlp.proto.http")
    for name in [name for name in os.environ if name.startswith("OTEL_")]:
        if not os.environ[name].strip():  # as compose passes it on; the SDK takes it for a value
            del os.environ[name]
    os.environ.setdefault("OTEL_SERVICE_NAME", "pasch")
    signals.before_task_publish.connect(_task_sent)
    signals.task_prerun.connect(_task_begins)
    signals.task_postrun.connect(_task_ends)


def is_on() -> bool:
    """Whether the operator wants traces."""
    return bool(os.environ.get("OTEL_EXPORTER_OTLP_ENDPOINT", "").strip())


def tracer() -> Any:
    """This process's tracer. Its thread starts here, since a web process is forked without any."""
    found = _tracers.get(os.getpid())
    if found is None:
        trace = import_module("opentelemetry.sdk.trace")
        export = import_module("opentelemetry.sdk.trace.export")
        otlp = import_module("opentelemetry.exporter.otlp.proto.http.trace_exporter")
        provider = trace.TracerProvider()
        provider.add_span_processor(export.BatchSpanProcessor(otlp.OTLPSpanExporter()))
        found = _tracers[os.getpid()] = provider.get_tracer("pasch")
    return found


class RequestSpans:
    """Middleware: every request is a span; it is left out where nobody wants traces."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        if not is_on():
            raise MiddlewareNotUsed
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request."""
        method = request.method or "GET"
        with tracer().start_as_current_span(method, kind=_kind("SERVER")) as span:
            with _statements(span):
                response = self.get_response(request)
            if (match := request.resolver_match) is not None:
                span.update_name(f"{method} {match.route}")
                span.set_attribute("http.route", match.route)
            span.set_attribute("http.request.method", method)
            span.set_attribute("http.response.status_code", response.status_code)
            span.set_attribute("pasch.request_id", trace_now().request_id)
            return response


@contextmanager
def _statements(span: Any) -> Iterator[None]:
    """Count the statements of this thread for a span, and their seconds."""
    number, seconds = 0, 0.0

    def counted(execute: Callable[..., Any], *rest: Any) -> Any:
        nonlocal number, seconds
        began = time.perf_counter()
        try:
            return execute(*rest)
        finally:
            number += 1
            seconds += time.perf_counter() - began

    with connection.execute_wrapper(counted):
        yield
    span.set_attribute("pasch.database.statements", number)
    span.set_attribute("pasch.database.seconds", seconds)


def _kind(name: str) -> Any:
    return import_module("opentelemetry.trace").SpanKind[name]


def _task_sent(*, headers: MutableMapping[str, Any] | None = None, **_: Any) -> None:
    """A task is sent: it continues the trace of its sender."""
    if headers is not None:
        import_module("opentelemetry.propagate").inject(headers)


def _task_begins(*, task_id: str, task: Any, **_: Any) -> None:
    carried = {"traceparent": getattr(task.request, "traceparent", None) or ""}
    context = import_module("opentelemetry.propagate").extract(carried)
    _open[task_id] = tracer().start_span(task.name, context=context, kind=_kind("CONSUMER"))


def _task_ends(*, task_id: str, state: str | None = None, **_: Any) -> None:
    if (span := _open.pop(task_id, None)) is not None:
        span.set_attribute("pasch.task.state", state or "")
        span.end()
