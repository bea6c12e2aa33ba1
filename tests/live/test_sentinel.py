"""Where sentinels name the primary, every connection finds the new one after the old one failed."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest
import redis
from django.core.cache import cache

from games.broadcast import publish
from games.live import valkey
from games.live.hub import Hub
from games.live.places import SOCKETS_MAX, Places, places_key
from games.live.presence import Attendants, Presence, people_online, person_seen, seats_away
from games.live.valkey import connect
from harness.waiting import WAIT_SECONDS, wait_until
from kit.valkey import address as valkey_address
from kit.valkey import primary as valkey_primary
from kit.valkey.clients import cache_settings
from kit.valkey.clients import client as client_of
from pasch.observability.parts import valkey_answers
from tests.live.test_hub import Listener
from tests.sentinels import Servers

pytestmark = pytest.mark.cluster

CHANNEL = "table:of the test"
FAILURES = ("fail_over", "kill_primary", "freeze_primary")


@pytest.fixture(scope="module")
def valkeys() -> Iterator[Servers]:
    servers = Servers(replicas=2)
    with pytest.MonkeyPatch.context() as changed:  # on a busy machine a sentinel takes its time
        changed.setattr(valkey_address, "SENTINEL_SECONDS", float(WAIT_SECONDS))
        yield servers
    servers.stop()


@pytest.fixture
def address(valkeys: Servers, settings: Any) -> str:
    settings.REDIS_URL = valkeys.address
    settings.CACHES = {"default": cache_settings(valkeys.address)}
    return valkeys.address


def asked(call: Callable[[], Any]) -> Any:
    """The answer, or None while Valkey has none."""
    with suppress(redis.RedisError):
        return call()


def run(story: Callable[[], Awaitable[None]]) -> None:
    async def whole() -> None:
        async with asyncio.timeout(WAIT_SECONDS):
            await story()

    asyncio.run(whole())


@pytest.mark.slow
@pytest.mark.parametrize("failure", FAILURES)
def test_clients_of_a_process_find_the_new_primary(
    valkeys: Servers, address: str, failure: str
) -> None:
    client = client_of(address)
    client.flushdb()
    cache.set("before", 1)
    person_seen(7)
    assert (cache.get("before"), people_online(9)) == (1, [7])
    assert client.connection_pool.get_master_address()[1] == valkeys.primary()

    port = getattr(valkeys, failure)()
    with valkeys.client(port) as primary:
        wait_until(
            lambda: asked(lambda: client.set("after", 1)) and primary.get("after"), "a client"
        )
        wait_until(
            lambda: (asked(lambda: cache.set("after", 2)), primary.exists(":1:after"))[1],
            "the cache",
        )
    assert (valkey_answers(), cache.get("after")) == (True, 2)
    person_seen(8)
    assert 8 in people_online(9)
    valkeys.mend()


@pytest.mark.slow
@pytest.mark.parametrize("failure", FAILURES)
def test_frames_reach_other_processes_after_a_failover(
    valkeys: Servers, address: str, failure: str
) -> None:
    async def story() -> None:
        here, there, far = Hub(), Hub(), Listener()
        await there.subscribe(far.hear, far.lose, CHANNEL)
        here.tell(CHANNEL, '{"before":1}')
        assert await far.next() == '{"before":1}'
        await asyncio.to_thread(publish, CHANNEL, '{"by":1}')
        assert await far.next() == '{"by":1}'

        failing = asyncio.create_task(asyncio.to_thread(getattr(valkeys, failure)))
        assert await asyncio.wait_for(far.frames.get(), WAIT_SECONDS) is None, "frames were lost"
        while far.frames.empty() or far.frames.get_nowait() is None:
            here.tell(CHANNEL, '{"after":1}')
            await asyncio.sleep(0.05)
        await failing
        await asyncio.to_thread(publish, CHANNEL, '{"by":1}')
        while await far.next() != '{"by":1}':
            pass

    run(story)
    valkeys.mend()


@pytest.mark.slow
def test_a_transaction_does_not_go_back_to_the_old_primary(
    valkeys: Servers, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the worker does to give a message back; redis-py tries it there again without an end."""
    client = client_of(address)
    client.set("watched", 1)
    monkeypatch.setattr(valkey_primary, "ASK_EVERY_SECONDS", 600.0)
    port = valkeys.fail_over()
    client.transaction(lambda pipe: (pipe.multi(), pipe.set("after-that", 1)), "watched")
    with valkeys.client(port) as primary:
        assert primary.get("after-that") == b"1"
    valkeys.mend()


@pytest.mark.slow
def test_presence_and_places_find_the_new_primary(valkeys: Servers, address: str) -> None:
    async def story() -> None:
        attendants, places = Attendants(), Places()
        presence = Presence("the-table", 1, "connection")
        await attendants.enter(presence, 7)
        assert await places.take(7, "first")
        await asyncio.to_thread(valkeys.kill_primary)
        await asyncio.to_thread(client_of(address).flushdb)
        await attendants.enter(presence, 7)
        assert await asyncio.to_thread(people_online, 9) == [7]
        client = client_of(address)
        await asyncio.to_thread(
            client.zadd, places_key(7), {str(n): time.time() + 60 for n in range(SOCKETS_MAX)}
        )
        assert not await places.take(7, "one too many")
        assert await asyncio.to_thread(seats_away, []) == []
        assert await attendants.leave(presence, 7)

    run(story)
    valkeys.mend()


@pytest.mark.slow
def test_a_server_that_is_no_primary_is_refused(valkeys: Servers) -> None:
    async def story() -> None:
        primary = valkeys.primary()
        replica = next(port for port in valkeys.ports if port != primary)
        valkeys.watch("mistaken", replica)
        with pytest.raises(redis.ConnectionError, match="no primary"):
            await connect(valkeys.address_of("mistaken", valkeys.sentinels[0]), lambda _: None)

    run(story)


@pytest.mark.slow
def test_a_connection_ends_when_the_sentinels_name_another_server(
    valkeys: Servers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Although its server lives and answers: publications there would reach nobody."""
    monkeypatch.setattr(valkey, "ASK_EVERY_SECONDS", 0.2)

    async def story() -> None:
        ended = asyncio.Event()
        primary = valkeys.primary()
        valkeys.watch("moving", primary)
        address = valkeys.address_of("moving", valkeys.sentinels[0])
        wire = await connect(address, lambda _: None, lost=ended.set)
        await asyncio.sleep(1)
        assert not ended.is_set()
        valkeys.watch("moving", next(port for port in valkeys.ports if port != primary))
        await ended.wait()
        assert wire.closed

    run(story)


@pytest.mark.slow
def test_no_error_has_a_password(valkeys: Servers) -> None:
    for name, port in (("nobody", valkeys.sentinels[0]), ("house", 1)):
        client = client_of(valkeys.address_of(name, port))
        with pytest.raises(redis.ConnectionError) as away:
            client.ping()
        assert "for-" not in str(away.value)

        async def story(told: str = valkeys.address_of(name, port)) -> None:
            with pytest.raises(redis.ConnectionError) as away:
                await connect(told, lambda _: None)
            assert "for-" not in str(away.value)

        run(story)
