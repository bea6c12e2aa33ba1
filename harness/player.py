"""Two players at one table, over real WebSockets, who play at random until their match is over.

They keep to docs/protocol.md and remember every event they receive. Cutting connections and
repeating commands belong to `bench.soak`; here nothing is disturbed.
"""

import asyncio
import json
import uuid
from dataclasses import dataclass, field
from random import Random
from typing import Final

from websockets.asyncio.client import ClientConnection, connect

from examples.fair_dice import Part
from harness.hands import Json, decide

SILENCE_SECONDS: Final = 5.0
BUSY_SECONDS: Final = 0.3

#: seldom, so that most games are played to their end
RESIGNS: Final = 0.004

CONNECT_SECONDS: Final = 30.0
FRAME_BYTES_MAX: Final = 2**22


def table_socket(address: str, table: str, session: str) -> connect:
    """The connection to a table at this host and port; `session` is the value of the cookie."""
    return connect(
        f"ws://{address}/ws/table/{table}/",
        additional_headers={"Cookie": f"session={session}"},
        origin=f"http://{address}",  # type: ignore[arg-type]  # a NewType of str
        compression=None,
        open_timeout=CONNECT_SECONDS,
        close_timeout=1,
        ping_interval=None,
        max_size=FRAME_BYTES_MAX,
    )


class PlayerStuck(Exception):
    """A player who cannot go on; the text says why."""


@dataclass(slots=True)
class Plan:
    """How a match is meant to end, shared by both players.

    `ends` is "played", "leave" (`seat` leaves after `after` decisions of their own) or "stop"
    (`seat` stops after `after` games, where games are played until somebody does).
    """

    ends: str = "played"
    seat: int = 0
    after: int = 0
    decisions: list[int] = field(default_factory=lambda: [0, 0])

    def wish(self, view: Json, seat: int) -> Json | None:
        """The next step of this player by the plan, else None. Between two games they go on."""
        own = view["actions"][seat]
        due = seat == self.seat and self.decisions[seat] >= self.after
        if self.ends == "leave" and due and "leave" in own and view["decider"] == seat:
            return {"type": "leave"}
        if view["phase"] != "between_games":
            return None
        stops = self.ends == "stop" and seat == self.seat and view["game"] >= self.after
        if stops and "stop" in own:
            return {"type": "stop"}
        return {"type": "ready"} if "ready" in own else None


@dataclass(slots=True, eq=False)
class Player:
    """One player of `table`; `alone` acts for both seats, as in practice without an opponent."""

    address: str
    session: str
    table: str
    plan: Plan
    rng: Random
    alone: bool = False
    seat: int = 0
    seq: int = 0
    view: Json = field(default_factory=dict)
    heard: dict[int, Json] = field(default_factory=dict)
    at_stake: Json | None = None
    """What the last view before the end of the match showed as at stake."""
    waits: str = ""
    wish: str = ""
    """The type of the last command."""
    answered_seq: int = 0
    commands: int = 0
    refused: list[str] = field(default_factory=list)
    part: Part | None = None

    async def play(self) -> None:
        """Play until the match is over and its result has been received. Raises `PlayerStuck`."""
        async with table_socket(self.address, self.table, self.session) as socket:
            while not self.is_over:
                try:
                    async with asyncio.timeout(SILENCE_SECONDS):
                        text = await socket.recv()
                except TimeoutError:
                    await self._send(socket, {"type": "resume", "since": self.seq})
                    continue
                await self._hear(socket, json.loads(text))

    @property
    def is_over(self) -> bool:
        """Whether the match is over and its result known."""
        view = self.view
        if view.get("phase") not in ("over", "closed"):
            return False
        match = (view["result"] or {}).get("match")
        return view["phase"] == "closed" or bool(match)

    # --- hearing ---------------------------------------------------------------------------------

    async def _send(self, socket: ClientConnection, frame: Json) -> None:
        await socket.send(json.dumps(frame))

    async def _hear(self, socket: ClientConnection, frame: Json) -> None:
        match frame["type"]:
            case "welcome":
                if frame["seat"] is None:
                    raise PlayerStuck("a player is shown the table as a watcher")
                self.seat, self.part = frame["seat"], Part(frame["seat"])
                await self._send(socket, {"type": "resume", "since": 0})
                return
            case "snapshot" | "update":
                self._take(frame)
            case "fair":
                if self.view and frame["seq"] >= self.seq:
                    self.view["fair"] = frame["fair"]
            case "accepted" | "rejected":
                await self._answered(socket, frame)
            case "error":
                await self._error(frame)
            case _:
                return
        if self.view and not self.is_over:
            await self._act(socket)

    def _take(self, frame: Json) -> None:
        for event in frame.get("events", ()):
            self.heard.setdefault(event["seq"], event)
        if frame["seq"] >= self.seq:
            self.seq, self.view = frame["seq"], frame["view"]
            self.at_stake = self.view["stakes"] or self.at_stake

    async def _answered(self, socket: ClientConnection, frame: Json) -> None:
        if frame["id"] != self.waits:
            return
        self.waits = ""
        if frame["type"] == "accepted":
            self.commands += 1
            self.answered_seq = frame["seq"]
            return
        if frame["code"] == "busy":
            await asyncio.sleep(BUSY_SECONDS)
        elif not (frame["code"] == "stale" or self._stopped_late(frame)):
            self.refused.append(f"{frame['code']}: {frame['message']}")
            if len(self.refused) > 3:
                raise PlayerStuck(f"commands of the view are refused: {self.refused}")
        await self._send(socket, {"type": "resume", "since": self.seq})

    def _stopped_late(self, frame: Json) -> bool:
        """Whether the next game began before this player's wish to stop arrived."""
        return self.wish == "stop" and frame["code"] == "wrong_phase"

    async def _error(self, frame: Json) -> None:
        if frame["code"] in ("too_fast", "busy"):
            await asyncio.sleep(BUSY_SECONDS)
            self.waits = ""
        elif frame["code"] != "dice_refused":
            raise PlayerStuck(f"the house answered {frame['code']}: {frame.get('message')}")

    # --- acting ----------------------------------------------------------------------------------

    async def _act(self, socket: ClientConnection) -> None:
        assert self.part is not None
        for part in self.part.frames(self.view):
            await self._send(socket, part)
        if self.waits or self.answered_seq > self.seq:
            return
        command = self._wish()
        if command is None:
            return
        if self.view["decider"] == self.seat:
            self.plan.decisions[self.seat] += 1
        self.waits, self.wish = str(uuid.uuid4()), command["type"]
        await self._send(
            socket, {"type": "command", "id": self.waits, "seq": self.seq, "command": command}
        )

    def _wish(self) -> Json | None:
        planned = self.plan.wish(self.view, self.seat)
        if planned is not None:
            return planned
        decider = self.view["decider"]
        seat = decider if self.alone and decider is not None else self.seat
        return decide(self.view, seat, self.rng, resigns=RESIGNS)
