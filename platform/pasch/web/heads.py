"""uvicorn's HTTP protocol with limits on what comes before a page is asked: heads, bodies, waiting.

A head has a few seconds and 16 KiB. A body may be as slow as a poor line, as long as it keeps
coming. Of the connections of one address that have sent no whole request yet only the newest are
kept, so a crowd that never finishes its requests pushes out itself, and nobody whose request comes
at once.
"""

from asyncio import BaseTransport, TimerHandle
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import AsyncExitStack
from typing import Any, Final, cast

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from pasch.web.budgets import AddressBudget, address_of, addresses

#: from the connection, or the first byte of the next request, to the end of the head.
HEAD_SECONDS: Final = 5.0
#: of a body comes so much in each span of so many seconds, or its end; and it all comes in time.
BODY_SECONDS: Final = 15.0
BODY_BYTES_LEAST: Final = 32 * 1024
BODY_SECONDS_MAX: Final = 600.0
#: the largest body that a page takes is a ZIP of matches.
BODY_BYTES_MAX: Final = 11 * 2**20
HEAD_BYTES_MAX: Final = 16_384
#: what a line of a head has beside its name and its value.
LINE_BYTES: Final = 4


class HeadTooLong(Exception):
    """The head of a request has more bytes than anybody needs."""


class LimitedHttp(HttpToolsProtocol):
    """One connection of a browser, until a WebSocket takes it over."""

    _timer: TimerHandle | None = None
    _address: AddressBudget | None = None
    _in_head = False
    _head_bytes = 0
    _body_bytes = 0
    _too_long = False

    def connection_made(self, transport: BaseTransport) -> None:
        """Expect a head from now on."""
        super().connection_made(cast(Any, transport))
        self._address = address_of(self.client)
        self._expect_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Nothing is expected any more."""
        self._expect_nothing()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on, unless the head is too long."""
        if self.transport.is_closing():
            return
        super().data_received(data)
        if self._in_head and not self.transport.is_closing():
            self._head_bytes += len(data)
            if self._head_bytes > HEAD_BYTES_MAX:
                self._too_long = True
                self.send_400_response("")
            elif self._timer is None:
                self._expect_head()

    def on_message_begin(self) -> None:
        """A head begins; what came before it was another's."""
        super().on_message_begin()
        self._in_head, self._head_bytes, self._counted = True, 0, 0

    def on_url(self, url: bytes) -> None:
        """Take a part of the address that is asked for."""
        self._count(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a line of the head."""
        self._count(len(name) + len(value) + LINE_BYTES)
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """The head is whole: the body has its own time."""
        self._in_head, self._body_bytes = False, 0
        self._expect_body(self.loop.time() + BODY_SECONDS_MAX)
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Take a part of the body, unless there is too much of it."""
        self._body_bytes += len(body)
        if self._body_bytes > BODY_BYTES_MAX:
            self._refuse(413)
            return
        super().on_body(body)

    def on_message_complete(self) -> None:
        """The request is whole."""
        self._expect_nothing()
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        """Hand the connection over."""
        self._expect_nothing()
        super().handle_websocket_upgrade()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no request, and close."""
        if not self._too_long:
            super().send_400_response(msg)
            return
        self._refuse(431)

    def give_up(self) -> None:
        """Wait no longer for the rest of a request."""
        self._expect_nothing()
        if not self.transport.is_closing():
            self.transport.close()

    def _refuse(self, status: int) -> None:
        """Answer with this status, and close."""
        if not self.transport.is_closing():
            ends = b"content-length: 0\r\nconnection: close\r\n\r\n"
            self.transport.write(STATUS_LINE[status] + ends)
            self.transport.close()

    def _count(self, size: int) -> None:
        self._counted += size
        if self._counted > HEAD_BYTES_MAX:
            self._too_long = True
            raise HeadTooLong

    def _expect_head(self) -> None:
        self._timer = self.loop.call_later(HEAD_SECONDS, self.give_up)
        if self._address is not None:
            unfinished = self._address.unfinished
            unfinished[self] = None
            if len(unfinished) > self._address.unfinished_max:
                cast(LimitedHttp, next(iter(unfinished))).give_up()

    def _expect_body(self, end: float) -> None:
        """Look after each span whether enough of the body has come."""
        if self._timer is not None:
            self._timer.cancel()
        wait = min(BODY_SECONDS, end - self.loop.time())
        self._timer = self.loop.call_later(wait, self._look_at_body, end, self._body_bytes)

    def _look_at_body(self, end: float, bytes_before: int) -> None:
        came = self._body_bytes - bytes_before
        is_slow = came < BODY_BYTES_LEAST and not self.flow.read_paused  # else we are the slow ones
        if is_slow or self.loop.time() >= end:
            self.give_up()
        else:
            self._expect_body(end)

    def _expect_nothing(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._address is not None:
            self._address.unfinished.pop(self, None)


App = Callable[[Any, Any, Any], Awaitable[None]]


class InTurn:
    """An ASGI application around the pages: so many requests are computed at once, others wait.

    Each computes in a thread of its own, which takes turns with the event loop of everybody who
    plays here. No address takes all turns. A turn begins when the request is whole, so a slow body
    keeps nobody waiting, and ends when the answer begins.
    """

    def __init__(self, app: App) -> None:
        self.app = app

    async def __call__(self, scope: MutableMapping[str, Any], receive: Any, send: Any) -> None:
        """Serve one request."""
        address = address_of(scope.get("client"))
        is_due = True
        async with AsyncExitStack() as turn:

            async def heard() -> Any:
                nonlocal is_due
                message = await receive()
                if is_due and message["type"] == "http.request" and not message.get("more_body"):
                    is_due = False
                    if address is not None:
                        await turn.enter_async_context(address.requests)
                    await turn.enter_async_context(addresses().turns.turn())
                return message

            async def answer(message: MutableMapping[str, Any]) -> None:
                nonlocal is_due
                if message["type"] == "http.response.start":
                    is_due = False
                    await turn.aclose()
                await send(message)

            await self.app(scope, heard, answer)
