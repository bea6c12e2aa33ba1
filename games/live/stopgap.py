"""Frames by way of PostgreSQL while Valkey is away: slower, and players at a table go on.

Every web process keeps one connection that listens (`LISTEN`); in normal times nothing comes. It is
opened to a server that takes changes, is tried every few seconds, and is opened again after its
end. What this process sends goes through Django's connections. `games.live.hub` decides when.
"""

import asyncio
import contextlib
import logging
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextvars import Context
from typing import Any, Final
from uuid import uuid4

import psycopg
from django.conf import settings
from django.db import Error
from psycopg import sql

from games.broadcast import DEAF, Notice, can_listen, deaf_note, notice_channel, notify, unpacked
from games.services.fast_lane import database_place
from kit.database import in_thread

logger = logging.getLogger(__name__)

#: how long the connection is left alone; then it is tried.
TRY_SECONDS: Final = 5.0

#: a try without an answer for this long is the end of the connection.
ANSWER_SECONDS: Final = 3.0

#: an announcement that has not come back for this long has not been received.
ECHO_SECONDS: Final = 2.0

#: the waits before it is opened again; the last one from then on.
RETRY_SECONDS: Final = (0.1, 0.5, 1.0, 2.0, 5.0)

#: how many messages wait to be sent; later ones are dropped.
OUTGOING_MAX: Final = 4096
BATCH_MAX: Final = 256

#: for how long it counts that another process was seen to have Valkey.
ALONE_SECONDS: Final = 15.0
_alone_until: float = float("-inf")

#: the connections of this process that listen: one for each event loop.
_listening: set["Stopgap"] = set()


def stopgap_listens() -> bool:
    """Whether this process listens, so that its players can go on without Valkey."""
    return bool(_listening)


def alone_note() -> None:
    """Note that another process has Valkey, and this one has not."""
    global _alone_until
    _alone_until = time.monotonic() + ALONE_SECONDS


def not_alone_note() -> None:
    """Note that this process has Valkey."""
    global _alone_until
    _alone_until = float("-inf")


def alone_without_valkey() -> bool:
    """Whether others have Valkey, so that players are better off at another web server."""
    return time.monotonic() < _alone_until


class Stopgap:
    """The way of one event loop; the hub sets `heard` and `lost`, and calls `begin`.

    `heard` takes each message of all processes, this one included. `lost` is called when messages
    may have been missed.
    """

    def __init__(self) -> None:
        self.heard: Callable[[Notice], None] = lambda _: None
        self.lost: Callable[[], None] = lambda: None
        self._listener: asyncio.Task[None] | None = None
        self._outgoing: deque[Notice] = deque()
        self._sender: asyncio.Task[None] | None = None
        self._echo, self._echoed = "", asyncio.Event()

    @property
    def listens(self) -> bool:
        """Whether messages of other processes arrive."""
        return self in _listening

    def begin(self) -> None:
        """Listen from now on, where that is possible."""
        if self._listener is None and can_listen():
            self._listener = asyncio.create_task(self._listen_always(), context=Context())

    async def close(self) -> None:
        """Stop listening, and send what waits."""
        if self._sender is not None:
            await self._sender
        if self._listener is not None:
            self._listener.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._listener
            self._listener = None

    # --- sending ---------------------------------------------------------------------------------

    def send(self, notices: Sequence[Notice]) -> None:
        """Send these messages in order, after those that wait."""
        self._outgoing.extend(notices)
        self._drop(len(self._outgoing) - OUTGOING_MAX, "PostgreSQL does not keep up")
        if self._sender is None:
            self._sender = asyncio.create_task(self._send(), context=Context())

    async def announce(self, sender: str) -> bool:
        """Say that this process has no Valkey; whether all frames reach it from now on.

        They do when this message itself has come back.
        """
        if not self.listens:
            return False
        self._echo, self._echoed = uuid4().hex, asyncio.Event()
        try:
            async with asyncio.timeout(ECHO_SECONDS):
                await in_thread(notify, [Notice(DEAF, sender, self._echo)])
                await self._echoed.wait()
        except (Error, TimeoutError) as error:
            logger.warning("could not say that Valkey is away: %s", error or "no answer")
            return False
        return self.listens

    async def _send(self) -> None:
        try:
            while self._outgoing:
                many = range(min(BATCH_MAX, len(self._outgoing)))
                batch = [self._outgoing.popleft() for _ in many]
                try:
                    await in_thread(notify, batch)
                except Error as error:  # clients notice the gap and ask
                    logger.warning("could not publish %d frames: %s", len(batch), error)
        finally:
            self._sender = None

    def _drop(self, count: int, reason: str) -> None:
        """Drop the newest messages; clients notice the gap and ask."""
        for _ in range(count):
            self._outgoing.pop()
        if count > 0:
            logger.warning("could not publish %d frames: %s", count, reason)

    # --- listening -------------------------------------------------------------------------------

    async def _listen_always(self) -> None:
        failures = 0
        while True:
            try:
                async with await _opened() as connection:
                    failures = 0
                    _listening.add(self)
                    await self._listen(connection)
            except (psycopg.Error, OSError) as error:
                logger.warning("not listening at PostgreSQL, trying again: %s", error)
            except Exception:  # whatever it was, it must not end for good
                logger.exception("listening at PostgreSQL failed, trying again")
            finally:
                was_listening = self.listens
                _listening.discard(self)
            if was_listening:
                self.lost()
            await asyncio.sleep(RETRY_SECONDS[min(failures, len(RETRY_SECONDS) - 1)])
            failures += 1

    async def _listen(self, connection: "psycopg.AsyncConnection[Any]") -> None:
        """Take in messages until the connection ends or its server takes no changes."""
        while True:
            async for notification in connection.notifies(timeout=TRY_SECONDS):
                self._take(notification.payload)
            await _check(connection)

    def _take(self, payload: str) -> None:
        notice = unpacked(payload)
        if notice is None:
            logger.warning("a notification that is none of ours")
        elif notice.kind == DEAF:
            deaf_note()
            if notice.key == self._echo:
                self._echoed.set()
        else:
            self.heard(notice)


async def _opened() -> "psycopg.AsyncConnection[Any]":
    """A connection that listens; its server takes changes, as the address asks for."""
    connection = await psycopg.AsyncConnection.connect(**_place(), autocommit=True)
    try:
        await _check(connection)
        await connection.execute(sql.SQL("LISTEN {}").format(sql.Identifier(notice_channel())))
    except BaseException:
        await connection.close()
        raise
    return connection


async def _check(connection: "psycopg.AsyncConnection[Any]") -> None:
    """Return if the server answers and takes changes; at a standby nothing would arrive."""
    async with asyncio.timeout(ANSWER_SECONDS):
        cursor = await connection.execute("SHOW transaction_read_only")
        row = await cursor.fetchone()
    if row is None or row[0] != "off":
        raise psycopg.OperationalError("the server takes no changes")


def _place() -> dict[str, Any]:
    """The parameters of libpq; those of `DATABASE_DIRECT_URL` where there is a pooler."""
    direct: dict[str, Any] | None = settings.DATABASE_DIRECT
    if direct is None:
        return database_place()
    names = {"dbname": "NAME", "user": "USER", "password": "PASSWORD", "host": "HOST"}
    names["port"] = "PORT"
    named = {libpq: direct[ours] for libpq, ours in names.items() if direct[ours]}
    return {**named, **direct["OPTIONS"]}
