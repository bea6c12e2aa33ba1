"""A table in memory with the real machine, the real frames of the protocol, and dice from a list.

It takes the place of the web server behind the page's WebSocket, so that a test can break a
connection, hold back an answer, or send any frame.
"""

import json
import time
from typing import Any

import msgspec

from games.modes.prices import Prices
from games.modes.terms import Terms, Wishes
from games.table import commands as cmd
from games.table.commands import PlayerCommand
from games.table.errors import TableError
from games.table.evolve import evolve
from games.table.machine import decide
from games.table.setup import terms_of
from games.table.state import TableState
from games.table.turn import rolls_by_itself
from games.table.view import table_view
from games.wire import event_frame, event_payload
from harness.rig import opener_begins

LOGGED = {
    "game_started",
    "rolled_off",
    "play_made",
    "double_offered",
    "beavered",
    "raccooned",
    "double_taken",
    "double_dropped",
    "game_ended",
}
NAMES = ("hilde", "Marlene_K")


def terms_for(**wishes: Any) -> Terms:
    """Terms of a house with the usual prices."""
    return terms_of(Wishes(**opener_begins(wishes)), Prices())


class BoardHouse:
    """One table and the page that shows it from `seat` (None: a watcher)."""

    def __init__(self, *, seat: int | None = 0, terms: Terms | None = None) -> None:
        self.seat = seat
        self.state = TableState()
        self.events: list[dict[str, Any]] = []
        self.dice: list[tuple[int, ...]] = []
        self.answers: dict[str, dict[str, Any]] = {}
        self.received: list[dict[str, Any]] = []
        self.socket: Any = None
        self.connections = 0
        #: how far the house's clock is ahead of the machine's
        self.ahead_ms = 0
        #: while true, commands are carried out but their answers and updates are lost
        self.deaf = False
        #: while true, every new connection is closed at once
        self.refuse = False
        #: what a new connection says about the way of its frames
        self.slow = False
        self.do(cmd.OpenTable(player=1, terms=terms or terms_for(mode="prize5", stake_cents=250)))

    def now_ms(self) -> int:
        return int(time.time() * 1000) + self.ahead_ms

    # --- the house's side ---------------------------------------------------------------------
    def sit(self) -> None:
        self.do(cmd.Sit(player=2, match="m1"))

    def do(self, command: cmd.Command, seat: int | None = None) -> None:
        """Carry out a command and send the update to the page."""
        before = len(self.events)
        self._take(decide(self.state, command, self.now_ms(), seat))
        while rolls_by_itself(self.state):
            self._roll(auto=True)
        self._publish(before)

    def roll(self, seat: int) -> None:
        before = len(self.events)
        assert self.state.decider == seat
        self._roll(auto=False)
        while rolls_by_itself(self.state):
            self._roll(auto=True)
        self._publish(before)

    def _roll(self, *, auto: bool) -> None:
        dice = self.dice.pop(0) if self.dice else (6, 3)
        command = cmd.GiveDice(dice=dice, auto=auto)
        assert self.state.game is not None
        self._take(decide(self.state, command, self.now_ms(), self.state.game.on_roll))

    def play(self, seat: int, *moves: tuple[int, int, int]) -> None:
        self.do(cmd.Play(moves=moves), seat)

    def play_any(self, seat: int) -> None:
        """Play the first legal play of the graph."""
        graph = self.view()["graph"]
        moves, node = [], 0
        while graph[node]:
            source, target, die, node = graph[node][0]
            moves.append((source, target, die))
        self.play(seat, *moves)

    def _take(self, events: Any) -> None:
        for event in events:
            self.state = evolve(self.state, event)
            self.events.append(event_frame(len(self.events) + 1, event_payload(event)))

    def view(self) -> dict[str, Any]:
        players: list[dict[str, Any] | None] = [
            {"id": 1, "name": NAMES[0], "elo": 1743, "strength": 4, "bot": False},
            {"id": 2, "name": NAMES[1], "elo": 1812, "strength": 5, "bot": False},
        ]
        if self.state.seats[1] is None:
            players[1] = None
        view = table_view(self.state, table="6f0c", players=tuple(players))
        return msgspec.to_builtins(view)

    # --- the wire -----------------------------------------------------------------------------
    def attach(self, page: Any) -> None:
        """Route the page's WebSocket here; call this before the page is opened."""
        page.route_web_socket("**/ws/table/**", self._connected)

    def _connected(self, socket: Any) -> None:
        if self.refuse:
            socket.close(code=1013)
            return
        self.socket = socket
        self.connections += 1
        socket.on_message(lambda text: self._frame(json.loads(text)))
        welcome = {"type": "welcome", "table": "6f0c", "seat": self.seat, "protocol": 1}
        more = {"seq": len(self.events), "now_ms": self.now_ms(), "slow": self.slow}
        self.send({**welcome, **more})
        self.send({"type": "presence", "online": [True, True], "watchers": 0})

    def send(self, frame: dict[str, Any]) -> None:
        if self.socket is not None and not self.deaf:
            self.socket.send(json.dumps(frame))

    def hang_up(self) -> None:
        socket, self.socket = self.socket, None
        socket.close(code=1012)

    def _frame(self, frame: dict[str, Any]) -> None:
        self.received.append(frame)
        match frame["type"]:
            case "ping":
                self.pong(frame["sent_ms"])
            case "resume":
                self._resume(frame["since"])
            case "command":
                self._command(frame)

    def pong(self, sent_ms: float) -> None:
        self.send({"type": "pong", "sent_ms": sent_ms, **self._stamp()})

    def _resume(self, since: int) -> None:
        if since == 0:
            self.snapshot()
        else:
            self._publish(since)

    def snapshot(self) -> None:
        log = [event for event in self.events if event["type"] in LOGGED]
        self.send({"type": "snapshot", **self._stamp(), "view": self.view(), "log": log})

    def _stamp(self) -> dict[str, Any]:
        return {"seq": len(self.events), "now_ms": self.now_ms()}

    def _publish(self, since: int) -> None:
        events = self.events[since:]
        self.send({"type": "update", **self._stamp(), "events": events, "view": self.view()})

    def _command(self, frame: dict[str, Any]) -> None:
        if frame["id"] not in self.answers:
            self.answers[frame["id"]] = self._carry_out(frame)
        self.send(self.answers[frame["id"]])

    def _carry_out(self, frame: dict[str, Any]) -> dict[str, Any]:
        command = msgspec.convert(frame["command"], PlayerCommand)
        try:
            if isinstance(command, cmd.Roll):
                assert self.seat is not None
                self.roll(self.seat)
            elif isinstance(command, cmd.Rematch):
                self.do(cmd.GiveRematch(match="m2"), self.seat)
            else:
                self.do(command, self.seat)
        except TableError as error:
            fields = {key: value for key, value in error.fields.items() if value is not None}
            answer = {"type": "rejected", "code": error.code, "message": str(error), **fields}
        else:
            answer = {"type": "accepted"}
        return {**answer, "id": frame["id"], "seq": len(self.events)}

    @property
    def commands(self) -> list[dict[str, Any]]:
        """The commands the page has sent, in order."""
        return [frame for frame in self.received if frame["type"] == "command"]
