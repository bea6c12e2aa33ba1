"""The heartbeat of a web server: while it beats, players can play.

A process whose commands fail does not beat, and says so: by PostgreSQL, or by Valkey where it has
no way to PostgreSQL, because another process may beat meanwhile. While it has no Valkey that is
written down too, because nobody's presence there is renewed then.
"""

import asyncio
import logging
from typing import Any, Final

from django.db import Error

from games.live.figures import counts_write
from games.live.hub import hub
from games.live.lane import lane
from games.live.presence import attendants
from games.live.stopgap import Stopgap
from games.services.outages import (
    BEAT_SECONDS,
    WEB,
    failing_note,
    heartbeat,
    without_valkey_note,
)
from games.services.trials import cut_off_tell, refusals_are_many, refusals_forget
from kit.database import in_thread

logger = logging.getLogger(__name__)

#: a heartbeat that takes longer waits for a connection or for a lock, as commands do.
LATE_SECONDS: Final = 2.0


class Pulse:
    """An ASGI application for the lifespan of a web process: it beats until the process ends."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Beat from the start of the server to its shutdown."""
        await receive()  # lifespan.startup
        beating = asyncio.create_task(_beat())
        stopgap = Stopgap()
        hub().use_stopgap(stopgap)
        await send({"type": "lifespan.startup.complete"})
        await receive()  # lifespan.shutdown
        beating.cancel()
        counts_write()
        await lane().close()
        await stopgap.close()
        await send({"type": "lifespan.shutdown.complete"})


async def _beat() -> None:
    while True:
        try:
            await _told_when_late(asyncio.ensure_future(in_thread(_say)))
            if hub().is_deaf or attendants().misses:
                await in_thread(without_valkey_note)
        except Error as error:  # InterfaceError is no DatabaseError
            logger.warning("no heartbeat: %s", error)
            refusals_forget()  # it is not the kind that a heartbeat would miss
            await asyncio.to_thread(cut_off_tell)
        await asyncio.sleep(BEAT_SECONDS)


def _say() -> None:
    """Beat, unless commands fail here; then write that down."""
    if refusals_are_many():
        failing_note()
    else:
        heartbeat(WEB)


async def _told_when_late(said: "asyncio.Future[None]") -> None:
    """Wait for a heartbeat; while it waits for a connection, others are told by Valkey."""
    while not (await asyncio.wait((said,), timeout=LATE_SECONDS))[0]:
        await asyncio.to_thread(cut_off_tell)
    said.result()
