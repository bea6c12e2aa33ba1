"""The heartbeat of a web server: while it beats, players can play.

While it has no Valkey that is written down too, because nobody's presence there is renewed then.
"""

import asyncio
import logging
from typing import Any

from django.db import Error

from games.live.figures import counts_write
from games.live.hub import hub
from games.live.lane import lane
from games.live.presence import attendants
from games.live.stopgap import Stopgap
from games.live.work import in_thread
from games.services.outages import BEAT_SECONDS, WEB, heartbeat, without_valkey_note

logger = logging.getLogger(__name__)


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
            await in_thread(heartbeat, WEB)
            if hub().is_deaf or attendants().misses:
                await in_thread(without_valkey_note)
        except Error as error:  # InterfaceError is no DatabaseError
            logger.warning("no heartbeat: %s", error)
        await asyncio.sleep(BEAT_SECONDS)
