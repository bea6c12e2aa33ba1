"""uvicorn's HTTP protocol with limits on what comes before a page is asked: heads, bodies, waiting.

A request has a few seconds to come whole, and its head 16 KiB. Of the connections of one address
that have sent no whole request yet only the newest are kept, so a crowd that never finishes its
requests pushes out itself, and nobody whose request comes at once.
"""

from asyncio import BaseTransport, TimerHandle
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import AsyncExitStack
from typing import Any, Final, cast

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from pasch.web.budgets import AddressBudget, address_of, addresses

#: from the connection, or the first byte of the next request, to the end of the head.
HEAD_SECONDS: Final = 5.0
#: from there to the end of the body.
BODY_SECONDS: Final = 15.0
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
        self._in_head = False
        self._expect_nothing()
        self._timer = self.loop.call_later(BODY_SECONDS, self.give_up)
        super().on_headers_complete()

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
        ends = b"content-length: 0\r\nconnection: close\r\n\r\n"
        self.transport.write(STATUS_LINE[431] + ends)
        self.transport.close()

    def give_up(self) -> None:
        """Wait no longer for the rest of a request."""
        self._expect_nothing()
        if not self.transport.is_closing():
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
    plays here. No address takes all turns. A turn ends when the answer begins.
    """

    def __init__(self, app: App) -> None:
        self.app = app

    async def __call__(self, scope: MutableMapping[str, Any], receive: Any, send: Any) -> None:
        """Serve one request."""
        address = address_of(scope.get("client"))
        async with AsyncExitStack() as turn:
            if address is not None:
                await turn.enter_async_context(address.requests)
            await turn.enter_async_context(addresses().turns.turn())

            async def answer(message: MutableMapping[str, Any]) -> None:
                if message["type"] == "http.response.start":
                    await turn.aclose()
                await send(message)

            await self.app(scope, receive, answer)
