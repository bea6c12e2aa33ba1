"""Real WebSockets to a real server, logged in as a user."""

import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from urllib.parse import urlsplit

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from harness.voice import Voice, socket_of
from harness.waiting import WAIT_SECONDS
from harness.wire import CLOSE, frame_at


@pytest.fixture
def voice(live: str, sitting) -> Iterator[Callable[..., Voice]]:
    """`voice(user)` is a client at the table `sitting`; `voice(None)` watches without a login."""
    opened = ExitStack()

    def call(user, *, origin: str | None = live, table_id: object = sitting.pk) -> Voice:
        socket = socket_of(user, live, table_id, origin=origin, max_size=None, max_queue=None)
        return Voice(opened.enter_context(socket))

    with opened:
        yield call


def close_code(socket: ClientConnection) -> int:
    """Receive once, and return the code with which the server closed."""
    with pytest.raises(ConnectionClosed) as closed:
        socket.recv(timeout=WAIT_SECONDS)
    assert closed.value.rcvd is not None
    return closed.value.rcvd.code


# --- raw sockets ----------------------------------------------------------------------------------
HANDSHAKE = (
    "GET {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nUpgrade: websocket\r\n"
    "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)


class Raw:
    """A connection to the site, from an address of this machine."""

    def __init__(self, site: str, source: str = "127.0.0.1") -> None:
        self.host = urlsplit(site).netloc
        name, port = self.host.split(":")
        self.socket = socket.create_connection((name, int(port)), 30, source_address=(source, 0))
        self.came = b""

    def open(self, path: str = "/ws/lobby/") -> str:
        """Ask for a socket: the first line of the answer."""
        self.ask(path)
        return self.head().split("\r\n")[0]

    def ask(self, path: str = "/ws/lobby/") -> None:
        self.socket.sendall(HANDSHAKE.format(host=self.host, path=path).encode())

    def head(self) -> str:
        while b"\r\n\r\n" not in self.came and (more := self.socket.recv(65_536)):
            self.came += more
        head, _, self.came = self.came.partition(b"\r\n\r\n")
        return head.decode()

    def frames(self) -> Iterator[tuple[int, bytes]]:
        """Opcode and payload of every frame that comes, until the connection ends."""
        while True:
            while (found := frame_at(memoryview(self.came), 0)) is not None:
                opcode, begin, end = found
                payload, self.came = self.came[begin:end], self.came[end:]
                yield opcode, payload
            try:
                more = self.socket.recv(65_536)
            except ConnectionError:
                return
            if not more:
                return
            self.came += more

    def closed_with(self) -> int | None:
        """Read until the server closes; the code, if it came."""
        codes = (
            int.from_bytes(payload[:2], "big") for code, payload in self.frames() if code == CLOSE
        )
        return next(codes, None)
