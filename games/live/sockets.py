"""A socket that passes on what is published, and whose end is always seen to."""

import asyncio
import contextlib
from typing import Any

from channels.generic.websocket import AsyncWebsocketConsumer

from games.broadcast import access_channel
from games.live.hub import LOST, Queue, hub
from games.wire import encode

CLOSE_LOGGED_OUT = 4401
CLOSE_TRY_AGAIN = 1013

Frame = dict[str, Any]


class HubConsumer(AsyncWebsocketConsumer):
    """A socket that passes on what is published at its channel."""

    queue: Queue | None = None
    access: Queue | None = None
    closed = False
    connected = False
    forwarding: asyncio.Task[None] | None = None
    guarding: asyncio.Task[None] | None = None

    async def follow(self, *channels: str) -> None:
        """Start to pass on everything that is published at these channels."""
        self.queue = await hub().subscribe(*channels)
        self.forwarding = asyncio.create_task(self._forward(self.queue))

    async def _forward(self, queue: Queue) -> None:
        while (frame := await queue.get()) is not LOST:
            await self.send(text_data=frame)
        await self.close(code=CLOSE_TRY_AGAIN)

    async def guard(self, user_id: int) -> None:
        """Close the socket when the login it was opened with ends."""
        self.access = await hub().subscribe(access_channel(user_id))
        self.guarding = asyncio.create_task(self._guard(self.access))

    async def _guard(self, queue: Queue) -> None:
        session = self.scope.get("session")
        own_key = session.session_key if session is not None else None
        while (ended_key := await queue.get()) is not LOST:
            if ended_key in ("", own_key):
                await self.close(code=CLOSE_LOGGED_OUT)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve the socket; whatever ends it, an error of ours included, its end is seen to.

        Channels tells of a client that goes, and of nothing else: without this somebody whose
        command failed in an unforeseen way would be shown as present for good.
        """
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._stop_passing_on()
            if self.connected:
                await self.end()

    async def websocket_connect(self, message: Any) -> None:
        """The socket begins; from here on it has an end."""
        self.connected = True
        await super().websocket_connect(message)

    async def end(self) -> None:
        """See to whatever follows from the end of this socket."""

    def _stop_passing_on(self) -> None:
        for queue in (self.queue, self.access):
            if queue is not None:
                hub().unsubscribe(queue)
        for task in (self.forwarding, self.guarding):
            if task is not None:
                task.cancel()

    async def send(self, *args: Any, **kwargs: Any) -> None:
        """Send, or do nothing when the client has gone: its end arrives as an event of its own."""
        with contextlib.suppress(OSError):
            await super().send(*args, **kwargs)

    async def close(self, code: int | None = None, reason: str | None = None) -> None:
        """Close the socket, once; several may find at the same time that it must end."""
        if not self.closed:
            self.closed = True
            await super().close(code=code, reason=reason)

    async def send_frame(self, frame: Frame) -> None:
        """Send one frame to this socket alone."""
        await self.send(text_data=encode(frame))
