"""uvicorn's WebSocket protocol, with a short way for whole text frames.

A consumer that wants it takes its frames as bytes in `data_received`, and writes frames whose
bytes are made already: no queue, no task and no message of ASGI for each (`games.live.delivery`).
All else (the opening, pings, fragments, closing, breaches of the protocol) is uvicorn's own, and
so is every socket whose consumer does not use the line.
"""

import sys
from collections.abc import Callable
from contextvars import Context
from http import HTTPStatus
from typing import Any, Final

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request

from games.live.delivery import CLOSE_TOO_BIG, CLOSE_TOO_FAST, EXTENSION, FAILED, REASONS
from pasch.web.budgets import WAIT_SECONDS, AddressBudget, Budget, address_of

try:
    from websockets.speedups import apply_mask
except ImportError:  # no compiled one for this machine
    from websockets.utils import apply_mask

WHOLE_TEXT: Final = 0x81
FINAL: Final = 0x80
MASKED: Final = 0x80
CONTINUED: Final = 0x0
DATA: Final = (0x1, 0x2)
#: in place of a length: it follows in 16 or in 64 bits.
MIDDLE: Final = 126
LONG: Final = 127

#: the shortest frame of a client: two bytes of head, four of mask.
HEAD_BYTES: Final = 6

#: so many frames of one socket are read, then it is the turn of others.
FRAMES_A_TURN: Final = 16
#: a message in more pieces than this is too big, whatever is in them.
FRAGMENTS_MAX: Final = 64
#: a client that is closed has this long to read why.
LINGER_SECONDS: Final = 1.0


class FrameSocket(WebSocketsSansIOProtocol):
    """One connection; a `games.live.delivery.Line`.

    uvicorn's own parser is handed whole frames alone, so either may take the next one.
    """

    _take: Callable[[bytes], None] | None = None
    _context: Context
    _rest: bytearray | None = None
    _held = False
    _fragments = 0
    """How many pieces of a message have come so far; 0: none is on its way."""
    _left_to_uvicorn = False
    _address: AddressBudget | None = None
    _budget: Budget
    _turn_is_over = False
    _ended = False

    # --- for the consumer -------------------------------------------------------------------------

    @property
    def flows(self) -> bool:
        """Whether a frame may be written: the socket is open and the client keeps up."""
        return self.writable.is_set() and not self.close_sent and not self.disconnected

    def take_frames(self, take: Callable[[bytes], None], context: Context) -> None:
        """Call `take` in `context` with each text frame from now on, in place of ASGI's message."""
        self._context, self._take = context, take

    def write_frame(self, frame: bytes) -> None:
        """Write the bytes of one whole frame; they are dropped if the socket is closed."""
        if not self.close_sent and not self.transport.is_closing():
            self.transport.write(frame)

    def pause_frames(self) -> None:
        """Read no further frame: the client has to wait."""
        if not self._held:
            self._held = True
            if not self.transport.is_closing():
                self.transport.pause_reading()

    def resume_frames(self) -> None:
        """Go on with the frames that came, and then with reading."""
        if self._held:
            self._held = False
            self.loop.call_soon(self._go_on)

    def fail(self, error: Exception) -> None:
        """Raise an error in the task that serves the socket."""
        message: Any = {"type": FAILED, "error": error}
        self.queue.put_nowait(message)

    # --- for the event loop -----------------------------------------------------------------------

    def handle_connect(self, event: Request) -> None:
        """Begin with a socket when it is the turn of its address, or refuse it."""
        now = self.loop.time()
        address = address_of(self.client, event.headers.raw_items())
        wait = 0.0 if address is None else address.wait_seconds(now)
        if wait is None:
            self._refuse(event)
            return
        self._address, self._budget = address, Budget(address, now)
        if wait:
            self.transport.pause_reading()
            self.loop.call_later(wait, self._begin_late, event)
        else:
            self._begin(event)

    def _begin_late(self, event: Request) -> None:
        if not self.disconnected and not self.transport.is_closing():
            self.transport.resume_reading()
            self._begin(event)

    def _begin(self, event: Request) -> None:
        """Begin with a socket, and offer it the short way."""
        super().handle_connect(event)
        if self.response.status_code == 101:
            extensions: dict[str, Any] = self.scope["extensions"]
            extensions[EXTENSION] = self

    def _refuse(self, event: Request) -> None:
        """Too many sockets of one address: say when to come again."""
        response = self.conn.reject(HTTPStatus.TOO_MANY_REQUESTS, "Too many sockets.\n")
        response.headers["Retry-After"] = str(int(WAIT_SECONDS))
        self._ended = self.handshake_complete = self.close_sent = True
        self.conn.send_response(response)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone: drop everything held for it."""
        super().connection_lost(exc)
        self._take, self._rest = None, None
        if self._address is not None:
            self._address.sockets -= 1
            self._address = None

    def data_received(self, data: bytes) -> None:
        """Take every frame that is whole; keep what is not."""
        if self._ended:
            return
        if not self.handshake_initiated or self._left_to_uvicorn:
            super().data_received(data)
        elif not self._budget.read(len(data), self.loop.time()):
            self._end(CLOSE_TOO_FAST)
        elif self._rest is not None:
            self._rest += data
            self._read(self._rest)
        else:
            self._read(data)

    def _read(self, data: bytes | bytearray) -> None:
        at, end, left = 0, len(data), 0 if self._turn_is_over else FRAMES_A_TURN
        while left and not self._held:
            begin, size = _head(data, at, end)
            if size > self.config.ws_max_size:
                self._end(CLOSE_TOO_BIG)
            elif begin + size > end:
                break
            elif size < 0:  # uvicorn refuses what is not masked
                self._left_to_uvicorn, self._rest = True, None
                super().data_received(bytes(data[at:]))
                return
            elif not self._budget.frame():
                self._end(CLOSE_TOO_FAST)
            else:
                self._read_frame(data, at, begin, begin + size)
            if self._ended:
                return
            at, left = begin + size, left - 1
        if left == 0 and end - at >= HEAD_BYTES:
            self._give_way()
        if self._held and not self.transport.is_closing():
            self.transport.pause_reading()  # uvicorn may have gone on for reasons of its own
        self._rest = bytearray(data[at:]) if at < end else None

    def _read_frame(self, data: bytes | bytearray, at: int, begin: int, end: int) -> None:
        first = data[at]
        if first == WHOLE_TEXT and self._take and not self._fragments and not self.close_sent:
            payload = apply_mask(data[begin:end], data[begin - 4 : begin])
            if _is_text(payload):
                self._context.run(self._take, payload)
                return
        if first & FINAL == 0:
            self._fragments += 1
            if self._fragments > FRAGMENTS_MAX:
                self._end(CLOSE_TOO_BIG)
                return
        elif first & 0x0F in DATA or first == FINAL | CONTINUED:
            self._fragments = 0
        super().data_received(bytes(data[at:end]))

    def _give_way(self) -> None:
        """Read on when others have had their turn."""
        if not self._turn_is_over:
            self._turn_is_over = True
            if not self.transport.is_closing():
                self.transport.pause_reading()
            self.loop.call_soon(self._next_turn)

    def _next_turn(self) -> None:
        self._turn_is_over = False
        self._go_on()

    def _go_on(self) -> None:
        if self._rest is not None and not self._held and not self._ended:
            self._read(self._rest)
        if self._held or self.read_paused or self._turn_is_over or self._ended:
            return
        if not self.transport.is_closing():
            self.transport.resume_reading()

    def _end(self, code: int) -> None:
        """Close the socket without reading on; whatever the client has sent is dropped."""
        self._ended, self._take, self._rest = True, None, None
        if self._address is not None:
            self._address.exceeded(code, self.loop.time())
        message: Any = {"type": "websocket.disconnect", "code": code, "reason": REASONS[code]}
        self.queue.put_nowait(message)
        if not self.close_sent and not self.transport.is_closing():
            self.conn.fail(code, REASONS[code])
            self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        if not self.transport.is_closing():
            self.transport.pause_reading()
        self.stop_keepalive()
        self.close_timer = self.loop.call_later(LINGER_SECONDS, self.transport.abort)

    def send_receive_event_to_app(self) -> None:
        """Hand over a message that uvicorn has put together."""
        text = b"".join(self.frames)
        is_text = self.curr_msg_data_type == "text" and _is_text(text)
        if self._take and is_text and not self.close_sent:
            self.frames = []
            self._context.run(self._take, text)
        else:
            super().send_receive_event_to_app()


def _head(data: bytes | bytearray, at: int, end: int) -> tuple[int, int]:
    """Where the payload of the frame at `at` begins, and its size; beyond `end` if that is unknown.

    A size below zero is one without a mask. A length of 64 bits is longer than any that is taken.
    """
    begin = at + HEAD_BYTES
    if begin > end:
        return begin, 0
    size = data[at + 1] - MASKED
    if size == LONG:
        return begin, sys.maxsize
    if size != MIDDLE:
        return begin, size
    if begin + 2 > end:
        return begin + 2, 0
    return begin + 2, data[at + 2] << 8 | data[at + 3]


def _is_text(payload: bytes) -> bool:
    """Whether these bytes are UTF-8."""
    if payload.isascii():
        return True
    try:
        payload.decode()
    except UnicodeDecodeError:
        return False
    return True
