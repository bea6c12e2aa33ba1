"""Connections to Valkey: every form of its address, dead servers, and the new primary."""

import asyncio
import ssl
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import redis
from django.conf import settings
from django.core.cache import cache
from redis.asyncio import Redis
from redis.asyncio.connection import parse_url

from games.broadcast import publish
from games.live import valkey
from games.live.hub import Hub
from games.live.places import SOCKETS_MAX, Places, places_key
from games.live.presence import Attendants, Presence, people_online, person_seen, seats_away
from games.live.valkey import Reply, connect, pack
from harness.waiting import WAIT_SECONDS, wait_until
from kit.valkey import address as valkey_address
from kit.valkey import primary as valkey_primary
from kit.valkey.clients import cache_settings
from kit.valkey.clients import client as client_of
from pasch.observability.parts import valkey_answers
from tests.certificates import certificate_make
from tests.live.test_hub import Listener
from tests.sentinels import Servers

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


@pytest.mark.cluster
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


@pytest.mark.cluster
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


@pytest.mark.cluster
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


@pytest.mark.cluster
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


@pytest.mark.cluster
@pytest.mark.slow
def test_a_server_that_is_no_primary_is_refused(valkeys: Servers) -> None:
    async def story() -> None:
        primary = valkeys.primary()
        replica = next(port for port in valkeys.ports if port != primary)
        valkeys.watch("mistaken", replica)
        with pytest.raises(redis.ConnectionError, match="no primary"):
            await connect(valkeys.address_of("mistaken", valkeys.sentinels[0]), lambda _: None)

    run(story)


@pytest.mark.cluster
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


@pytest.mark.cluster
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


# --- addresses of Valkey --------------------------------------------------------------------------
async def asked_there(url: str, *command: str | int) -> Reply:
    """The answer to one command at this address."""
    replies: asyncio.Queue[Reply] = asyncio.Queue()
    wire = await connect(url, replies.put_nowait)
    try:
        wire.send([pack(command)])
        return await asyncio.wait_for(replies.get(), WAIT_SECONDS)
    finally:
        wire.close()


@asynccontextmanager
async def door(tls: ssl.SSLContext | None = None) -> AsyncIterator[int]:
    """A port of this machine that leads to the Valkey of the tests."""
    path = str(parse_url(settings.REDIS_URL)["path"])

    async def passed_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async for data in _read(reader):
            writer.write(data)
        writer.close()

    async def come(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        theirs, ours = await asyncio.open_unix_connection(path)
        await asyncio.gather(passed_on(reader, ours), passed_on(theirs, writer))

    server = await asyncio.start_server(come, "127.0.0.1", 0, ssl=tls)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()


async def _read(reader: asyncio.StreamReader) -> AsyncIterator[bytes]:
    while data := await reader.read(65_536):
        yield data


@pytest.mark.usefixtures("servers")
def test_a_database_and_a_login_are_taken_from_the_address() -> None:
    async def story() -> None:
        plain = settings.REDIS_URL.partition("?")[0]
        async with Redis.from_url(plain) as client:
            await client.acl_setuser(
                "test-player",
                enabled=True,
                passwords=["+se@cret"],
                categories=["+@all"],
                keys=["*"],
            )
        place = plain.removeprefix("unix://")
        assert b" db=3 " in await asked_there(
            f"unix://test-player:se%40cret@{place}?db=3", "CLIENT", "INFO"
        )
        assert (
            await asked_there(f"unix://test-player:se%40cret@{place}", "ACL", "WHOAMI")
            == b"test-player"
        )
        with pytest.raises(redis.RedisError, match="WRONGPASS"):
            await asked_there(f"unix://test-player:guessed@{place}", "PING")

    run(story)


@pytest.mark.usefixtures("servers")
def test_tcp_and_tls_lead_to_the_same_server(tmp_path: Path) -> None:
    certificate = certified(tmp_path)
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    tls.load_cert_chain(certificate)

    async def story() -> None:
        async with door() as port:
            assert b" db=2 " in await asked_there(f"redis://127.0.0.1:{port}/2", "CLIENT", "INFO")
        async with door(tls) as port:
            known = f"ssl_ca_certs={certificate}"
            assert await asked_there(f"rediss://127.0.0.1:{port}/0?{known}", "PING") == b"PONG"
            with pytest.raises(OSError, match="certificate"):
                await asked_there(f"rediss://127.0.0.1:{port}/0", "PING")

    run(story)


def test_a_server_that_says_nothing_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(valkey, "PING_SECONDS", 0.05)

    async def story() -> None:
        said: list[bytes] = []

        async def greet_only(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            said.append(await reader.read(100))
            if len(said) == 1:
                writer.write(b"+PONG\r\n")

        server = await asyncio.start_server(greet_only, "127.0.0.1", 0)
        address = f"redis://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        ended = asyncio.Event()
        wire = await connect(address, lambda _: None, lost=ended.set)
        await ended.wait()
        assert wire.closed
        with pytest.raises(redis.ConnectionError):
            await connect(address, lambda _: None)
        server.close()

    run(story)


def test_a_server_that_closes_or_talks_nonsense_is_an_error() -> None:
    async def story() -> None:
        answers = [b"", b"!nonsense\r\n"]

        async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.read(100)
            writer.write(answers.pop())
            writer.close()

        server = await asyncio.start_server(answer, "127.0.0.1", 0)
        address = f"redis://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        while answers:
            with pytest.raises(redis.ConnectionError):
                await connect(address, lambda _: None)
        server.close()
        with pytest.raises(OSError, match=r"refused|Connect"):
            await connect(address, lambda _: None)

    run(story)


def certified(folder: Path) -> Path:
    """A self-signed certificate for 127.0.0.1, with its key."""
    path = folder / "valkey.pem"
    path.write_bytes(b"".join(certificate_make("127.0.0.1", timedelta(hours=1))))
    return path
