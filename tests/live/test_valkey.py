"""A connection to Valkey supports every form of `REDIS_URL`, and gives up dead servers."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

import pytest
import redis
from django.conf import settings
from redis.asyncio import Redis
from redis.asyncio.connection import parse_url

from games.live import valkey
from games.live.valkey import Reply, connect, pack
from harness.waiting import WAIT_SECONDS
from tests.certificates import certificate_make


async def asked(url: str, *command: str | int) -> Reply:
    """The answer to one command at this address."""
    replies: asyncio.Queue[Reply] = asyncio.Queue()
    wire = await connect(url, replies.put_nowait)
    try:
        wire.send([pack(command)])
        return await asyncio.wait_for(replies.get(), WAIT_SECONDS)
    finally:
        wire.close()


def run(story: Callable[[], Awaitable[None]]) -> None:
    async def whole() -> None:
        async with asyncio.timeout(WAIT_SECONDS):
            await story()

    asyncio.run(whole())


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
        assert b" db=3 " in await asked(
            f"unix://test-player:se%40cret@{place}?db=3", "CLIENT", "INFO"
        )
        assert (
            await asked(f"unix://test-player:se%40cret@{place}", "ACL", "WHOAMI") == b"test-player"
        )
        with pytest.raises(redis.RedisError, match="WRONGPASS"):
            await asked(f"unix://test-player:guessed@{place}", "PING")

    run(story)


@pytest.mark.usefixtures("servers")
def test_tcp_and_tls_lead_to_the_same_server(tmp_path: Path) -> None:
    certificate = certified(tmp_path)
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    tls.load_cert_chain(certificate)

    async def story() -> None:
        async with door() as port:
            assert b" db=2 " in await asked(f"redis://127.0.0.1:{port}/2", "CLIENT", "INFO")
        async with door(tls) as port:
            known = f"ssl_ca_certs={certificate}"
            assert await asked(f"rediss://127.0.0.1:{port}/0?{known}", "PING") == b"PONG"
            with pytest.raises(OSError, match="certificate"):
                await asked(f"rediss://127.0.0.1:{port}/0", "PING")

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
