"""Publishing a process's own frames for all others, in batches and in order.

They go through Valkey; while it is away, or for processes that have lost it, through PostgreSQL
(`games.live.stopgap`). `games.live.hub` receives what others publish.
"""

import asyncio
import logging
import time
from contextvars import Context
from typing import Any, Final

import hiredis
from django.conf import settings
from redis.exceptions import RedisError

from games.live.stopgap import Stopgap
from games.live.valkey import Wire, connect
from games.notices import ALSO, ONLY, Notice, some_are_deaf

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
            wire.publish([(key, self._mark + frame) for key, frame in batch])
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
