"""A socket that passes on what is published, and cleans up after itself however it ends.

With it stands what every socket keeps to: the most sockets of one person in all processes (entries
in Valkey that expire, so a process that dies locks nobody out; without Valkey a process counts its
own), the scopes of a token, and errors that name the frame they answer.
"""

import asyncio
import contextlib
import time
from collections.abc import Collection, Iterator
from typing import Any, Final, TypeVar, get_args
from uuid import uuid4
from weakref import WeakKeyDictionary

import msgspec
import redis.asyncio
from channels.consumer import get_handler_name
from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from redis.exceptions import RedisError

from accounts.guests import guest_of
from accounts.scopes import frame_scope
from games.broadcast import access_channel, channel_key
from games.live.delivery import (
    CLOSE_LOGGED_OUT,
    CLOSE_TOO_MANY,
    CLOSE_TRY_AGAIN,
    FAILED,
    REASONS,
    Follower,
    Hear,
    Now,
)
from games.live.hub import hub
from games.live.work import in_thread
from games.wire import AnyCommandFrame, ClientFrame, Say, encode, outline
from games.wire.frames import Failure, Rejected, ServerFrame, Unsaid
from kit.valkey.clients import async_client

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

    followers: tuple[Follower, ...] = ()
    closed = False
    connected = False
    place: tuple[int, str] | None = None

    async def follow(
        self, *channels: str, hear: Hear | None = None, now: Now | None = None
    ) -> None:
        """Subscribe to these channels; `hear` and `now` receive what is published."""
        follower = await hub().subscribe(hear or self.send_text, self.lost, *channels, now=now)
        self.followers += (follower,)

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
        follower = await hub().subscribe(self._access_ended, self.lost, access_channel(user_id))
        self.followers += (follower,)

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
            for follower in self.followers:
                hub().unsubscribe(follower)
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


#: the most sockets of one account or guest; a page has one or two.
SOCKETS_MAX: Final = 40

#: an entry that is not renewed for this long counts as gone.
ENTRY_SECONDS: Final = 60
RENEW_SECONDS: Final = 20
PEOPLE_AT_ONCE: Final = 200


def places_key(person_id: int) -> str:
    """Where Valkey keeps the open sockets of a person, each with the moment its entry ends."""
    return channel_key(f"sockets:{person_id}")


class Places:
    """The sockets of this event loop by person, renewed together. Use `places()`."""

    def __init__(self) -> None:
        self._ours: dict[int, set[str]] = {}
        self._client: redis.asyncio.Redis | None = None
        self._renewing: asyncio.Task[None] | None = None

    async def take(self, person_id: int, socket: str) -> bool:
        """Take a place for a socket; False if the person has as many as anybody may have."""
        ours = self._ours.setdefault(person_id, set())
        ours.add(socket)
        if self._renewing is None:
            self._renewing = asyncio.create_task(self._renew_all())
        if len(ours) <= SOCKETS_MAX and await self._number(person_id, socket) <= SOCKETS_MAX:
            return True
        await self.leave(person_id, socket)
        return False

    async def leave(self, person_id: int, socket: str) -> None:
        """Give the place of a socket back."""
        ours = self._ours.get(person_id, set())
        ours.discard(socket)
        if not ours:
            self._ours.pop(person_id, None)
        with contextlib.suppress(RedisError, OSError):
            await self._valkey().zrem(places_key(person_id), socket)

    async def renew(self) -> None:
        """Renew the entries of all our sockets."""
        people = list(self._ours)
        for begin in range(0, len(people), PEOPLE_AT_ONCE):
            async with self._valkey().pipeline(transaction=False) as pipeline:
                ends = time.time() + ENTRY_SECONDS
                for person_id in people[begin : begin + PEOPLE_AT_ONCE]:
                    if ours := self._ours.get(person_id):
                        key = places_key(person_id)
                        pipeline.zadd(key, dict.fromkeys(ours, ends))
                        pipeline.expire(key, 2 * ENTRY_SECONDS)
                await pipeline.execute()

    async def _number(self, person_id: int, socket: str) -> int:
        """Enter a socket and return how many the person has now; without Valkey none are known."""
        key, now = places_key(person_id), time.time()
        try:
            async with self._valkey().pipeline(transaction=False) as pipeline:
                pipeline.zremrangebyscore(key, "-inf", now)
                pipeline.zadd(key, {socket: now + ENTRY_SECONDS})
                pipeline.expire(key, 2 * ENTRY_SECONDS)
                pipeline.zcard(key)
                return int((await pipeline.execute())[-1])
        except (RedisError, OSError):
            return 0

    async def _renew_all(self) -> None:
        """Renew every few seconds for as long as anybody is there."""
        try:
            while self._ours:
                await asyncio.sleep(RENEW_SECONDS)
                with contextlib.suppress(RedisError, OSError):
                    await self.renew()
        finally:
            self._renewing = None

    def _valkey(self) -> redis.asyncio.Redis:
        if self._client is None:
            self._client = async_client(settings.REDIS_URL)
        return self._client


_places: WeakKeyDictionary[asyncio.AbstractEventLoop, Places] = WeakKeyDictionary()


def places() -> Places:
    """The sockets of the running event loop."""
    return _places.setdefault(asyncio.get_running_loop(), Places())


_open = 0


def socket_opened() -> None:
    """One more."""
    global _open
    _open += 1


def socket_done() -> None:
    """One less; everything that follows from its end has been done."""
    global _open
    _open -= 1


def sockets_open() -> int:
    """The sockets whose end has not been dealt with."""
    return _open


FRAME_TYPES = frozenset(str(kind.__struct_config__.tag) for kind in get_args(ClientFrame))

Answer = TypeVar("Answer")


def answering(frame: msgspec.Struct, answer: Answer) -> Answer:
    """An answer; an error gets the type of the frame that it answers."""
    if isinstance(answer, Failure):
        return msgspec.structs.replace(answer, frame=str(frame.__struct_config__.tag))
    return answer


def unread(data: bytes, code: str, message: str) -> Failure:
    """The error for a frame that was not carried out, whether it could be parsed or not."""
    kind, frame_id = outline(data)
    named: dict[str, Any] = {"frame": kind} if kind in FRAME_TYPES else {}
    if frame_id is not None:
        named["id"] = frame_id
    return Failure(code=code, message=message, **named)


def scope_refusal(frame: msgspec.Struct, granted: Collection[str] | None) -> ServerFrame | None:
    """The answer to a frame for which a scope is missing; None if it is allowed.

    `granted` are the scopes of the token, None for a page with a session.
    """
    if granted is None:
        return None
    command = frame.command.__struct_config__.tag if isinstance(frame, AnyCommandFrame) else ""
    scope = frame_scope(str(frame.__struct_config__.tag), str(command))
    if scope in granted:
        return None
    refusal = {"code": "scope_missing", "message": f"this token lacks the scope '{scope}'"}
    named: dict[str, Any] = refusal if scope is None else {**refusal, "scope": str(scope)}
    match frame:
        case AnyCommandFrame():
            return Rejected(id=frame.id, seq=frame.seq, **named)
        case Say():
            return Unsaid(id=frame.id, **named)
    return Failure(**named)
