"""Clients of tables, chouettes and tournaments, frame by frame, each checked by the schema."""

import json
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any
from uuid import uuid4

from jsonschema_rs import Draft202012Validator
from websockets.sync.client import ClientConnection, connect

from games.wire.schema import CLIENT, EVENT, SERVER, client_at, protocol_schema, server_at
from harness.logins import session_cookie
from harness.waiting import WAIT_SECONDS


@cache
def _by_type(part: str) -> dict[str, Draft202012Validator]:
    """A validator for each type of frame or event, so that a mistake is named where it is."""
    schema = protocol_schema()
    mapping = schema["$defs"][part.rpartition("/")[2]]["discriminator"]["mapping"]
    return {
        kind: Draft202012Validator({"$ref": reference, "$defs": schema["$defs"]})
        for kind, reference in mapping.items()
    }


def mistakes(frame: Any, part: str = SERVER) -> list[str]:
    """The errors of a frame of the server, of a client (`CLIENT`), or of an `EVENT`.

    `part` is `client_at` or `server_at` for the frames of another kind of table.
    """
    if not isinstance(frame, dict) or frame.get("type") not in _by_type(part):
        return [f"there is no such type: {frame!r:.80}"]
    found = _by_type(part)[frame["type"]].iter_errors(frame)
    return [f"{frame['type']}: {error.instance_path}: {error.message:.200}" for error in found]


def spoiled(value: Any) -> Iterator[Any]:
    """The same value with something else in one place: once for every place in it."""
    yield {"?": []}
    if isinstance(value, dict | list):
        for place, part in value.items() if isinstance(value, dict) else enumerate(value):
            for other in spoiled(part):
                copy = value.copy()
                copy[place] = other
                yield copy


__all__ = ["CLIENT", "EVENT", "SERVER", "client_at", "mistakes", "server_at", "spoiled"]


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
