"""A WebSocket client that costs next to nothing: text frames, pings, and nothing else.

The load generator shares the processors with what it measures, and a whole client library costs
as much as the server's own. Frames that a server of ours never sends end the connection.
"""

import asyncio
import base64
import os
from typing import Final, Protocol, cast

OPEN: Final = 101
TEXT: Final = 0x1
CLOSE: Final = 0x8
PING: Final = 0x9
PONG: Final = 0xA
FINAL: Final = 0x80
MASKED: Final = 0x80
MASK: Final = b"\x5a\xc3\x17\x9e"  # any will do: it only keeps proxies from reading along


class Member(Protocol):
    """The user of a connection, which is put into `wire` before any frame arrives."""

    wire: "RawSocket | None"

    def hear(self, payload: memoryview) -> None:
        """Take in the payload of a text frame."""


class Refused(Exception):
    """The server did not open the socket; the text is its first line."""


def masked(opcode: int, payload: bytes) -> bytes:
    """One whole frame as clients send it."""
    size = len(payload)
    if size < 126:
        head = bytes((FINAL | opcode, MASKED | size))
    else:
        head = bytes((FINAL | opcode, MASKED | 126)) + size.to_bytes(2, "big")
    key = int.from_bytes((MASK * (size // 4 + 1))[:size], "big")
    return head + MASK + (int.from_bytes(payload, "big") ^ key).to_bytes(size, "big")


def frame_at(data: memoryview, start: int) -> tuple[int, int, int] | None:
    """Opcode, begin and end of the payload of the frame at `start`; None while it is not whole."""
    left = len(data) - start
    if left < 2:
        return None
    opcode, size, begin = data[start] & 0x0F, data[start + 1] & 0x7F, start + 2
    if size == 126:
        if left < 4:
            return None
        size, begin = int.from_bytes(data[start + 2 : start + 4], "big"), start + 4
    elif size == 127:
        if left < 10:
            return None
        size, begin = int.from_bytes(data[start + 2 : start + 10], "big"), start + 10
    return (opcode, begin, begin + size) if begin + size <= len(data) else None


class RawSocket(asyncio.Protocol):
    """One connection of a member, who receives the payload of each text frame."""

    __slots__ = ("closed", "greeting", "hear", "opened", "rest", "transport")

    def __init__(self, member: Member, greeting: bytes) -> None:
        member.wire = self
        self.hear = member.hear
        self.greeting = greeting
        self.rest = b""
        self.transport: asyncio.Transport | None = None
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.closed = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The connection stands: request the WebSocket."""
        self.transport = cast("asyncio.Transport", transport)
        self.transport.write(self.greeting)

    def data_received(self, data: bytes) -> None:
        """Pass on every complete frame; keep the rest."""
        if self.rest:
            data = self.rest + data
        if not self.opened.done():
            answer, found, data = data.partition(b"\r\n\r\n")
            if not found:
                self.rest = answer
                return
            self._answered(answer)
        view, start = memoryview(data), 0
        while (frame := frame_at(view, start)) is not None:
            opcode, begin, end = frame
            self._take(opcode, view[begin:end])
            start = end
        self.rest = data[start:] if start else data

    def _answered(self, answer: bytes) -> None:
        line = answer.split(b"\r\n", 1)[0].decode("latin-1")
        if line.split()[1:2] == [str(OPEN)]:
            self.opened.set_result(None)
        else:
            self.opened.set_exception(Refused(line))

    def _take(self, opcode: int, payload: memoryview) -> None:
        if opcode == TEXT:
            self.hear(payload)
        elif opcode == PING:
            self.write(masked(PONG, bytes(payload)))
        elif opcode == CLOSE:
            self.close()

    def say(self, payload: bytes) -> None:
        """Send one text frame."""
        self.write(masked(TEXT, payload))

    def write(self, data: bytes) -> None:
        """Send bytes, or nothing once the connection is gone."""
        if self.transport is not None and not self.closed:
            self.transport.write(data)

    def close(self) -> None:
        """End the connection without ceremony."""
        if self.transport is not None:
            self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection has ended, on either side."""
        self.closed = True
        if not self.opened.done():
            self.opened.set_exception(exc or Refused("the connection ended before it was opened"))


async def connect(
    member: Member, port: int, path: str, *, session: str = "", source: str = "127.0.0.1"
) -> None:
    """Open a socket; `session` is the login's key. Raises `Refused`, `OSError`."""
    cookie = f"Cookie: session={session}\r\n" if session else ""
    greeting = (
        f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n"
        f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}\r\n{cookie}\r\n"
    ).encode()
    loop = asyncio.get_running_loop()
    _, wire = await loop.create_connection(
        lambda: RawSocket(member, greeting), "127.0.0.1", port, local_addr=(source, 0)
    )
    await wire.opened
