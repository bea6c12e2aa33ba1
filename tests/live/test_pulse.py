"""The heartbeat of a web process goes on after any failure of its connection to the database."""

import asyncio
import time
import urllib.request
from datetime import datetime
from functools import partial
from threading import Barrier
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from redis.exceptions import RedisError

from games.live.hub import hub
from games.live.presence import Attendants, known_since_key
from games.live.pulse import Pulse
from games.models import Heartbeat
from games.services.outages import WEB, presence_is_known
from harness.servers import NO_VALKEY
from harness.waiting import WAIT_SECONDS
from kit.database import THREADS, in_thread
from kit.valkey.clients import client


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


@pytest.mark.django_db(transaction=True)
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


@pytest.mark.django_db(transaction=True)
def test_a_web_process_without_valkey_writes_that_down(settings: Any) -> None:
    settings.REDIS_URL = NO_VALKEY
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


# --- presence -------------------------------------------------------------------------------------
def known_since() -> float:
    found = client(settings.REDIS_URL).get(known_since_key())
    assert isinstance(found, bytes)
    return float(found)


@pytest.mark.usefixtures("servers")
def test_renewals_at_the_same_time_leave_alone_since_when_presence_is_known() -> None:
    async def story() -> None:
        here = Attendants()
        await here._renew(["a"])
        before = known_since()
        await asyncio.gather(*(here._renew([table]) for table in ("a", "b", "c")))
        assert known_since() == before

    asyncio.run(story())


@pytest.mark.usefixtures("servers")
def test_the_first_renewal_after_one_that_failed_sets_it_anew(settings: Any) -> None:
    async def story() -> None:
        here = Attendants()
        await here._renew(["a"])
        before, with_valkey = known_since(), settings.REDIS_URL
        settings.REDIS_URL = NO_VALKEY
        here._client = None
        with pytest.raises(RedisError):
            await here._renew(["a"])
        settings.REDIS_URL = with_valkey
        here._client = None
        began = time.time()
        await here._renew(["a"])
        assert known_since() >= began > before
        after = known_since()
        await here._renew(["a"])
        assert known_since() == after

    asyncio.run(story())


# --- connections ----------------------------------------------------------------------------------
def backends() -> set[int]:
    """The other connections to this database."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pid FROM pg_stat_activity WHERE datname = current_database()"
            " AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
        )
        return {row[0] for row in cursor.fetchall()}


def test_one_page_after_another_is_served_over_the_same_connection(live: str) -> None:
    def look() -> None:
        urllib.request.urlopen(f"{live}/ranking/").close()

    look()
    before = backends()
    for _ in range(5):
        look()
    assert backends() == before
