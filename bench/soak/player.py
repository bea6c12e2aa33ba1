"""One player at one table, over a real WebSocket, through as many connections as it takes.

Players keep to docs/protocol.md: an unanswered command is sent again with the same id after every
new connection; in a silence they ping, as pages do, and request the events they missed. And they
are a nuisance: they repeat commands, act out of turn, cut their connection right after a command,
and stop listening.
"""

import asyncio
import contextlib
import json
import random
import time
import uuid
from dataclasses import dataclass, field
from typing import Any, Final

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus

from bench.soak.hands import Course
from bench.soak.journal import Acknowledged, Journal
from examples.fair_dice import Part
from harness.hands import Json, decide
from harness.player import table_socket

PAUSE_SECONDS: Final = 0.02
SILENCE_SECONDS: Final = 2.5
ANSWER_SECONDS: Final = 20.0
REPEATS: Final = 0.05
OUT_OF_TURN: Final = 0.02
CUTS: Final = 0.006
REMATCH_SECONDS: Final = 20.0
GONE: Final = (4401, 4403, 4404)

#: how long a clock somebody still lets run out when everybody else goes home.
LAST_WAIT_SECONDS: Final = 90.0

#: how long a vanished player stays away at most, unless the match ends before.
VANISHED_SECONDS: Final = 150.0


class Away(Exception):
    """The player cuts the connection on purpose; the number of seconds they stay away."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.seconds = seconds


@dataclass(slots=True)
class Person:
    """An account with a login."""

    name: str
    id: int
    session: str


@dataclass(slots=True)
class World:
    """The data all players share: the house's addresses, the journal, and the stop flag."""

    addresses: tuple[str, ...]
    journal: Journal
    hurry: bool = False
    sockets: set[ClientConnection] = field(default_factory=set)
    players: "set[Player]" = field(default_factory=set)


@dataclass(slots=True, eq=False)
class Player:
    """Plays `table` to the end of its match, and of a rematch if the course has one."""

    world: World
    person: Person
    table: str
    course: Course
    rng: random.Random
    matches: int = 1
    seat: int | None = None
    seq: int = 0
    view: Json | None = None
    waits: Json | None = None
    waits_since: float = 0.0
    part: Part | None = None
    deaf_s: float = 0.0
    over_since: float = 0.0
    connections: int = 0
    finished: bool = False
    probing: str = ""
    probed: int = 0
    acked_seq: int = 0
    heard_at: float = 0.0

    async def play(self) -> None:
        """Reconnect until the match is over and its result has been received."""
        self.world.players.add(self)
        try:
            while not self.finished:
                try:
                    await self._connected()
                except Away as away:
                    await self._stay_away(away.seconds)
                except InvalidStatus:
                    await asyncio.sleep(0.5)
                except (OSError, ConnectionClosed, InvalidHandshake, TimeoutError, EOFError):
                    await asyncio.sleep(self.rng.uniform(0.05, 0.6))
        finally:
            self.world.players.discard(self)

    async def _stay_away(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end and not self.course.over:
            await asyncio.sleep(0.25)

    async def _connected(self) -> None:
        address = self.rng.choice(self.world.addresses)
        async with table_socket(address, self.table, self.person.session) as socket:
            self.connections += 1
            self.heard_at = time.monotonic()
            self.world.sockets.add(socket)
            try:
                await self._converse(socket)
            finally:
                self.world.sockets.discard(socket)
                if socket.close_code in GONE:
                    self.finished = True

    async def _converse(self, socket: ClientConnection) -> None:
        while not self.finished:
            if self.deaf_s:
                await self._be_deaf(socket)
            try:
                async with asyncio.timeout(SILENCE_SECONDS):
                    text = await socket.recv()
            except TimeoutError:
                await self._silent(socket)
                continue
            self.heard_at = time.monotonic()
            await self._hear(socket, json.loads(text))

    async def _be_deaf(self, socket: ClientConnection) -> None:
        """A half-open connection: nothing is read and nothing answered, then it breaks."""
        self.world.journal.counts["half-open sockets"] += 1
        socket.transport.pause_reading()
        seconds, self.deaf_s = self.deaf_s, 0.0
        await asyncio.sleep(seconds)
        socket.transport.abort()
        raise Away(0)

    async def _silent(self, socket: ClientConnection) -> None:
        """No frame came for a while: send a ping.

        Without an answer the player reconnects, as the page does; the report counts how often.
        """
        if time.monotonic() - self.heard_at > ANSWER_SECONDS:
            self.world.journal.counts["sockets that fell silent"] += 1
            socket.transport.abort()
            raise Away(0)
        await self._send(socket, {"type": "ping", "sent_ms": time.time() * 1000})
        if self.waits and time.monotonic() - self.waits_since > ANSWER_SECONDS:
            socket.transport.abort()
            raise Away(0)

    async def _send(self, socket: ClientConnection, frame: Json) -> None:
        await socket.send(json.dumps(frame))

    # --- hearing ---------------------------------------------------------------------------------

    async def _hear(self, socket: ClientConnection, frame: Json) -> None:
        match frame["type"]:
            case "welcome":
                await self._welcome(socket, frame)
                return
            case "snapshot" | "update":
                self._take(frame)
            case "fair":
                if self.view:
                    self.view["fair"] = frame["fair"]
            case "accepted" | "rejected" | "error":
                await self._answered(socket, frame)
            case "pong":
                if (frame["seq"] or 0) > self.seq:
                    self.world.journal.counts["news that got lost"] += 1
                    await self._send(socket, {"type": "resume", "since": self.seq})
                    return
            case _:
                return
        if self.view is not None and self.seat is not None:
            await self._act(socket)

    async def _welcome(self, socket: ClientConnection, frame: Json) -> None:
        self.seat = frame["seat"]
        if self.seat is None:
            self.finished = True  # joining was refused after all
            return
        if self.part is None:
            self.part = Part(self.seat)
        self.part.told = self.part.revealed = False  # say again that we are there
        await self._send(socket, {"type": "resume", "since": self.seq})
        if self.waits:
            self.world.journal.counts["resent after reconnecting"] += 1
            await self._send(socket, self.waits)

    def _take(self, frame: Json) -> None:
        journal = self.world.journal
        if frame["type"] == "update":
            journal.see(self.table, frame["events"])
        view = frame["view"]
        if view["fair"]:
            journal.see_dice(view["fair"])
        if frame["seq"] < self.seq:
            return
        self.seq, self.view = frame["seq"], view

    async def _answered(self, socket: ClientConnection, frame: Json) -> None:
        journal = self.world.journal
        if frame["type"] == "error":
            await self._not_understood(socket, frame)
            return
        if frame["id"] == self.probing:
            self.probing = ""
            if frame["type"] == "accepted":
                journal.violated("I8", f"table {self.table}: a roll out of turn was accepted")
            return
        if frame["type"] == "accepted":
            self._accepted(frame)
        if not self.waits or frame["id"] != self.waits["id"]:
            return
        told, self.waits = self.waits, None
        journal.waited(time.monotonic() - self.waits_since)
        if frame["type"] == "rejected":
            await self._rejected(socket, frame["code"], told)
        elif self.rng.random() < REPEATS:
            journal.counts["repeated commands"] += 1
            await self._send(socket, told)
        if frame["seq"] > self.seq:
            self.acked_seq = max(self.acked_seq, frame["seq"])

    async def _not_understood(self, socket: ClientConnection, frame: Json) -> None:
        self.world.journal.counts[f"error {frame['code']}"] += 1
        if frame["code"] in ("too_fast", "busy"):
            await asyncio.sleep(0.5)
            if self.waits:
                await self._send(socket, self.waits)

    async def _rejected(self, socket: ClientConnection, code: str, told: Json) -> None:
        self.world.journal.counts[f"rejected {code}"] += 1
        if code == "busy":  # nothing has happened: it is said again
            await asyncio.sleep(0.3)
            await self._give(socket, told)
        else:
            await self._send(socket, {"type": "resume", "since": self.seq})

    def _accepted(self, frame: Json) -> None:
        waited = self.waits["command"]["type"] if self.waits else "a repetition"
        told = Acknowledged(self.table, self.person.id, frame["id"], frame["seq"], waited)
        self.world.journal.accept(told)

    # --- acting ----------------------------------------------------------------------------------

    async def _act(self, socket: ClientConnection) -> None:
        view, seat = self.view, self.seat
        assert view is not None
        assert seat is not None
        assert self.part is not None
        if view["phase"] in ("over", "closed"):
            await self._end(socket, view)
            return
        self.over_since = 0.0
        stalls = self.course.kind == "stall" and self.course.is_about(seat) and self._patient(view)
        for part in self.part.frames(view):
            await self._send(socket, part)
        if self.waits or stalls:
            return
        if self.acked_seq > self.seq:
            return  # the update of our own command is on its way; after a silence it is requested
        command = self._wish(view, seat)
        if command is None:
            await self._nonsense(socket, view, seat)
            return
        if view["decider"] == seat:
            self.course.decisions[seat] += 1
        await asyncio.sleep(PAUSE_SECONDS)
        await self._give(
            socket,
            {"type": "command", "id": str(uuid.uuid4()), "seq": self.seq, "command": command},
        )

    def _patient(self, view: Json) -> bool:
        """Whether to wait for one's clock; near the end of a run long ones are not waited for."""
        deadline_ms = view["clock"]["deadline_ms"]
        left_s = deadline_ms / 1000 - time.time() if deadline_ms else 0.0
        return not self.world.hurry or left_s < LAST_WAIT_SECONDS

    async def _give(self, socket: ClientConnection, frame: Json) -> None:
        self.waits, self.waits_since = frame, time.monotonic()
        await self._send(socket, frame)
        if self.rng.random() < CUTS:
            self.world.journal.counts["cut right after a command"] += 1
            socket.transport.abort()
            raise Away(self.rng.choice([0.0, 0.0, 1.0]))

    def _wish(self, view: Json, seat: int) -> Json | None:
        """The next command by the course, else by the game."""
        plan, allowed = self.course, view["actions"][seat]
        if "claim" in allowed and view["claim_ms"] and time.time() * 1000 > view["claim_ms"]:
            return {"type": "claim"}
        if plan.kind == "stand_up" and seat == plan.seat and "stand_up" in allowed:
            return {"type": "stand_up"}
        if plan.kind == "leave" and plan.is_about(seat) and "leave" in allowed:
            return {"type": "leave"}
        if plan.kind == "leave_both" and self.seq >= plan.after and "leave" in allowed:
            return {"type": "leave"}
        if plan.kind == "vanish" and plan.is_about(seat) and view["decider"] == seat:
            plan.after = 10_000  # once
            self.world.journal.counts["vanished"] += 1
            raise Away(VANISHED_SECONDS)
        return decide(view, seat, self.rng, hurry=self.world.hurry)

    async def _nonsense(self, socket: ClientConnection, view: Json, seat: int) -> None:
        """Roll although it is the other one's turn; once at most after each thing that happened."""
        if view["mode"] == "practice" or view["decider"] != 1 - seat or self.probed == self.seq:
            return
        self.probed = self.seq
        if self.rng.random() < OUT_OF_TURN:
            self.probing = str(uuid.uuid4())
            self.world.journal.counts["out of turn"] += 1
            frame = {"type": "command", "id": self.probing, "seq": self.seq}
            await self._send(socket, {**frame, "command": {"type": "roll"}})

    # --- the end ---------------------------------------------------------------------------------

    async def _end(self, socket: ClientConnection, view: Json) -> None:
        """The match is over: record its received result, and play again if that was agreed."""
        if not view["match"]:  # the house closed the table before anybody sat down
            self.finished = True
            return
        if view["phase"] == "over" and self._half_told(view):
            return
        self.world.journal.end(self.table, view["match"], self.person.id, ended(view))
        self.course.over = True
        plays_again = self.course.kind == "rematch" and not self.world.hurry
        if not plays_again or view["match"] != self.matches or view["phase"] == "closed":
            self.finished = True
            return
        self.over_since = self.over_since or time.monotonic()
        if time.monotonic() - self.over_since > REMATCH_SECONDS:
            self.finished = True
        elif "rematch" in view["actions"][self.seat] and not self.waits:
            frame = {"type": "command", "id": str(uuid.uuid4()), "seq": self.seq}
            await self._give(socket, {**frame, "command": {"type": "rematch"}})

    def _half_told(self, view: Json) -> bool:
        return not (view["result"] and view["result"].get("match"))


def ended(view: Json) -> Json:
    """The end of a match as a player received it."""
    result: dict[str, Any] = (view["result"] or {}).get("match") or {}
    return {
        "phase": view["phase"],
        "winner": result.get("winner"),
        "ending": result.get("ending"),
        "paid_cents": result.get("paid_cents"),
        "rake_cents": result.get("rake_cents"),
        "elo_after": result.get("elo_after"),
    }


def cut(world: World, every: int, rng: random.Random) -> int:
    """Cut about one of `every` sockets, in both directions; how many."""
    chosen = [socket for socket in list(world.sockets) if rng.randrange(every) == 0]
    for socket in chosen:
        with contextlib.suppress(Exception):
            socket.transport.abort()
    return len(chosen)


def deafen(world: World, every: int, seconds: float, rng: random.Random) -> int:
    """Let about one of `every` players stop listening for so long; how many."""
    chosen = [player for player in list(world.players) if rng.randrange(every) == 0]
    for player in chosen:
        player.deaf_s = seconds
    return len(chosen)
