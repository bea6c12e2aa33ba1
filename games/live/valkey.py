"""A connection to Valkey for publishing and listening, spoken directly: hiredis reads and packs.

redis-py surrounds every message with tasks, futures and time-outs, which cost a web process as much
as its sockets. Presence, places and limits are rare beside messages and keep to redis-py, whose
reading of `REDIS_URL` (TCP, TLS, Unix socket, login, database) holds here, too.

Where sentinels name the primary (`kit.valkey.address`), every connection asks them, checks that
the server is one, and closes when they name another: a replica takes publications without a word.
"""

import asyncio
import contextlib
from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence
from ssl import SSLContext
from typing import Any, Final, cast

import hiredis
from redis.asyncio import Connection, ConnectionPool, SSLConnection, UnixDomainSocketConnection
from redis.exceptions import ConnectionError as NoConnection
from redis.exceptions import RedisError, ResponseError

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

    def publish(self, batch: Sequence[tuple[str, bytes]]) -> None:
        """Publish messages at their channels, in this order."""
        self.send([pack(("PUBLISH", channel, message)) for channel, message in batch])

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
