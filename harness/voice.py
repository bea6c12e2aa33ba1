"""A client of a table over a real WebSocket, frame by frame."""

import json
from collections.abc import Callable
from typing import Any
from uuid import uuid4

from websockets.sync.client import ClientConnection, connect

from harness.logins import session_cookie
from harness.schema import mistakes, server_at
from harness.waiting import WAIT_SECONDS


class Voice:
    """One client of a table: sends frames, and waits for the frames it expects.

    Every frame that it receives must match the published schema.
    """

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.seq = 0
        self.heard: list[dict] = []

    def say(self, frame: object) -> None:
        self.socket.send(frame if isinstance(frame, str) else json.dumps(frame))

    def hear(self, *types: str) -> dict:
        """The next frame of one of these types; others are stored in `heard`."""
        while True:
            frame = json.loads(self.socket.recv(timeout=WAIT_SECONDS))
            assert mistakes(frame) == []
            self.heard.append(frame)
            if frame["type"] in ("snapshot", "update"):
                self.seq = frame["seq"]
            if frame["type"] in types:
                return frame

    def resume(self, since: int = 0) -> dict:
        self.say({"type": "resume", "since": since})
        return self.hear("snapshot", "update")

    def command(self, command: dict, **fields: object) -> dict:
        """Send a command and return its answer."""
        frame = {"type": "command", "id": str(uuid4()), "seq": self.seq, "command": command}
        self.say({**frame, **fields})
        return self.hear("accepted", "rejected")


class ViewVoice:
    """A client of a chouette or a tournament, where every reader has a view of their own.

    Every frame that it receives must match the published schema of this kind.
    """

    def __init__(self, socket: ClientConnection, kind: str) -> None:
        self.socket, self.schema = socket, server_at(kind)
        self.view: dict[str, Any] = {}
        self.welcome = self.hear("welcome")

    def send(self, **frame: Any) -> None:
        self.socket.send(json.dumps(frame))

    def hear(self, *types: str) -> dict[str, Any]:
        """The next frame of one of these types."""
        while True:
            frame: dict[str, Any] = json.loads(self.socket.recv(timeout=WAIT_SECONDS))
            assert mistakes(frame, self.schema) == []
            if frame["type"] in ("snapshot", "update"):
                self.view = frame["view"]
                assert frame["seq"] == self.view["seq"]
            if frame["type"] in types:
                return frame

    def resume(self) -> dict[str, Any]:
        self.send(type="resume", since=0)
        return self.hear("snapshot")["view"]

    def command(self, name: str, seq: int = 0, **command: Any) -> dict[str, Any]:
        self.send(type="command", id=name, seq=seq, command=command)
        return self.hear("accepted", "rejected", "error")

    def sees(self, is_it: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
        """The first view of which this is true, perhaps the one that came last."""
        while not is_it(self.view):
            self.hear("update")
        return self.view


def socket_of(
    user: object, address: str, table_id: object, *, kind: str = "table", **options: Any
) -> ClientConnection:
    """A socket to a table at the site's `address`, logged in as this user; None is no login.

    A program gives its `Authorization` instead.
    """
    headers = {name: options.pop(name) for name in ("Authorization",) if name in options}
    if user is not None and not headers:
        headers["Cookie"] = "=".join(session_cookie(user))
    url = f"{address.replace('http', 'ws')}/ws/{kind}/{table_id}/"
    options = {"origin": address, "open_timeout": WAIT_SECONDS, **options}
    return connect(url, additional_headers=headers, **options)
