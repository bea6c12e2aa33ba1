"""The context of every log line: an id for each request, socket and task, the user and the table.

The id is the proxy's (`X-Request-ID`) if the connection comes from our proxy, otherwise it is
generated; the response carries it. Threads and tasks of a request inherit it, and so does a task
that a request sends.
"""

import inspect
import ipaddress
import re
from collections.abc import Awaitable, Callable, Iterable, Mapping, MutableMapping
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

if TYPE_CHECKING:  # Celery's application is loaded where Django never is
    from django.http import HttpRequest, HttpResponse

Scope = MutableMapping[str, Any]
App = Callable[[Any, Any, Any], Awaitable[None]]

HEADER: Final = b"x-request-id"
TASK_HEADER: Final = "pasch_request_id"
_GIVEN = re.compile(r"[A-Za-z0-9._-]{8,64}")
_TABLE = re.compile(r"/ws/table/([0-9a-f-]{36})/")


@dataclass(slots=True)
class Trace:
    """The context of the current work; empty strings and None are unknown."""

    request_id: str = ""
    user_id: int | None = None
    table_id: str = ""
    request: "HttpRequest | None" = None

    def fields(self) -> dict[str, object]:
        """The fields for a log line; this causes no query."""
        found: dict[str, object] = {"request_id": self.request_id}
        user_id, table_id = self.user_id, self.table_id
        if self.request is not None:
            user_id = user_id or getattr(vars(self.request).get("_cached_user"), "pk", None)
            match = self.request.resolver_match
            table_id = table_id or str(match.kwargs.get("table_id", "") if match else "")
        found |= {"user_id": user_id, "table_id": table_id}
        return {name: value for name, value in found.items() if value not in ("", None)}


_trace: ContextVar[Trace | None] = ContextVar("trace", default=None)


def trace_now() -> Trace:
    """The trace of the current work."""
    return _trace.get() or Trace()


class Traced:
    """An ASGI application around all others: numbers every request and every socket.

    `trusted` are the addresses and networks of our own proxies. Headers of other clients about ids
    and addresses are removed from the request.
    """

    def __init__(self, app: App, *, trusted: Iterable[str] = ()) -> None:
        self.app = app
        self.networks = [ipaddress.ip_network(each, strict=False) for each in trusted]

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        """Serve one request or one connection."""
        if scope["type"] not in ("http", "websocket"):
            return await self.app(scope, receive, send)
        given = dict(scope["headers"]).get(HEADER, b"").decode("latin-1")
        if not self._is_proxy(scope):
            given = ""
            scope["headers"] = [each for each in scope["headers"] if not _is_hearsay(each[0])]
        request_id = given if _GIVEN.fullmatch(given) else uuid4().hex
        table = _TABLE.fullmatch(scope["path"]) if scope["type"] == "websocket" else None
        _trace.set(Trace(request_id, table_id=table[1] if table else ""))

        async def answer(message: MutableMapping[str, Any]) -> None:
            if message["type"] in ("http.response.start", "websocket.accept"):
                named = (HEADER, request_id.encode())
                message = {**message, "headers": [*message.get("headers", ()), named]}
            await send(message)

        await self.app(scope, receive, answer)

    def _is_proxy(self, scope: Scope) -> bool:
        try:
            peer = ipaddress.ip_address((scope.get("client") or ("",))[0])
        except ValueError:
            return False
        return any(peer in network for network in self.networks)


def _is_hearsay(name: bytes) -> bool:
    return name == HEADER or name == b"forwarded" or name.startswith(b"x-forwarded-")


class SocketUser:
    """An ASGI application after the login of sockets: adds the user to the trace."""

    def __init__(self, app: App) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        """Serve one connection."""
        if (trace := _trace.get()) is not None:
            trace.user_id = getattr(scope.get("user"), "pk", None)
        await self.app(scope, receive, send)


class TracedRequest:
    """Middleware: adds the current request to the trace."""

    def __init__(self, get_response: Callable[["HttpRequest"], "HttpResponse"]) -> None:
        self.get_response = get_response

    def __call__(self, request: "HttpRequest") -> "HttpResponse":
        """Answer the request; its trace does not remain in this thread."""
        known = _trace.get()
        token = _trace.set(Trace(known.request_id if known else uuid4().hex, request=request))
        try:
            return self.get_response(request)
        finally:
            _trace.reset(token)


# --- tasks ----------------------------------------------------------------------------------------


def task_sent(*, headers: MutableMapping[str, Any] | None = None, **_: Any) -> None:
    """A task is sent: add the id of the sender."""
    request_id = trace_now().request_id
    if headers is not None and request_id:
        headers[TASK_HEADER] = request_id


def task_begins(
    *, task_id: str, task: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any], **_: Any
) -> None:
    """A worker begins a task; a task of beat gets an id of its own."""
    carried = getattr(task.request, TASK_HEADER, None)
    table_id = ""
    parameters = inspect.signature(task.run).parameters
    if "table_id" in parameters:
        table_id = str({**dict(zip(parameters, args, strict=False)), **kwargs}["table_id"])
    _trace.set(Trace(str(carried or task_id), table_id=table_id))


def task_ends(**_: Any) -> None:
    """A worker has ended a task."""
    _trace.set(None)
