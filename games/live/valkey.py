"""Connections to Valkey for publishing and listening, spoken directly: hiredis reads and packs.

redis-py surrounds every message with tasks, futures and time-outs, which cost a web process as much
as its sockets. Presence, places and limits are rare beside messages and keep to redis-py, whose
reading of `REDIS_URL` (TCP, TLS, Unix socket, login, database) holds here, too.

Where sentinels name the primary (`kit.valkey.address`), every connection asks them, checks that
the server is one, and closes when they name another: a replica takes publications without a word.

A `Publisher` sends a process's own frames to all others, in batches and in order. While Valkey is
away, or for processes that have lost it, they go through PostgreSQL (`games.live.stopgap`).
`games.live.hub` receives what others publish.
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence
from contextvars import Context
from ssl import SSLContext
from typing import Any, Final, cast

import hiredis
from django.conf import settings
from redis.asyncio import Connection, ConnectionPool, SSLConnection, UnixDomainSocketConnection
from redis.exceptions import ConnectionError as NoConnection
from redis.exceptions import RedisError, ResponseError

from games.broadcast import ALSO, ONLY, Notice, some_are_deaf
from games.live.stopgap import Stopgap
from kit.valkey.address import Sentinels, sentinels_of
from kit.valkey.primary import ASK_EVERY_SECONDS, primary

CONNECT_SECONDS: Final = 2.0

#: a connection that is silent for this long gets a ping, and is given up without an answer.
PING_SECONDS: Final = 5.0

#: a reply: None, a whole number, bytes, `hiredis.ReplyError`, or a list of replies.
Reply = Any

#: hiredis declares a tuple of one word, and packs any number of them.
pack: Final = cast("Callable[[tuple[str | bytes | int, ...]], bytes]", hiredis.pack_command)


class Wire(asyncio.Protocol):
    """One connection. Every reply and message goes to `hear`; `lost` is called once at the end.

    `drained` is called whenever Valkey has caught up and the wire is `writable` again.
    """

    def __init__(self, hear: Callable[[Reply], None], lost: Callable[[], None]) -> None:
        self.hear = hear
        self.closed = False
        self.writable = True
        self.lost = lost
        self.drained: Callable[[], None] = lambda: None
        self._reader = hiredis.Reader()
        self._transport: asyncio.Transport | None = None
        self._heard = True
        self._looking: asyncio.TimerHandle | None = None
        self._following: asyncio.Task[None] | None = None

    def follow(self, asking: Coroutine[Any, Any, None]) -> None:
        """Run this for as long as the connection lasts."""
        self._following = asyncio.create_task(asking)

    def send(self, commands: Sequence[bytes]) -> None:
        """Send packed commands in one go; nothing is sent on a connection that is closed."""
        if self._transport is not None and not self.closed:
            self._transport.writelines(commands)

    def subscribe(self, channels: Collection[str]) -> None:
        """Receive what is published at these channels; Valkey confirms each."""
        self.send([pack(("SUBSCRIBE", *channels))])

    def unsubscribe(self, channels: Collection[str]) -> None:
        """Receive no more of these channels."""
        self.send([pack(("UNSUBSCRIBE", *channels))])

    def close(self) -> None:
        """End the connection; what has not been sent is dropped."""
        if self._transport is not None and not self.closed:
            self._transport.abort()

    # --- what the event loop calls ----------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The connection stands."""
        self._transport = cast("asyncio.Transport", transport)
        self._look_later()

    def data_received(self, data: bytes) -> None:
        """Hand over each reply that is whole."""
        self._heard = True
        hear, gets = self.hear, self._reader.gets
        try:
            self._reader.feed(data)
            while (reply := gets()) is not False:
                hear(reply)
                hear = self.hear
        except hiredis.ProtocolError:
            self.close()

    def pause_writing(self) -> None:
        """Valkey reads more slowly than this process sends."""
        self.writable = False

    def resume_writing(self) -> None:
        """Valkey has caught up."""
        self.writable = True
        self.drained()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone, on either side."""
        self.closed = True
        if self._looking is not None:
            self._looking.cancel()
        if self._following is not None:
            self._following.cancel()
        self.lost()

    def _look_later(self) -> None:
        loop = asyncio.get_running_loop()
        self._looking = loop.call_later(PING_SECONDS, self._look)

    def _look(self) -> None:
        """Ping a quiet connection; give up one that did not answer."""
        if not self._heard:
            self.close()
            return
        self._heard = False
        self.send([pack(("PING",))])
        self._look_later()


async def connect(
    url: str,
    hear: Callable[[Reply], None],
    *,
    lost: Callable[[], None] = lambda: None,
    name: str = "",
) -> Wire:
    """A connection that is logged in, has its database and the client's `name`.

    Raises `OSError`, `TimeoutError` (an `OSError`) or `redis.RedisError`, whatever is wrong.
    """
    told = sentinels_of(url)
    async with asyncio.timeout(CONNECT_SECONDS):
        if told is None:
            pool = ConnectionPool.from_url(url)
            server = pool.connection_class(**pool.connection_kwargs)
            return await _connected(server, hear, lost, name)
        place = await primary(told)
        wire = await connect_primary(told.server, place, hear, lost=lost, name=name)
    wire.follow(_while_primary(wire, told, place))
    return wire


async def connect_primary(
    server: Mapping[str, Any],
    place: tuple[str, int],
    hear: Callable[[Reply], None],
    *,
    lost: Callable[[], None],
    name: str,
) -> Wire:
    """A connection to a server at host and port, with options of redis-py.

    Raises as `connect`, and if it is a replica.
    """
    options = {**server, "host": place[0], "port": place[1]}
    made = (SSLConnection if options.pop("ssl", False) else Connection)(**options)
    return await _connected(made, hear, lost, name, is_primary=True)


async def _while_primary(wire: Wire, told: Sentinels, place: tuple[str, int]) -> None:
    """Close a connection once the sentinels name another server."""
    while not wire.closed:
        await asyncio.sleep(ASK_EVERY_SECONDS)
        with contextlib.suppress(RedisError, OSError):  # no sentinel answers: nothing is known
            if await primary(told) != place:
                wire.close()


async def _connected(
    place: Any,
    hear: Callable[[Reply], None],
    lost: Callable[[], None],
    name: str,
    *,
    is_primary: bool = False,
) -> Wire:
    wire = await _opened(place, lost)
    try:
        await _greeted(wire, _greeting(place, name, is_primary=is_primary))
    except BaseException:
        wire.close()
        raise
    wire.hear = hear
    return wire


async def _opened(place: Any, lost: Callable[[], None]) -> Wire:
    loop = asyncio.get_running_loop()
    made = Wire(lambda _: None, lost)
    if isinstance(place, UnixDomainSocketConnection):
        await loop.create_unix_connection(lambda: made, place.path)
        return made
    tls: SSLContext | None = place.ssl_context.get() if isinstance(place, SSLConnection) else None
    await loop.create_connection(lambda: made, place.host, place.port, ssl=tls)
    return made


def _greeting(place: Any, name: str, *, is_primary: bool) -> list[bytes]:
    """The first commands; at least one, so that an answer shows that the connection works."""
    commands: list[tuple[str | bytes | int, ...]] = []
    if place.password:
        commands.append(("AUTH", *([place.username] if place.username else []), place.password))
    if place.db:
        commands.append(("SELECT", place.db))
    if is_primary:
        commands.append(("ROLE",))
    commands.append(("CLIENT", "SETNAME", name) if name else ("PING",))
    return [pack(command) for command in commands]


async def _greeted(wire: Wire, commands: Sequence[bytes]) -> None:
    replies: asyncio.Queue[Reply] = asyncio.Queue()
    lost, wire.hear = wire.lost, replies.put_nowait
    wire.lost = lambda: replies.put_nowait(NoConnection("Valkey closed the connection"))
    wire.send(commands)
    for _ in commands:
        reply = await replies.get()
        if isinstance(reply, hiredis.ReplyError):
            raise ResponseError(str(reply))
        if isinstance(reply, NoConnection):
            raise reply
        if type(reply) is list and reply[0] != b"master":  # the answer to ROLE
            raise NoConnection("The server that was named is no primary.")
    wire.lost = lost


logger = logging.getLogger(__name__)

RETRY_SECONDS: Final = 0.5

#: how many frames wait for a connection to Valkey; later ones are dropped.
OUTGOING_MAX: Final = 4096

#: how often at most the log reports dropped frames.
COMPLAIN_SECONDS: Final = 1.0


class Publisher:
    """The frames that one event loop publishes; `name` stands before each of them."""

    def __init__(self, name: str) -> None:
        self.stopgap: Stopgap | None = None
        self._name, self._mark = name, name.encode()
        self._outgoing: list[tuple[str, bytes]] = []
        self._sending = False
        self._dropped, self._complained = 0, float("-inf")
        self._opening: asyncio.Task[None] | None = None
        self._publishing: Wire | None = None
        self._refused_at: float | None = None

    def put(self, key: str, payload: bytes) -> None:
        """Publish a frame at a channel, with all others of this turn of the event loop."""
        self._outgoing.append((key, payload))
        if not self._sending:
            self._sending = True
            asyncio.get_running_loop().call_soon(self._send)

    def _send(self) -> None:
        """Publish in one go whatever has come together; open the connection first if need be."""
        self._sending = False
        wire = self._publishing
        open_now = wire is not None and not wire.closed
        if wire is not None and open_now and wire.writable:
            batch, self._outgoing = self._outgoing, []
            wire.send([pack(("PUBLISH", key, self._mark + frame)) for key, frame in batch])
            if self.stopgap is not None and some_are_deaf():
                self._send_by_stopgap(ALSO, batch)
            return
        if self.stopgap is not None and self._refused_at is not None and not open_now:
            self._without_valkey("Valkey is away")
            if time.monotonic() < self._refused_at + RETRY_SECONDS:
                return
        self._drop("Valkey does not keep up", keep=OUTGOING_MAX)
        if not open_now and self._opening is None:
            self._opening = asyncio.create_task(self._open(), context=Context())

    def _without_valkey(self, reason: str) -> None:
        """Send what waits through PostgreSQL; drop it where that is not possible."""
        if self.stopgap is None:
            self._drop(reason, keep=0)
            return
        batch, self._outgoing = self._outgoing, []
        self._send_by_stopgap(ONLY, batch)

    def _send_by_stopgap(self, kind: str, batch: list[tuple[str, bytes]]) -> None:
        assert self.stopgap is not None, "checked before"
        notices = [Notice(kind, self._name, key, frame.decode()) for key, frame in batch]
        self.stopgap.send(notices)

    async def _open(self) -> None:
        try:
            self._publishing = await connect(settings.REDIS_URL, _published)
            self._publishing.drained = self._send
            self._refused_at = None
            self._send()
        except (RedisError, OSError) as error:
            self._refused_at = time.monotonic()
            self._without_valkey(str(error))
        finally:
            self._opening = None

    def _drop(self, reason: str, *, keep: int) -> None:
        """Drop frames that cannot be published; clients notice the gap and ask."""
        self._dropped += max(0, len(self._outgoing) - keep)
        del self._outgoing[keep:]
        now = time.monotonic()
        if self._dropped and now - self._complained > COMPLAIN_SECONDS:
            logger.warning("could not publish %d frames: %s", self._dropped, reason)
            self._dropped, self._complained = 0, now


def _published(reply: Any) -> None:
    """An answer to a publication: only refusals matter."""
    if isinstance(reply, hiredis.ReplyError):
        logger.warning("could not publish: %s", reply)
