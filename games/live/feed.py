"""The updates of a table for one socket, in an order in which the last one is the newest.

Before the first `resume` is answered a socket receives neither `update` nor `fair`: a client that
has seen nothing could not place them, and the answer contains what they say.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Final
from uuid import UUID
from weakref import WeakKeyDictionary

from django.db import Error

from games.live.delivery import Follower, Line
from games.selectors import resume_frame, table_get, table_seqs
from games.wire import encode
from games.wire.frames import Snapshot, Update
from kit.database import database_now_ms, in_thread

#: how the frames begin that follow from the state of the game.
OF_THE_GAME: Final = ('{"type":"update"', '{"type":"fair"')


class Feed:
    """The updates that one socket receives of its table; `send` sends a text to it.

    Its `follower` writes at once to the `line`, but while a `resume` is read or before the first.
    """

    follower: Follower

    def __init__(
        self, table_id: UUID, line: Line | None, send: Callable[[str], Awaitable[None]]
    ) -> None:
        self._table_id = table_id
        self._line = line
        self._send = send
        self._reading = asyncio.Lock()
        self._begun = False

    @asynccontextmanager
    async def held(self) -> AsyncIterator[None]:
        """Hold back in this block what is published; it follows the frames that the block sends."""
        async with self._reading:
            yield

    async def resume(self, since: int) -> None:
        """Send what came after event `since`, and from now on every update.

        What is published while the table is read follows after the answer. Otherwise the answer
        could be older than what the client received before it.
        """
        async with self._reading:
            self._begun = True  # before the read: it contains everything that was held back
            self.follower.line = None
            await self._send(encode(await in_thread(self._resumed, since)))
            self.follower.line = self._line

    async def pass_on(self, text: str) -> None:
        """Pass on what was published, after the answer to a `resume` that is being read."""
        async with self._reading:
            if self._begun or not text.startswith(OF_THE_GAME):
                await self._send(text)

    def _resumed(self, since: int) -> Snapshot | Update:
        table = table_get(self._table_id)
        assert table is not None, "tables are never deleted"
        return resume_frame(table, since, database_now_ms())


#: how old an answer may be.
LOOK_EVERY_SECONDS: Final = 2.0

#: a ping is answered without it when the database takes longer.
LOOK_SECONDS: Final = 0.5

#: a table without a ping for this long is not looked up
FORGET_SECONDS: Final = 30.0


class Newest:
    """The newest seqs of the tables of one event loop. Use `newest()`."""

    def __init__(self) -> None:
        self._asked: dict[UUID, float] = {}
        self._seqs: dict[UUID, int] = {}
        self._looked = float("-inf")
        self._look: asyncio.Task[None] | None = None

    async def seq(self, table_id: UUID) -> int | None:
        """The seq of a table's newest event as it was at most `LOOK_EVERY_SECONDS` ago.

        None if the database does not answer in time, or has no such table.
        """
        now = time.monotonic()
        self._asked[table_id] = now
        if table_id not in self._seqs or now - self._looked > LOOK_EVERY_SECONDS:
            if self._look is None:
                self._look = asyncio.create_task(self._look_up(now))
            answered, _ = await asyncio.wait([self._look], timeout=LOOK_SECONDS)
            if not answered:
                return None
        return self._seqs.get(table_id)

    async def _look_up(self, now: float) -> None:
        try:
            self._asked = {key: at for key, at in self._asked.items() if now - at < FORGET_SECONDS}
            self._seqs = await in_thread(table_seqs, list(self._asked))
            self._looked = now
        except Error:  # unknown; the next ping looks again
            self._seqs = {}
        finally:
            self._look = None


_newest: WeakKeyDictionary[asyncio.AbstractEventLoop, Newest] = WeakKeyDictionary()


def newest() -> Newest:
    """The newest seqs known in the running event loop."""
    return _newest.setdefault(asyncio.get_running_loop(), Newest())
