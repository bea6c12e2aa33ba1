"""The updates of a table for one socket, in an order in which the last one is the newest.

Before the first `resume` is answered a socket receives neither `update` nor `fair`: a client that
has seen nothing could not place them, and the answer contains what they say.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Final
from uuid import UUID

from games.live.line import Line
from games.live.work import in_thread
from games.selectors import resume_frame, table_get
from games.services.moments import database_now_ms
from games.wire import encode
from games.wire.frames import Snapshot, Update

#: how the frames begin that follow from the state of the game.
OF_THE_GAME: Final = ('{"type":"update"', '{"type":"fair"')


class Feed:
    """The updates that one socket receives of its table; `send` sends a text to it."""

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
            await self._send(encode(await in_thread(self._resumed, since)))

    async def pass_on(self, text: str) -> None:
        """Pass on what was published, after the answer to a `resume` that is being read."""
        async with self._reading:
            if self._begun or not text.startswith(OF_THE_GAME):
                await self._send(text)

    def pass_on_now(self, frame: bytes) -> bool:
        """The same at once; False if it must wait, or if the client is slow."""
        assert self._line is not None, "only frames of a line have bytes"
        if not self._begun or self._reading.locked() or not self._line.flows:
            return False
        self._line.write_frame(frame)
        return True

    def _resumed(self, since: int) -> Snapshot | Update:
        table = table_get(self._table_id)
        assert table is not None, "tables are never deleted"
        return resume_frame(table, since, database_now_ms())
