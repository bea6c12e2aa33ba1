"""The way of frames to one socket: at once while it keeps up, else one after the other.

A frame for many sockets is made once. `pasch.web.frame_socket` puts a `Line` into the scope of
each socket: it writes without a queue and without a task, which our web server offers beside
ASGI. On servers without it the same consumers work with the messages of ASGI alone. The other
way, `FrameBucket` limits how many frames a socket may send; nothing here needs Django to be set
up, because the benches lift that limit first.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from contextvars import Context
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Protocol

from games.wire import FRAME_BYTES_MAX

logger = logging.getLogger(__name__)

#: where the line is found in `scope["extensions"]`.
EXTENSION: Final = "pasch.frames"

#: the message with which a line hands an error to the consumer's own task.
FAILED: Final = "pasch.failed"

#: so many frames of a client wait behind the one being dealt with; then no more are read.
WAITING_MAX: Final = 16

#: why a socket is closed (docs/protocol.md).
CLOSE_NO_TEXT = 1003
CLOSE_TOO_FAST = 1008
CLOSE_TOO_BIG = 1009
CLOSE_TRY_AGAIN = 1013
CLOSE_LOGGED_OUT = 4401
CLOSE_NO_WATCHERS = 4403
CLOSE_NO_TABLE = 4404
CLOSE_TOO_MANY = 4429

#: what the client reads beside the code.
REASONS: Final[Mapping[int, str]] = {
    CLOSE_NO_TEXT: "frames are JSON text, not binary",
    CLOSE_TOO_FAST: "too much was sent too fast",
    CLOSE_TOO_BIG: f"a frame has at most {FRAME_BYTES_MAX} bytes",
    CLOSE_TRY_AGAIN: "frames were lost, connect again",
    CLOSE_LOGGED_OUT: "the login has ended",
    CLOSE_NO_WATCHERS: "this table takes no watchers",
    CLOSE_NO_TABLE: "there is no such table",
    CLOSE_TOO_MANY: "too many sockets are open",
}


class Line(Protocol):
    """A connection of a client."""

    @property
    def flows(self) -> bool:
        """Whether a frame may be written: the socket is open and the client keeps up."""

    def take_frames(self, take: Callable[[bytes], None], context: Context) -> None:
        """Call `take` in `context` with each text frame from now on, in place of ASGI's message."""

    def write_frame(self, frame: bytes) -> None:
        """Write the bytes of one whole frame; they are dropped if the socket is closed."""

    def pause_frames(self) -> None:
        """Read no further frame: the client has to wait."""

    def resume_frames(self) -> None:
        """Go on with the frames that came, and then with reading."""

    def fail(self, error: Exception) -> None:
        """Raise an error in the task that serves the socket."""


class Inbox:
    """The frames of one client, one after the other, in the order in which they came.

    `take` begins with a frame. Each frame is finished by one call of `done`, `work` or `fail`,
    perhaps long after `take` has returned.
    """

    __slots__ = (
        "_busy", "_closed", "_context", "_ended", "_line", "_settled", "_take", "_task", "_waiting",
    )  # fmt: skip

    def __init__(self, take: Callable[[bytes], None], line: Line | None, context: Context) -> None:
        self._take = take
        self._line = line
        self._context = context
        self._busy = False
        self._closed = False
        self._waiting: deque[bytes] | None = None
        self._task: asyncio.Task[None] | None = None
        self._settled: asyncio.Future[None] | None = None
        self._ended: asyncio.Future[None] | None = None

    def put(self, frame: bytes) -> None:
        """Take a frame, now or after those that came before it; none once this is closed."""
        if self._closed:
            return
        if not self._busy and not self._waiting:
            self._begin(frame)
            return
        if self._waiting is None:
            self._waiting = deque()
        self._waiting.append(frame)
        if self._line is not None and len(self._waiting) >= WAITING_MAX:
            self._line.pause_frames()

    async def through(self, frame: bytes) -> None:
        """Take a frame and wait until it is finished, so that the server reads no further."""
        if self._closed:
            return
        self._settled = asyncio.get_running_loop().create_future()
        self.put(frame)
        await self._settled

    def done(self) -> None:
        """The frame is finished."""
        self._busy = False
        for awaited in (self._settled, self._ended):
            if awaited is not None and not awaited.done():
                awaited.set_result(None)
        if self._waiting is not None:
            asyncio.get_running_loop().call_soon(self._go_on, context=self._context)

    def work(self, rest: Coroutine[Any, Any, None]) -> None:
        """Finish the frame in a task."""
        self._task = asyncio.create_task(self._finish(rest), context=self._context)

    def fail(self, error: Exception) -> None:
        """The frame led to an unexpected error, which ends the socket."""
        self._busy, self._closed = False, True
        if self._ended is not None:
            logger.error("what a client asked for before it went failed", exc_info=error)
            self._ended.set_result(None)
        elif self._settled is not None and not self._settled.done():
            self._settled.set_exception(error)
        elif self._line is not None:
            self._line.fail(error)

    async def close(self) -> None:
        """Drop what waits; what has begun is finished when this returns.

        The line reads on, if only to see that the client closes, too.
        """
        self._closed, self._waiting = True, None
        if self._line is not None:
            self._line.resume_frames()
        if self._busy:
            self._ended = asyncio.get_running_loop().create_future()
            await self._ended

    def _begin(self, frame: bytes) -> None:
        self._busy = True
        try:
            self._take(frame)
        except Exception as error:
            self.fail(error)

    def _go_on(self) -> None:
        while self._waiting and not self._busy:
            self._begin(self._waiting.popleft())
        if self._waiting is not None and not self._waiting and not self._busy:
            self._waiting = None
            if self._line is not None:
                self._line.resume_frames()

    async def _finish(self, rest: Coroutine[Any, Any, None]) -> None:
        try:
            await rest
        except Exception as error:
            self.fail(error)
        else:
            self.done()
        finally:
            self._task = None


def text_frame(payload: bytes) -> bytes:
    """One whole, unfragmented text frame as servers send it (RFC 6455, section 5.2)."""
    size = len(payload)
    if size < 126:
        return b"\x81%c%b" % (size, payload)
    if size < 65_536:
        return b"\x81\x7e%b%b" % (size.to_bytes(2, "big"), payload)
    return b"\x81\x7f%b%b" % (size.to_bytes(8, "big"), payload)


@dataclass
class Publication:
    """A publication at a channel, for every socket that follows it."""

    payload: bytes

    @cached_property
    def frame(self) -> bytes:
        """The bytes of the WebSocket frame."""
        return text_frame(self.payload)

    @cached_property
    def text(self) -> str:
        """The payload as text."""
        return self.payload.decode()


#: a socket that so many frames wait for has to start over.
WAITING_FRAMES_MAX: Final = 64

#: queued instead of a frame for a socket that must start over.
LOST: Final = None

Hear = Callable[[str], Awaitable[None]]
Lose = Callable[[], Awaitable[None]]


class Follower:
    """The frames of some channels for one socket, in order; nothing runs while none come.

    While `line` is set and flows, a frame is written there at once; else `hear` is awaited for
    every frame. `lose` is awaited once when frames were missed.
    """

    __slots__ = ("_hear", "_lose", "_task", "_waiting", "keys", "line")

    def __init__(self, keys: tuple[str, ...], hear: Hear, lose: Lose) -> None:
        self.keys = keys
        self.line: Line | None = None
        self._hear = hear
        self._lose = lose
        self._waiting: deque[str | None] | None = None
        self._task: asyncio.Task[None] | None = None

    def tell(self, publication: Publication) -> None:
        """Pass a frame on at once if none waits before it, else after those that do."""
        if self._task is None and self.line is not None and self.line.flows:
            self.line.write_frame(publication.frame)
        else:
            self.put(publication.text)

    def put(self, frame: str | None) -> None:
        """Let a frame wait its turn; too many that wait are one `LOST`."""
        if self._task is None:
            self._task = asyncio.create_task(self._pass_on(frame))
            return
        if self._waiting is None:
            self._waiting = deque()
        if len(self._waiting) >= WAITING_FRAMES_MAX:
            self._waiting.clear()
            frame = LOST
        self._waiting.append(frame)

    async def _pass_on(self, frame: str | None) -> None:
        try:
            while frame is not LOST:
                await self._hear(frame)
                if not self._waiting:
                    self._waiting = None
                    return
                frame = self._waiting.popleft()
            self._waiting = None
            await self._lose()
        finally:
            self._task = None

    def close(self) -> None:
        """Stop passing frames on."""
        if self._task is not None and self._task is not asyncio.current_task():
            self._task.cancel()


FRAMES_PER_SECOND: Final = 20.0
FRAMES_BURST: Final = 40.0

#: a refused command of a player is stored (`games.services.answers`), and costs as much as so many
#: more frames: a socket has at most four of them a second stored, and eight at once.
REFUSED_COSTS: Final = 4.0

#: `resume` and `chat` read the whole table or its talk, and cost as much.
READING_COSTS: Final = 4.0


@dataclass(slots=True)
class FrameBucket:
    """A token bucket; times in seconds of any steady clock."""

    left: float = FRAMES_BURST
    at: float = 0.0

    def take(self, now: float) -> bool:
        """Whether one more frame is allowed at `now`."""
        self.left = min(FRAMES_BURST, self.left + (now - self.at) * FRAMES_PER_SECOND)
        self.at = now
        if self.left < 1:
            return False
        self.left -= 1
        return True

    def charge(self, frames: float) -> None:
        """Count so many frames more for the last one."""
        self.left = max(self.left - frames, -FRAMES_BURST)
