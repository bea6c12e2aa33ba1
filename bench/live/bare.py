"""The speed of bare sockets: two applications without rules or database, and their clients.

Each frame of a player is sent to both members of their table, at once and in the process, as a
frame as long as a real update. `plain` is an ASGI application, `consumer` one of Channels.
"""

from collections import defaultdict
from random import Random
from time import perf_counter
from typing import Any, Final

from channels.generic.websocket import AsyncWebsocketConsumer
from channels.routing import URLRouter
from django.urls import re_path

from bench.live.players import Tally
from bench.live.wire import Wire

#: as long as the update of a play in the middle of a game.
UPDATE: Final = "u" * 2600

#: as long as the command that leads to it.
COMMAND: Final = b"c" * 190

Json = dict[str, Any]


class Room:
    """The members of each table, by its path; each process has its own."""

    def __init__(self) -> None:
        self.members: defaultdict[str, set[Any]] = defaultdict(set)


rooms = Room().members


async def plain(scope: Json, receive: Any, send: Any) -> None:
    """The least an application can do for a socket."""
    if scope["type"] == "lifespan":
        await receive()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await send({"type": "lifespan.shutdown.complete"})
        return
    if scope["type"] == "http":
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"well"})
        return
    members = rooms[scope["path"]]
    await receive()
    await send({"type": "websocket.accept"})
    members.add(send)
    try:
        while (await receive())["type"] == "websocket.receive":
            for member in tuple(members):
                await member({"type": "websocket.send", "text": UPDATE})
    finally:
        members.discard(send)


class Echo(AsyncWebsocketConsumer):
    """The same as a consumer of Channels."""

    async def connect(self) -> None:
        """Come in."""
        self.members = rooms[self.scope["path"]]
        await self.accept()
        self.members.add(self)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Send to both."""
        for member in tuple(self.members):
            await member.send(text_data=UPDATE)

    async def disconnect(self, code: int) -> None:
        """Go."""
        self.members.discard(self)


_sockets = URLRouter([re_path("^ws/", Echo.as_asgi())])


async def consumer(scope: Json, receive: Any, send: Any) -> None:
    """Channels for sockets, the plain application for everything else."""
    await (_sockets if scope["type"] == "websocket" else plain)(scope, receive, send)


# --- their clients -------------------------------------------------------------------------------


class BareSeat:
    """A member of a table; on their turn they send a frame as soon as they received one."""

    def __init__(self, table: "BareTable", seat: int) -> None:
        self.table = table
        self.seat = seat
        self.wire: Wire | None = None

    def hear(self, _: memoryview) -> None:
        """A frame sent at the table has arrived."""
        self.table.heard(self.seat)


class BareTable:
    """Two members who send in turn, each when both have received the frame before."""

    def __init__(self, tally: Tally, _: Random, table_id: str) -> None:
        self.tally = tally
        self.id = table_id
        self.seats = (BareSeat(self, 0), BareSeat(self, 1))
        self.turn = 0
        self.left = 0
        self.since = 0.0

    def begin(self) -> None:
        """The first word."""
        self._speak()

    def _speak(self) -> None:
        wire = self.seats[self.turn].wire
        if wire is None or self.tally.stopping:
            return
        self.left, self.since = 2, perf_counter()
        wire.say(COMMAND)

    def heard(self, seat: int) -> None:
        """Count it; after the last of the two, the other one sends."""
        now = perf_counter()
        self.tally.frames += 1
        self.left -= 1
        if seat == self.turn:
            self.tally.accepted += 1
            self.tally.answered.append((now, now - self.since, "roll", self.id))
        else:
            self.tally.heard.append((now, now - self.since))
        if not self.left:
            self.turn = 1 - self.turn
            self._speak()

    ready = True

    @property
    def waits(self) -> bool:
        """Whether a member has yet to receive the last frame."""
        return self.left > 0

    def waiting(self, now: float) -> list[float]:
        """For how long the last frame has waited to be received by both."""
        return [now - self.since] if self.left else []
