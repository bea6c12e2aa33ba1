"""The latest event numbers of the tables of this process's sockets, as read a moment ago.

A frame that got lost on its way through Valkey leaves a gap only when another one follows it; the
player whose turn it is now would wait for their opponent. The answer to their ping has the latest
number of the table. One query serves all recent pings, so pings stay cheap.
"""

import asyncio
import time
from typing import Final
from uuid import UUID
from weakref import WeakKeyDictionary

from django.db import Error

from games.live.work import in_thread
from games.selectors import table_seqs

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
