"""uvicorn's WebSocket protocol, with a short way for whole text frames.

A consumer that wants it takes its frames as bytes in `data_received`, and writes frames whose bytes
are made already: no queue, no task and no message of ASGI for each (`games.live.line`). All else
(the opening, pings, fragments, closing, breaches of the protocol) is uvicorn's own, and so is
every socket whose consumer does not use the line.
"""

from collections.abc import Callable
from contextvars import Context
from typing import Any, Final

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request

from games.live.line import EXTENSION, FAILED

try:
    from websockets.speedups import apply_mask
except ImportError:  # no compiled one for this machine
    from websockets.utils import apply_mask

WHOLE_TEXT: Final = 0x81
FINAL: Final = 0x80
MASKED: Final = 0x80
CONTINUED: Final = 0x0
DATA: Final = (0x1, 0x2)

#: the shortest frame of a client: two bytes of head, four of mask.
HEAD_BYTES: Final = 6


class FrameSocket(WebSocketsSansIOProtocol):
    """One connection; a `games.live.line.Line`.

    uvicorn's own parser is handed whole frames alone, so either may take the next one.
    """

    _take: Callable[[bytes], None] | None = None
    _context: Context
    _rest: bytearray | None = None
    _held = False
    _fragments = False
    _left_to_uvicorn = False

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
        """Begin with a socket, and offer it the short way."""
        super().handle_connect(event)
        if self.response.status_code == 101:
            extensions: dict[str, Any] = self.scope["extensions"]
            extensions[EXTENSION] = self

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone: drop everything held for it."""
        super().connection_lost(exc)
        self._take, self._rest = None, None

    def data_received(self, data: bytes) -> None:
        """Take every frame that is whole; keep what is not."""
        if not self.handshake_initiated or self._left_to_uvicorn:
            super().data_received(data)
        elif self._rest is not None:
            self._rest += data
            self._read(self._rest)
        else:
            self._read(data)

    def _read(self, data: bytes | bytearray) -> None:
        at, end = 0, len(data)
        while end - at >= HEAD_BYTES and not self._held:
            begin, size = at + HEAD_BYTES, data[at + 1] - MASKED
            if size == 126:
                if end - at < HEAD_BYTES + 2:
                    break
                begin, size = begin + 2, data[at + 2] << 8 | data[at + 3]
                too_long = size > self.config.ws_max_size
            else:
                too_long = size == 127
            if size < 0 or too_long:  # uvicorn refuses it or puts it together
                self._left_to_uvicorn, self._rest = True, None
                super().data_received(bytes(data[at:]))
                return
            if begin + size > end:
                break
            self._read_frame(data, at, begin, begin + size)
            at = begin + size
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
        if first & 0x0F in DATA or first == FINAL | CONTINUED:
            self._fragments = not first & FINAL
        super().data_received(bytes(data[at:end]))

    def _go_on(self) -> None:
        if self._rest is not None and not self._held:
            self._read(self._rest)
        if not self._held and not self.read_paused and not self.transport.is_closing():
            self.transport.resume_reading()

    def send_receive_event_to_app(self) -> None:
        """Hand over a message that uvicorn has put together."""
        text = b"".join(self.frames)
        is_text = self.curr_msg_data_type == "text" and _is_text(text)
        if self._take and is_text and not self.close_sent:
            self.frames = []
            self._context.run(self._take, text)
        else:
            super().send_receive_event_to_app()


def _is_text(payload: bytes) -> bool:
    """Whether these bytes are UTF-8."""
    if payload.isascii():
        return True
    try:
        payload.decode()
    except UnicodeDecodeError:
        return False
    return True
