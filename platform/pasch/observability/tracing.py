"""What every line of the log is about: one id for each request, socket and task, and who and where.

The id comes from the proxy (`X-Request-ID`) where the connection is the proxy's own, else it is
made here; the answer carries it. Threads and tasks that work for a request inherit it, and a task
that a request sends off carries it along.
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
App = Callable[[Scope, Any, Any], Awaitable[None]]

HEADER: Final = b"x-request-id"
TASK_HEADER: Final = "pasch_request_id"
_GIVEN = re.compile(r"[A-Za-z0-9._-]{8,64}")
_TABLE = re.compile(r"/ws/table/([0-9a-f-]{36})/")


@dataclass(slots=True)
class Trace:
    """What is known about the work being done now; empty strings and None are unknown."""

    request_id: str = ""
    user_id: int | None = None
    table_id: str = ""
    request: "HttpRequest | None" = None

    def fields(self) -> dict[str, object]:
        """What a line of the log says of it; nobody is looked up for that."""
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
    """What the work being done now is about."""
    return _trace.get() or Trace()


class Traced:
    """An ASGI application around all others: numbers every request and every socket.

    `trusted` are the addresses and networks of our own proxies; whatever anybody else says about
    ids and addresses is taken out of the request before anyone can believe it.
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
    """An ASGI application inside the door of the sockets: notes who came in."""

    def __init__(self, app: App) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        """Serve one connection."""
        if (trace := _trace.get()) is not None:
            trace.user_id = getattr(scope.get("user"), "pk", None)
        await self.app(scope, receive, send)


class TracedRequest:
    """Middleware: lets the log know the request being answered."""

    def __init__(self, get_response: Callable[["HttpRequest"], "HttpResponse"]) -> None:
        self.get_response = get_response

    def __call__(self, request: "HttpRequest") -> "HttpResponse":
        """Answer the request; no trace of it stays behind in this thread."""
        known = _trace.get()
        token = _trace.set(Trace(known.request_id if known else uuid4().hex, request=request))
        try:
            return self.get_response(request)
        finally:
            _trace.reset(token)


# --- tasks ----------------------------------------------------------------------------------------


def task_sent(*, headers: MutableMapping[str, Any] | None = None, **_: Any) -> None:
    """A task is sent off: it carries the id of whoever sends it."""
    request_id = trace_now().request_id
    if headers is not None and request_id:
        headers[TASK_HEADER] = request_id


def task_begins(
    *, task_id: str, task: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any], **_: Any
) -> None:
    """A worker begins with a task; one that a clock sent off has an id of its own."""
    carried = getattr(task.request, TASK_HEADER, None)
    table_id = ""
    parameters = inspect.signature(task.run).parameters
    if "table_id" in parameters:
        table_id = str({**dict(zip(parameters, args, strict=False)), **kwargs}["table_id"])
    _trace.set(Trace(str(carried or task_id), table_id=table_id))


def task_ends(**_: Any) -> None:
    """A worker has ended a task."""
    _trace.set(None)
