"""Two players at one table who play as fast as answers come, at next to no cost.

They keep to docs/protocol.md: they take their part in the dice, and send no command before they
have received the result of the last one. Only the fields they need of a frame are read.
"""

import asyncio
from collections import Counter
from dataclasses import dataclass, field
from random import Random
from time import perf_counter
from typing import Any, Final

import msgspec

from examples.fair_dice import Part
from harness.wire import RawSocket

DOUBLES: Final = 0.02

#: how often a move is any legal one, else the first listed. Graphs are then as large as in games of
#: a strong program (608 bytes on average, bgsage's 612) and games a little longer (69 plays to 56).
WANDERS: Final = 0.7

#: the counted commands; those that begin and end matches are sent as well, but not counted.
PLAYING: Final = frozenset({"roll", "play", "double", "take", "drop", "ready"})

#: the first of these that is allowed is done.
ANSWERS: Final = ("take", "roll", "ready")


class View(msgspec.Struct):
    """The few fields of a table's view that a player looks at."""

    phase: str
    decider: int | None
    actions: tuple[list[str], list[str]]
    graph: msgspec.Raw
    fair: msgspec.Raw


class Frame(msgspec.Struct):
    """Any frame of the server."""

    type: str
    seq: int = 0
    id: str = ""
    code: str = ""
    view: View | None = None
    fair: msgspec.Raw = msgspec.Raw(b"null")


read = msgspec.json.Decoder(Frame).decode
read_graph = msgspec.json.Decoder(list[list[tuple[int, int, int, int]]]).decode
write = msgspec.json.Encoder().encode


@dataclass(slots=True)
class Tally:
    """The counts of all tables together; times in seconds of one steady clock."""

    answered: list[tuple[float, float, str, str]] = field(default_factory=list)
    """When a command was accepted, how long that took, which it was, and at which table."""
    heard: list[tuple[float, float]] = field(default_factory=list)
    """When the other player received the update of a command, and how long that took."""
    accepted: int = 0
    troubles: Counter[str] = field(default_factory=Counter)
    frames: int = 0
    bytes: int = 0
    stopping: bool = False
    think_s: float = 0.0
    """How long a player thinks about a command on average; 0: they answer at once."""


class Seat(Part):  # type: ignore[misc]  # the example is not typed
    """One player. Mode K binds them to one seed a game, so no chain is made for it."""

    def __init__(self, table: "Table", seat: int) -> None:
        super().__init__(seat)
        self.table = table
        self.wire: RawSocket | None = None
        self.seq = 0
        self.due = 0
        """The last event that one's own commands are known to have caused."""
        self.view: View | None = None
        self.fair: dict[str, Any] | None = None
        self.given = False
        """Whether both have given their parts in this game's dice, as far as it goes."""
        self.chained = False
        self.thinking = False

    def _begin(self, game: bytes) -> list[bytes]:
        assert self.fair is not None
        return super()._begin(game) if self.fair["mode"] == "L" else super()._begin(game)[-1:]

    # --- hearing -------------------------------------------------------------------------------

    def hear(self, payload: memoryview) -> None:
        """One frame from the server."""
        table = self.table
        table.tally.frames += 1
        table.tally.bytes += len(payload)
        frame = read(payload)
        kind = frame.type
        if kind == "update" or kind == "snapshot":
            if frame.seq < self.seq:
                return
            table.heard(self.seat, frame.seq)
            self.seq = frame.seq
            assert frame.view is not None
            self._look(frame.view)
        elif kind == "accepted":
            table.accepted(self, frame)
        elif kind == "fair":
            self._look_at_the_dice(frame.fair)
        elif kind in ("rejected", "error"):
            table.refused(self, frame)
        elif kind == "welcome":
            self._say({"type": "resume", "since": self.seq})
        else:
            return
        self.act()

    def _look(self, view: View) -> None:
        """Keep a view until the next one comes; give a part of the dice where one is awaited."""
        self.view = view
        if view.phase == "over":
            self.given = False
        elif not self.given or self.chained or view.phase not in ("play", "roll"):
            self._look_at_the_dice(view.fair)

    def _look_at_the_dice(self, raw: msgspec.Raw) -> None:
        fair = msgspec.json.decode(raw)
        if not fair:
            return
        if fair["game"] != self.game:
            self.given = False
        self.fair, self.chained = fair, fair["mode"] == "L"
        phase = self.view.phase if self.view is not None else ""
        for frame in self.frames({"fair": fair, "phase": phase}):
            self._say(frame)
        # a snapshot that was being made meanwhile may come after the news, and is older
        ready = None not in fair["given"] and (self.chained or all(fair["revealed"]))
        self.given = phase != "over" and (self.given or ready)

    def _say(self, frame: dict[str, Any]) -> None:
        assert self.wire is not None
        self.wire.say(write(frame))

    # --- acting --------------------------------------------------------------------------------

    def act(self) -> None:
        """Give the command that is ours to give, once everything before it has been received."""
        table, view = self.table, self.view
        if view is None or table.sent[self.seat] or self.seq < self.due or table.tally.stopping:
            return
        if self.thinking or (view.decider != self.seat and view.phase != "over"):
            return
        if table.tally.think_s:
            self.thinking = True
            seconds = table.rng.uniform(0, 2 * table.tally.think_s)
            asyncio.get_running_loop().call_later(seconds, self._decide)
        else:
            self._decide()

    def _decide(self) -> None:
        table, view = self.table, self.view
        self.thinking = False
        if view is None or table.sent[self.seat] or table.tally.stopping:
            return
        command = self._wish(view)
        if command is not None:
            table.send(self, *command)

    def _wish(self, view: View) -> tuple[str, bytes] | None:
        """The name of the command and the command itself."""
        allowed = view.actions[self.seat]
        if "play" in allowed:
            moves = walk(read_graph(view.graph), self.table.rng)
            return "play", b'{"type":"play","moves":' + write(moves) + b"}"
        if view.phase == "over":
            return ("rematch", b'{"type":"rematch"}') if "rematch" in allowed else None
        if not self.given:
            return None  # the dice are not ready
        if "double" in allowed and self.table.rng.random() < DOUBLES:
            return "double", b'{"type":"double"}'
        name = next((name for name in ANSWERS if name in allowed), None)
        if name is None:
            return None
        return name, write({"type": name, **self._element(name)})

    def _element(self, name: str) -> dict[str, str]:
        """The roller gives their own part with the command where a chain is kept (mode L)."""
        if name != "roll" or not self.chained or self.fair is None:
            return {}
        return {"element": self.chain[self.fair["next"] + 1].hex()}


class Table:
    """Two seats, and the command that is on its way from each."""

    def __init__(self, tally: Tally, rng: Random, table_id: str) -> None:
        self.tally = tally
        self.rng = rng
        self.id = table_id
        self.seats = (Seat(self, 0), Seat(self, 1))
        self.sent: list[tuple[str, str, float] | None] = [None, None]
        """By seat: id and name of the command that waits for its answer, and since when."""
        self.awaited: list[tuple[int, float] | None] = [None, None]
        """By seat: after which event the other's command was sent, and when."""
        self.count = 0

    def begin(self) -> None:
        """Both are here: play."""
        for seat in self.seats:
            seat.act()

    def send(self, seat: Seat, name: str, command: bytes) -> None:
        """Send a command and remember when."""
        assert seat.wire is not None
        self.count += 1
        command_id = f"{self.id}-{self.count}"
        head = b'{"type":"command","id":"%b","seq":%d,"command":%b}'
        now = perf_counter()
        self.sent[seat.seat] = (command_id, name, now)
        self.awaited[1 - seat.seat] = (seat.seq, now) if name in PLAYING else None
        seat.wire.say(head % (command_id.encode(), seat.seq, command))

    def accepted(self, seat: Seat, frame: Frame) -> None:
        """A command was answered: it is stored."""
        sent = self.sent[seat.seat]
        if sent is None or sent[0] != frame.id:
            self.tally.troubles["answer to nothing"] += 1
            return
        _, name, since = sent
        now = perf_counter()
        self.tally.accepted += 1
        self.tally.answered.append((now, now - since, name, self.id))
        self.sent[seat.seat] = None
        seat.due = frame.seq

    def refused(self, seat: Seat, frame: Frame) -> None:
        """A command or another frame was refused; look at the table anew."""
        self.tally.troubles[f"{frame.type} {frame.code}"] += 1
        sent = self.sent[seat.seat]
        if sent is not None and frame.id in ("", sent[0]):
            self.sent[seat.seat] = None
        if not self.tally.stopping:
            seat._say({"type": "resume", "since": 0})

    def heard(self, seat: int, seq: int) -> None:
        """A player has received an update; record it if it is of the other one's command."""
        awaited = self.awaited[seat]
        if awaited is not None and seq > awaited[0]:
            now = perf_counter()
            self.tally.heard.append((now, now - awaited[1]))
            self.awaited[seat] = None

    @property
    def ready(self) -> bool:
        """Whether the dice of the game can roll with both players' parts."""
        return all(seat.given for seat in self.seats)

    @property
    def waits(self) -> bool:
        """Whether an answer is still to come."""
        return self.sent != [None, None]

    def waiting(self, now: float) -> list[float]:
        """For how long each command that is not answered yet has waited."""
        return [now - sent[2] for sent in self.sent if sent is not None]


def walk(graph: list[list[tuple[int, int, int, int]]], rng: Random) -> list[tuple[int, int, int]]:
    """A complete play: a walk through the graph."""
    node, moves = 0, []
    while edges := graph[node]:
        chosen = rng.random() / WANDERS
        origin, target, die, node = edges[int(chosen * len(edges)) if chosen < 1 else 0]
        moves.append((origin, target, die))
    return moves
