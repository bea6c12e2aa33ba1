"""While a process has no Valkey its frames go through PostgreSQL, in both directions."""

import asyncio
import socket
import time
from collections.abc import Awaitable, Callable
from threading import Event
from typing import Any

import psycopg
import pytest
import redis
from django.db import OperationalError, connection, transaction
from django.test import Client

from games import broadcast
from games.broadcast import (
    ALSO,
    BYTES_MAX,
    ONLY,
    Notice,
    access_channel,
    access_ended_tell,
    channel_key,
    notice_channel,
    notify,
    publish,
    text_on_commit,
    unpacked,
)
from games.live.hub import SURE_SECONDS, Hub
from games.live.stopgap import OUTGOING_MAX, Stopgap, stopgap_listens
from games.services.fast_lane import database_place
from harness.servers import NO_VALKEY
from harness.waiting import PROGRAM_SECONDS, WAIT_SECONDS, reached_soon
from kit.valkey.clients import TIMES
from tests.live.test_hub import CHANNEL, Listener, cut
from tests.live.test_pulse import in_every_thread

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


def run(story: Callable[[Hub, Hub], Awaitable[None]]) -> None:
    """Run a scenario with two hubs, as in two processes, each with a way of its own."""

    async def whole() -> None:
        hubs, ways = (Hub(), Hub()), (Stopgap(), Stopgap())
        for hub, each in zip(hubs, ways, strict=True):
            hub.use_stopgap(each)
        try:
            async with asyncio.timeout(PROGRAM_SECONDS):
                await reached_soon(lambda: all(each.listens for each in ways))
                assert stopgap_listens()
                await story(*hubs)
        finally:
            for each in ways:
                await each.close()

        assert not any(each.listens for each in ways)

    asyncio.run(whole())


def test_two_without_valkey_send_each_other_every_frame_in_order(settings: Any) -> None:
    settings.REDIS_URL = NO_VALKEY

    async def story(here: Hub, there: Hub) -> None:
        near, far = Listener(), Listener()
        await here.subscribe(near.hear, near.lose, CHANNEL)
        await there.subscribe(far.hear, far.lose, CHANNEL)
        assert here.goes_by_stopgap
        told = ['{"a":1}', '{"b":1}', '{"a":1}', *(f'{{"n":{n}}}' for n in range(50))]
        for frame in told:
            here.tell(CHANNEL, frame)
        assert [await far.next() for _ in told] == told, "equal ones of a transaction, too"
        assert [await near.next() for _ in told] == told
        there.tell(CHANNEL, '{"c":1}')
        assert await near.next() == await far.next() == '{"c":1}'

    run(story)


def test_one_without_valkey_and_one_with_it_hear_each_other_once(
    servers: None, settings: Any
) -> None:
    async def story(here: Hub, there: Hub) -> None:
        near, far = Listener(), Listener()
        await here.subscribe(near.hear, near.lose, CHANNEL)
        here.tell(CHANNEL, '{"a":0}')  # opens its connection
        assert await near.next() == '{"a":0}'
        await reached_soon(lambda: here._publisher._publishing is not None)
        with_valkey, settings.REDIS_URL = settings.REDIS_URL, NO_VALKEY
        heard: list[str] = []
        there.heard_elsewhere = heard.append
        await there.subscribe(far.hear, far.lose, CHANNEL)
        assert (here.goes_by_stopgap, there.goes_by_stopgap) == (False, True)
        await reached_soon(broadcast.some_are_deaf)
        here.tell(CHANNEL, '{"a":1}')
        assert await far.next() == await near.next() == '{"a":1}'
        assert heard == [channel_key(CHANNEL)], "the copy of the table is old"
        there.tell(CHANNEL, '{"a":2}')
        assert await far.next() == await near.next() == '{"a":2}'
        await asyncio.to_thread(publish, CHANNEL, '{"a":3}')
        assert await far.next() == await near.next() == '{"a":3}'

        settings.REDIS_URL = with_valkey
        assert await far.next() is None, "it starts over once Valkey is back"
        await reached_soon(lambda: channel_key(CHANNEL) in there._channels.confirmed)
        assert not there.goes_by_stopgap
        here.tell(CHANNEL, '{"a":4}')
        there.tell(CHANNEL, '{"a":5}')
        assert {await far.next(), await far.next()} == {'{"a":4}', '{"a":5}'}
        await asyncio.to_thread(publish, CHANNEL, '{"a":6}')
        assert await far.next() == '{"a":6}', "nothing came twice"

    run(story)


def test_a_frame_that_is_too_big_is_a_lost_one_at_its_channel_alone(settings: Any) -> None:
    settings.REDIS_URL = NO_VALKEY

    async def story(here: Hub, there: Hub) -> None:
        big, small = Listener(), Listener()
        await there.subscribe(big.hear, big.lose, CHANNEL)
        await there.subscribe(small.hear, small.lose, "other")
        here.tell(CHANNEL, f'{{"a":"{"ä" * (BYTES_MAX // 2)}"}}')
        here.tell("other", '{"a":1}')
        assert await big.next() is None
        assert await small.next() == '{"a":1}'
        assert big.frames.empty()

    run(story)


def test_pages_and_tasks_reach_sockets_too_and_break_nothing(settings: Any) -> None:
    settings.REDIS_URL = NO_VALKEY

    def committed() -> None:
        with transaction.atomic():
            text_on_commit(CHANNEL, '{"a":2}')

    async def story(here: Hub, there: Hub) -> None:
        far = Listener()
        await there.subscribe(far.hear, far.lose, CHANNEL)
        await asyncio.to_thread(publish, CHANNEL, "")
        await asyncio.to_thread(committed)
        assert [await far.next(), await far.next()] == ["", '{"a":2}']

    run(story)


@pytest.mark.usefixtures("servers")
def test_the_end_of_access_goes_both_ways_although_nobody_is_known_to_be_without_valkey() -> None:
    async def story() -> None:
        heard: list[Notice] = []
        way = Stopgap()
        way.heard = heard.append
        way.begin()
        await reached_soon(lambda: way.listens)
        await asyncio.to_thread(access_ended_tell, user_id=7, session_key="s")
        await reached_soon(lambda: heard)
        assert heard == [Notice(ALSO, key=channel_key(access_channel(7)), frame="s")]
        await way.close()

    asyncio.run(story())


def test_a_valkey_that_does_not_answer_holds_up_one_of_many_publications(
    settings: Any,
) -> None:
    began = time.monotonic()
    with socket.create_server(("127.0.0.1", 0)) as silent:
        settings.REDIS_URL = f"redis://127.0.0.1:{silent.getsockname()[1]}/0"
        for _ in range(10):
            publish(CHANNEL, "{}")
    assert time.monotonic() - began < 5 * TIMES["socket_timeout"], "most of them do not even try"


def test_one_that_alone_has_no_valkey_is_not_ready(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_valkey, settings.REDIS_URL = settings.REDIS_URL, NO_VALKEY

    def ready() -> bool:
        return "others" not in Client().get("/health/ready/").json()["valkey"]

    async def story(here: Hub, there: Hub) -> None:
        far = Listener()
        await there.subscribe(far.hear, far.lose, CHANNEL)
        also = Notice(ALSO, here.name, channel_key(CHANNEL), "{}")
        await asyncio.to_thread(notify, [also])
        assert await far.next() == "{}"
        assert await asyncio.to_thread(ready), "it may have been sent before Valkey's end was seen"
        monkeypatch.setattr(there._valkey, "deaf_since", time.monotonic() - SURE_SECONDS - 1)
        await asyncio.to_thread(notify, [Notice(ONLY, here.name, channel_key(CHANNEL), "{}")])
        assert await far.next() == "{}"
        assert await asyncio.to_thread(ready), "nobody has it"
        await asyncio.to_thread(notify, [also])
        assert await far.next() == "{}"
        assert not await asyncio.to_thread(ready)
        settings.REDIS_URL = with_valkey
        assert await far.next() is None
        assert await asyncio.to_thread(ready)

    run(story)


def test_who_lost_the_connection_that_listens_starts_over_and_listens_again(
    settings: Any,
) -> None:
    settings.REDIS_URL = NO_VALKEY

    async def story(here: Hub, there: Hub) -> None:
        far = Listener()
        await there.subscribe(far.hear, far.lose, CHANNEL)
        await asyncio.to_thread(cut_listeners)
        assert await far.next() is None
        await reached_soon(lambda: there.goes_by_stopgap)
        here.tell(CHANNEL, '{"a":1}')
        assert await far.next() == '{"a":1}'

    run(story)


def cut_listeners() -> None:
    """End the connections that listen, as a PostgreSQL that starts again does."""
    with psycopg.connect(**database_place(), autocommit=True) as admin:
        admin.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND query LIKE 'LISTEN %'"
        )


@pytest.mark.usefixtures("servers")
def test_a_break_that_is_over_at_once_makes_sockets_start_over_once() -> None:
    async def story(here: Hub, there: Hub) -> None:
        far = Listener()
        await there.subscribe(far.hear, far.lose, CHANNEL)
        await cut(there)
        assert await far.next() is None
        assert not there.is_deaf
        here.tell(CHANNEL, '{"a":1}')
        assert await far.next() == '{"a":1}', "no second time"
        assert not broadcast.some_are_deaf()

    run(story)


def test_a_valkey_that_refuses_channels_makes_no_socket_start_over(
    settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    with redis.Redis.from_url(settings.REDIS_URL) as admin:
        admin.acl_setuser("deaf", enabled=True, nopass=True, categories=["+@all", "-@pubsub"])
        place = admin.connection_pool.connection_kwargs
    with_login = f"unix://deaf:x@{place['path']}" if "path" in place else ""
    refusing = with_login or f"redis://deaf:x@{place['host']}:{place['port']}/0"
    settings.REDIS_URL = NO_VALKEY

    async def story(here: Hub, there: Hub) -> None:
        far = Listener()
        await there.subscribe(far.hear, far.lose, CHANNEL)
        settings.REDIS_URL = refusing
        await reached_soon(lambda: caplog.text.count("Valkey refuses") > 1)
        assert there.goes_by_stopgap
        here.tell(CHANNEL, '{"a":1}')
        assert await far.next() == '{"a":1}'

    run(story)


class Gate:
    """Stops notifications at each thread of the tables: `stop` is called before each."""

    def __init__(self, stop: Callable[[], None]) -> None:
        self.stop = stop

    def __call__(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if "pg_notify" in sql:
            self.stop()
        return execute(sql, params, many, context)

    async def __aenter__(self) -> None:
        await in_every_thread(lambda: connection.execute_wrappers.append(self))

    async def __aexit__(self, *_: object) -> None:
        await in_every_thread(lambda: connection.execute_wrappers.remove(self))


def test_an_announcement_that_fails_is_logged_and_no_more(
    settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    settings.REDIS_URL = NO_VALKEY

    def refuse() -> None:
        raise OperationalError("no")

    async def story(here: Hub, there: Hub) -> None:
        far = Listener()
        await there.subscribe(far.hear, far.lose, CHANNEL)
        async with Gate(refuse):
            await reached_soon(lambda: "could not say that Valkey is away" in caplog.text)
        here.tell(CHANNEL, '{"a":1}')
        assert await far.next() == '{"a":1}', "it listened all the while"

    run(story)


def test_an_announcement_that_nobody_receives_is_none(settings: Any) -> None:
    settings.REDIS_URL = NO_VALKEY

    async def story() -> None:
        way = Stopgap()
        way.begin()
        await reached_soon(lambda: way.listens)
        assert await way.announce("x")
        settings.BROADCAST_PREFIX = "elsewhere:"
        assert not await way.announce("x")
        await way.close()

    asyncio.run(story())


def test_what_waits_for_postgresql_is_limited_while_it_does_not_answer() -> None:
    free = Event()

    async def story() -> None:
        way = Stopgap()
        async with Gate(lambda: assert_set(free)):
            way.send([Notice("only")])
            await asyncio.sleep(0)
            for _ in range(3):
                way.send([Notice("only")] * OUTGOING_MAX)
            assert len(way._outgoing) <= OUTGOING_MAX
            free.set()
            await way.close()

    asyncio.run(story())


def assert_set(event: Event) -> None:
    assert event.wait(WAIT_SECONDS)


def test_behind_a_pooler_of_transactions_it_takes_an_address_past_it(settings: Any) -> None:
    settings.REDIS_URL = NO_VALKEY
    settings.DATABASE_POOLED = True

    async def alone(hub: Hub) -> None:
        far, way_of_hub = Listener(), Stopgap()
        hub.use_stopgap(way_of_hub)
        waiting = asyncio.create_task(hub.subscribe(far.hear, far.lose, CHANNEL))
        try:
            if broadcast.can_listen():
                await asyncio.wait_for(waiting, WAIT_SECONDS)
                while not far.frames.empty():  # it may have come before anything listened
                    assert await far.next() is None
                await asyncio.to_thread(notify, [Notice("only", "x", channel_key(CHANNEL), "{}")])
                assert await far.next() == "{}"
            else:
                assert await far.next() is None, "as before: it has to wait for Valkey"
                assert not waiting.done()
        finally:
            waiting.cancel()
            await way_of_hub.close()

    asyncio.run(alone(Hub()))
    place = database_place()
    names = {"NAME": "dbname", "USER": "user", "PASSWORD": "password", "HOST": "host"}
    direct = {ours: place.get(libpq, "") for ours, libpq in {**names, "PORT": "port"}.items()}
    settings.DATABASE_DIRECT = {**direct, "OPTIONS": {"target_session_attrs": "read-write"}}
    asyncio.run(alone(Hub()))


def test_notifications_of_strangers_are_ignored() -> None:
    for payload in ("", "only", "only\ta\t1\tkey\twhole", "else\ta\t1\tkey\twhole\t{}"):
        assert unpacked(payload) is None
    told = Notice("only", "a", "key", "two\twords")
    assert unpacked(told.packed()) == told
    assert notice_channel().endswith("stopgap")
