"""The heartbeat of a web process goes on after any failure of its connection to the database."""

import asyncio
from datetime import datetime
from functools import partial
from threading import Barrier
from typing import Any

import pytest
from django.db import connection

from games.live.hub import hub
from games.live.pulse import Pulse
from games.models import Heartbeat
from games.services.outages import WEB, presence_is_known
from harness.waiting import WAIT_SECONDS
from kit.database import THREADS, in_thread

pytestmark = pytest.mark.django_db(transaction=True)


class Cut:
    """Closes the cursor of the next statement, so that psycopg raises an `InterfaceError`."""

    def __init__(self) -> None:
        self.waits = False

    def __call__(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if self.waits:
            self.waits = False
            context["cursor"].close()
        return execute(sql, params, many, context)


async def in_every_thread(work: Any) -> None:
    """Run something once in each of the threads of the tables, one of which will beat."""
    together = Barrier(THREADS)

    def run() -> None:
        together.wait(WAIT_SECONDS)
        work()

    await asyncio.gather(*(in_thread(run) for _ in range(THREADS)))


async def a_beat() -> None:
    """Wait for the next heartbeat."""

    def beat_at() -> datetime | None:
        return Heartbeat.objects.filter(role=WEB).values_list("beat_at", flat=True).first()

    before = beat_at()
    while beat_at() == before:
        await asyncio.sleep(0.05)


@pytest.mark.slow
def test_the_heart_beats_on_after_a_cursor_was_lost(caplog: pytest.LogCaptureFixture) -> None:
    cut, begun = Cut(), asyncio.Event()
    events: asyncio.Queue[dict[str, str]] = asyncio.Queue()

    async def send(event: dict[str, str]) -> None:
        if event["type"] == "lifespan.startup.complete":
            begun.set()

    async def story() -> None:
        server = asyncio.create_task(Pulse()({"type": "lifespan"}, events.get, send))
        await events.put({"type": "lifespan.startup"})
        await begun.wait()
        await a_beat()
        cut.waits = True
        while cut.waits:
            await asyncio.sleep(0.05)
        await a_beat()
        await events.put({"type": "lifespan.shutdown"})
        await server

    async def whole() -> None:
        async with asyncio.timeout(WAIT_SECONDS):
            await in_every_thread(lambda: connection.execute_wrappers.append(cut))
            try:
                await story()
            finally:
                await in_every_thread(lambda: connection.execute_wrappers.remove(cut))
                await in_every_thread(lambda: connection.close())

    asyncio.run(whole())
    assert "no heartbeat: the cursor is closed" in caplog.text


def test_a_web_process_without_valkey_writes_that_down(settings: Any) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    events: asyncio.Queue[dict[str, str]] = asyncio.Queue()

    async def ignore(_: Any) -> None:
        pass

    async def whole() -> None:
        async with asyncio.timeout(WAIT_SECONDS):
            server = asyncio.create_task(Pulse()({"type": "lifespan"}, events.get, ignore))
            await events.put({"type": "lifespan.startup"})
            assert await in_thread(presence_is_known)
            subscribing = asyncio.create_task(hub().subscribe(ignore, partial(ignore, 0), "a"))
            while await in_thread(presence_is_known):
                await asyncio.sleep(0.05)
            await events.put({"type": "lifespan.shutdown"})
            await server
            subscribing.cancel()
            await in_every_thread(lambda: connection.close())

    asyncio.run(whole())
