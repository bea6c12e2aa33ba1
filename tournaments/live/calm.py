"""Frames without state at a bearable pace: of several in a short time the newest is enough."""

import asyncio
from collections.abc import Callable, Coroutine
from contextvars import Context
from typing import Any, Final

#: between two frames to one socket, however often a tournament changes
PAUSE_SECONDS: Final = 1.0


class Calm:
    """Sends the first frame at once, and then the newest one after each pause.

    Frames arrive in their order, and the last one before a silence always arrives.
    """

    def __init__(self, send: Callable[[str], Coroutine[Any, Any, None]]) -> None:
        self._send = send
        self._next_at = float("-inf")
        self._waiting: str | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._sending: asyncio.Task[None] | None = None

    async def take(self, text: str) -> None:
        """Send a frame now, or keep it until the pause is over in place of an older one."""
        loop = asyncio.get_running_loop()
        if self._timer is None and loop.time() >= self._next_at:
            self._next_at = loop.time() + PAUSE_SECONDS
            await self._send_after(self._sending, text)
            return
        self._waiting = text
        if self._timer is None:
            self._timer = loop.call_at(self._next_at, self._due, context=Context())

    def hurry(self) -> None:
        """Send what waits at once, and the next frame without a pause before it."""
        if self._timer is not None:
            self._timer.cancel()
            self._due()
        self._next_at = float("-inf")

    def end(self) -> None:
        """Send nothing more."""
        if self._timer is not None:
            self._timer.cancel()
        if self._sending is not None:
            self._sending.cancel()

    def _due(self) -> None:
        loop = asyncio.get_running_loop()
        self._timer, self._next_at = None, loop.time() + PAUSE_SECONDS
        text, self._waiting = self._waiting, None
        assert text is not None, "a timer runs for a frame"
        sends = self._send_after(self._sending, text)
        self._sending = loop.create_task(sends, context=Context())

    async def _send_after(self, earlier: asyncio.Task[None] | None, text: str) -> None:
        """Send a frame once an earlier one is sent, which may not even have begun."""
        if earlier is not None:
            await asyncio.wait({earlier})
        await self._send(text)
