"""Sockets that only listen, for what each of them costs in memory."""

import asyncio
from typing import Any, Final

import msgspec

from harness.wire import RawSocket, connect

#: sockets that are being opened at the same time, and the addresses they come from.
CONNECTING: Final = 32
SOURCES: Final = 8

RESUME: Final = b'{"type":"resume","since":0}'

Json = dict[str, Any]


class Type(msgspec.Struct):
    """Of a frame, only what it is."""

    type: str


read = msgspec.json.Decoder(Type).decode


class Listener:
    """A silent watcher of a table."""

    def __init__(self) -> None:
        self.wire: RawSocket | None = None
        self.frames = 0

    def hear(self, payload: memoryview) -> None:
        """Subscribe to the table when greeted, as every page does; then only count."""
        self.frames += 1
        if self.frames == 1 and read(payload).type == "welcome":
            assert self.wire is not None
            self.wire.say(RESUME)


async def come(port: int, seats: list[tuple[str, str]]) -> list[Listener]:
    """A listener for each path and session, all connected."""
    gate = asyncio.Semaphore(CONNECTING)
    listeners = [Listener() for _ in seats]

    async def sit(number: int, listener: Listener) -> None:
        table, session = seats[number]
        source = f"127.0.0.{1 + number % SOURCES}"
        async with gate:
            await connect(listener, port, f"/ws/table/{table}/", session=session, source=source)

    await asyncio.gather(*(sit(number, each) for number, each in enumerate(listeners)))
    return listeners
