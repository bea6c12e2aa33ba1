"""The crowd: `python -m bench.flood.attacks NAME PORTS SECONDS CONNECTIONS`, its tally as JSON.

Each connection sends at most a megabyte a second, and begins again a moment after it was ended.
"""

import asyncio
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final
from urllib.parse import urlencode

from harness.wire import CLOSE, TEXT, frame_at, masked

SOURCES: Final = tuple(f"127.0.9.{number}" for number in range(1, 7))
BYTES_PER_SECOND: Final = 1_000_000
CHUNK_BYTES: Final = 50_000
AGAIN_SECONDS: Final = 0.05
HEAD_BYTES: Final = 1_000_000
#: half-sent heads and idle connections of each attacker at once: 1,500 of fifty.
HELD: Final = 30
SIGN_UP: Final = "/accounts/signup/"
PASSWORD: Final = "what-nobody-else-would-use"
NEW: Final = "/tournaments/new/"
TOURNAMENT: Final = {
    "name": "Flood",
    "format": "knockout",
    "variant": "backgammon",
    "length": "3",
    "clock": "normal",
    "most": "8",
    "begins": "30",
    "minutes": "45",
}

BEGUN, CONTINUED = (bytes((first,)) + masked(TEXT, b"")[1:] for first in (0x01, 0x00))
SMALL: Final = masked(TEXT, b"{}")


class Crowd:
    """Shared by all attackers of one server: where and until when they attack, logins, tally."""

    def __init__(self, port: int, ends: float, tally: Counter[str], sessions: list[str]) -> None:
        self.port = port
        self.ends = ends
        self.tally = tally
        self.sessions = sessions

    @property
    def goes_on(self) -> bool:
        """Whether there is time left."""
        return time.monotonic() < self.ends

    async def connected(self, source: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A connection from this address."""
        self.tally["connections"] += 1
        return await asyncio.open_connection("127.0.0.1", self.port, local_addr=(source, 0))

    def greeting(self) -> bytes:
        """The handshake of a socket of the lobby, without a login."""
        host = f"127.0.0.1:{self.port}"
        return (
            f"GET /ws/lobby/ HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        ).encode()


async def poured(crowd: Crowd, writer: asyncio.StreamWriter, chunk: bytes) -> None:
    """Send as fast as the house takes it, and a megabyte a second at most."""
    while crowd.goes_on:
        began = time.monotonic()
        writer.write(chunk)
        with suppress(OSError, TimeoutError):
            await asyncio.wait_for(writer.drain(), max(0.1, crowd.ends - began))
        crowd.tally["bytes"] += len(chunk)
        await asyncio.sleep(max(0.0, began + len(chunk) / BYTES_PER_SECOND - time.monotonic()))


async def read_to_the_end(crowd: Crowd, reader: asyncio.StreamReader) -> None:
    """Read what the house says, and note with which code it closed."""
    came = b""
    with suppress(OSError):
        while more := await reader.read(65_536):
            came = (came + more)[-65_536:]
    head, _, frames = came.partition(b"\r\n\r\n")
    if head.startswith(b"HTTP/1.1 ") and not head.startswith(b"HTTP/1.1 101"):
        crowd.tally[f"answered {head[9:12].decode()}"] += 1
    while (found := frame_at(memoryview(frames), 0)) is not None:
        opcode, begin, end = found
        if opcode == CLOSE:
            crowd.tally[f"closed {int.from_bytes(frames[begin : begin + 2], 'big')}"] += 1
        frames = frames[end:]


async def frames(crowd: Crowd, source: str, first: bytes, frame: bytes) -> None:
    """A socket of the lobby that sends one frame after the other."""
    reader, writer = await crowd.connected(source)
    reading = asyncio.create_task(read_to_the_end(crowd, reader))
    try:
        writer.write(crowd.greeting() + first)
        await asyncio.sleep(AGAIN_SECONDS)
        pouring = poured(crowd, writer, first + frame * (CHUNK_BYTES // len(frame)))
        sending = asyncio.create_task(pouring)
        await asyncio.wait({sending, reading}, return_when=asyncio.FIRST_COMPLETED)
        sending.cancel()
    finally:
        writer.transport.abort()
        await reading


async def continued(crowd: Crowd, source: str) -> None:
    """Empty continuation frames of one message."""
    await frames(crowd, source, BEGUN, CONTINUED)


async def small(crowd: Crowd, source: str) -> None:
    """Small text frames."""
    await frames(crowd, source, b"", SMALL)


async def held(crowd: Crowd, source: str, first: bytes) -> None:
    """Connections that are kept open with nothing more to come."""
    kept: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []
    try:
        while crowd.goes_on:
            kept = [each for each in kept if not each[0].at_eof()]
            if len(kept) < HELD:
                kept.append(await crowd.connected(source))
                kept[-1][1].write(first)
            await asyncio.sleep(AGAIN_SECONDS)
    finally:
        crowd.tally["open at the end"] += len(kept)
        for _, writer in kept:
            writer.transport.abort()


async def half_heads(crowd: Crowd, source: str) -> None:
    """Heads of requests that never end."""
    await held(crowd, source, b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ")


async def huge_heads(crowd: Crowd, source: str) -> None:
    """Heads of a megabyte."""
    reader, writer = await crowd.connected(source)
    reading = asyncio.create_task(read_to_the_end(crowd, reader))
    try:
        writer.write(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n")
        for _ in range(HEAD_BYTES // CHUNK_BYTES):
            if reading.done():
                break
            writer.write(b"X-Large: " + b"x" * CHUNK_BYTES + b"\r\n")
            await writer.drain()
            crowd.tally["bytes"] += CHUNK_BYTES
        await asyncio.wait({reading}, timeout=max(0.1, crowd.ends - time.monotonic()))
    finally:
        writer.transport.abort()
        await reading


async def idle(crowd: Crowd, source: str) -> None:
    """Connections that say nothing, and sockets that were opened and are never read."""
    await asyncio.gather(held(crowd, source, b""), held(crowd, source, crowd.greeting()))


async def sign_ups(crowd: Crowd, source: str) -> None:
    """New accounts, one after the other, as a program posts the form."""
    reader, writer = await crowd.connected(source)
    try:
        while crowd.goes_on:
            token, cookie = tokens(await asked(crowd, reader, writer, "GET", SIGN_UP))
            name = f"flood{time.monotonic_ns() % 10**12}"
            fields = {"csrfmiddlewaretoken": token, "username": name, "password1": PASSWORD}
            answer = await asked(crowd, reader, writer, "POST", SIGN_UP, cookie, fields)
            crowd.tally[f"sign-up answered {answer[9:12]}"] += 1
    finally:
        writer.transport.abort()


async def announcements(crowd: Crowd, source: str) -> None:
    """A player who announces a tournament, calls it off, and begins again."""
    session = f"session={crowd.sessions.pop()}"
    reader, writer = await crowd.connected(source)
    try:
        while crowd.goes_on:
            token, cookie = tokens(await asked(crowd, reader, writer, "GET", NEW, session))
            own, fields = f"{session}; {cookie}", {"csrfmiddlewaretoken": token}
            answer = await asked(crowd, reader, writer, "POST", NEW, own, fields | TOURNAMENT)
            crowd.tally[f"announcement answered {answer[9:12]}"] += 1
            place = answer.partition("\r\nlocation: ")[2].partition("\r\n")[0]
            if place.startswith("/tournaments/"):
                wish = fields | {"wish": "call_off"}
                await asked(crowd, reader, writer, "POST", f"{place}direct/", own, wish)
    finally:
        crowd.sessions.append(session.partition("=")[2])
        writer.transport.abort()


def tokens(answer: str) -> tuple[str, str]:
    """The token of a page's form, and the cookie that goes with it."""
    token = answer.partition('name="csrfmiddlewaretoken" value="')[2].partition('"')[0]
    return token, "csrftoken=" + answer.partition("csrftoken=")[2].partition(";")[0]


async def asked(
    crowd: Crowd,
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    method: str,
    path: str,
    cookie: str = "",
    fields: dict[str, str] | None = None,
) -> str:
    """One request for a page: the whole answer."""
    host, body = f"127.0.0.1:{crowd.port}", urlencode(fields or {})
    writer.write(
        f"{method} {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\n"
        f"Cookie: {cookie}\r\nContent-Type: application/x-www-form-urlencoded\r\n"
        f"Content-Length: {len(body)}\r\n\r\n{body}".encode()
    )
    left = max(0.1, crowd.ends - time.monotonic())
    head = (await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), left)).decode("latin-1")
    size = int(head.lower().partition("content-length: ")[2].partition("\r\n")[0] or 0)
    text = (await asyncio.wait_for(reader.readexactly(size), left)).decode()
    return head + text


Attack = Callable[[Crowd, str], Awaitable[None]]

ATTACKS: Final[dict[str, Attack]] = {
    "continued": continued,
    "small": small,
    "half-heads": half_heads,
    "huge-heads": huge_heads,
    "idle": idle,
    "sign-ups": sign_ups,
    "announcing": announcements,
}


async def attacked(
    name: str, ports: list[int], seconds: float, connections: int, sessions: list[str]
) -> Counter[str]:
    """Attack with so many at once until the time is over."""
    ends, tally = time.monotonic() + seconds, Counter[str]()

    async def one(number: int) -> None:
        crowd = Crowd(ports[number % len(ports)], ends, tally, sessions)
        while crowd.goes_on:
            with suppress(OSError, TimeoutError, asyncio.IncompleteReadError):
                await ATTACKS[name](crowd, SOURCES[number // 2 % len(SOURCES)])
            await asyncio.sleep(AGAIN_SECONDS)

    await asyncio.gather(*(one(number) for number in range(connections)))
    return tally


def main() -> None:
    """Attack, with the logins that come on standard input, and print the tally."""
    name, ports, seconds, connections = sys.argv[1:]
    where = [int(port) for port in ports.split(",")]
    sessions = json.load(sys.stdin)
    os.nice(10)
    attack = attacked(name, where, float(seconds), int(connections), sessions)
    print(json.dumps(asyncio.run(attack)))


if __name__ == "__main__":
    main()
