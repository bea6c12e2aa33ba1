"""A socket that passes on what is published, and cleans up after itself however it ends."""

import contextlib
from collections.abc import Iterator
from typing import Any, Final
from uuid import uuid4

from channels.consumer import get_handler_name
from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer

from accounts.guests import guest_of
from games.broadcast import access_channel
from games.live.ear import Ear, Hear, Now
from games.live.hub import hub
from games.live.line import (
    CLOSE_LOGGED_OUT,
    CLOSE_TOO_MANY,
    CLOSE_TRY_AGAIN,
    FAILED,
    REASONS,
)
from games.live.places import places
from games.live.work import in_thread
from games.wire import encode
from games.wire.frames import ServerFrame

#: in uvicorn's error for what is sent after it has closed a socket.
CLOSED_BY_SERVER: Final = "after sending 'websocket.close'"

Frame = ServerFrame | dict[str, Any]
"""A message to send: for a table a frame of the protocol, for the lobby a plain object."""


@contextlib.contextmanager
def _unless_gone() -> Iterator[None]:
    """Send only while the client is there; its end arrives as an event of its own.

    After a frame that breaks the protocol, or is too big, the server has closed the socket before
    that event, and uvicorn takes whatever is sent then for a mistake.
    """
    try:
        yield
    except OSError:
        return
    except RuntimeError as error:
        if CLOSED_BY_SERVER not in str(error):
            raise


class HubConsumer(AsyncWebsocketConsumer):
    """A socket that receives what is published at its channels."""

    ears: tuple[Ear, ...] = ()
    closed = False
    connected = False
    place: tuple[int, str] | None = None

    async def follow(
        self, *channels: str, hear: Hear | None = None, now: Now | None = None
    ) -> None:
        """Subscribe to these channels; `hear` and `now` receive what is published."""
        ear = await hub().subscribe(hear or self.send_text, self.lost, *channels, now=now)
        self.ears += (ear,)

    async def take_place(self, person_id: int) -> bool:
        """Count this socket as one of a person's; one too many is closed, and then False."""
        socket = uuid4().hex
        if await places().take(person_id, socket):
            self.place = (person_id, socket)
            return True
        await self.close(code=CLOSE_TOO_MANY)
        return False

    async def guard(self, user_id: int) -> None:
        """Close the socket when the login it was opened with ends."""
        ear = await hub().subscribe(self._access_ended, self.lost, access_channel(user_id))
        self.ears += (ear,)

    async def guard_guest(self, guest_id: int) -> None:
        """Close the socket when the guest registers, also if that was a moment ago."""
        await self.guard(guest_id)
        if await in_thread(guest_of, self.scope.get("session") or {}) is None:
            await self.close(code=CLOSE_LOGGED_OUT)

    async def _access_ended(self, ended_key: str) -> None:
        session = self.scope.get("session")
        own_key = session.session_key if session is not None else None
        if ended_key in ("", own_key):
            await self.close(code=CLOSE_LOGGED_OUT)

    async def lost(self) -> None:
        """Frames were missed: the client reconnects and requests them."""
        await self.close(code=CLOSE_TRY_AGAIN)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve the socket and clean up, whatever ends it, an error of ours included.

        Channels calls a consumer when its client goes, and at no other end: without this a person
        whose command failed in an unforeseen way would be shown as present for good.
        """
        self.scope, self.base_send = scope, send
        try:
            while True:  # Channels' own loop is for consumers that listen to a channel layer, too
                await self.dispatch(await receive())
        except StopConsumer:
            pass
        finally:
            for ear in self.ears:
                hub().unsubscribe(ear)
            if self.place is not None:
                await places().leave(*self.place)
            if self.connected:
                await self.end()

    async def dispatch(self, message: Any) -> None:
        """Handle one event of the socket.

        Channels gives the thread's database connection back around each one, by way of a thread
        (40 % of a move). Sockets use no connection outside of `games.live.work`, which does it.
        """
        if message["type"] == FAILED:
            raise message["error"]
        handler = getattr(self, get_handler_name(message), None)
        if handler is None:
            raise ValueError(f"no handler for {message['type']}")
        await handler(message)

    async def websocket_disconnect(self, message: Any) -> None:
        """The client has gone."""
        raise StopConsumer

    async def websocket_connect(self, message: Any) -> None:
        """The socket begins; from here on it has an end."""
        self.connected = True
        await super().websocket_connect(message)

    async def end(self) -> None:
        """Clean up after this socket."""

    async def send_text(self, text: str) -> None:
        """Send, or do nothing when the client has gone: its end arrives as an event of its own."""
        if self.closed:
            return
        event: Any = {"type": "websocket.send", "text": text}
        with _unless_gone():
            await self.base_send(event)

    async def close(self, code: int | None = None, reason: str | None = None) -> None:
        """Close the socket, once; several callers may do so at the same time."""
        if not self.closed:
            self.closed = True
            reason = reason or REASONS.get(code or 0)
            with _unless_gone():
                await super().close(code=code, reason=reason)

    async def send_frame(self, frame: Frame) -> None:
        """Send one frame to this socket alone."""
        await self.send_text(encode(frame))
