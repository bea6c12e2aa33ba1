"""A socket that reads frames of the protocol and answers each, at a table of any kind.

Frames of one client are finished one after the other. A kind of table has the types of its client
frames (`parse`), and carries one out in `begin`.
"""

import logging
import time
from collections.abc import Collection
from contextvars import Context, copy_context
from typing import Any, cast

from games.live.delivery import (
    CLOSE_NO_TEXT,
    CLOSE_TOO_BIG,
    EXTENSION,
    FrameBucket,
    Inbox,
    Line,
    text_frame,
)
from games.live.sockets import Frame, HubConsumer, answering, scope_refusal, unread
from games.live.talk import Talk
from games.wire import FRAME_BYTES_MAX, BadFrame, encode, parse_client
from games.wire.frames import Failure

security_logger = logging.getLogger("security")

#: the log stops after this many refused frames of one socket.
REFUSALS_LOGGED_MAX = 5


class FrameConsumer(HubConsumer):
    """One person's connection to one table; `user_id` is None for a stranger."""

    user_id: int | None = None
    talk: Talk
    refusals = 0
    inbox: Inbox
    line: Line | None = None
    context: Context

    def read_frames(self) -> None:
        """Read frames from now on; they wait for what `connect` is doing."""
        self.bucket = FrameBucket(at=time.monotonic())
        self.context = copy_context()
        self.line = cast("Line | None", (self.scope.get("extensions") or {}).get(EXTENSION))
        self.inbox = Inbox(self._take, self.line, self.context)

    def parse(self, data: bytes) -> Any:
        """The frame that the client sent. Raises `BadFrame`."""
        return parse_client(data)

    def begin(self, frame: Any) -> None:
        """Carry out a frame that the client may send; the inbox is told when it is finished."""
        raise NotImplementedError

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """One message of ASGI: where the server has no line, or from before it was followed."""
        if text_data is None:
            await self.close(code=CLOSE_NO_TEXT)
        elif self.line is None:
            await self.inbox.through(text_data.encode())
        else:
            self.inbox.put(text_data.encode())

    def answer(self, frame: Frame) -> None:
        """Answer a frame, which finishes it."""
        if self.line is None or not self.line.flows:
            self.inbox.work(self.send_frame(frame))
        else:
            self.line.write_frame(text_frame(encode(frame).encode()))
            self.inbox.done()

    def _take(self, data: bytes) -> None:
        """Begin with one frame from the client; once the socket is closed none is answered."""
        if self.closed:
            self.inbox.done()
        elif len(data) > FRAME_BYTES_MAX:
            self.inbox.work(self.close(code=CLOSE_TOO_BIG))
        elif not self.bucket.take(time.monotonic()):
            self._refuse(unread(data, "too_fast", "too many frames, slow down"))
        else:
            try:
                frame = self.parse(data)
            except BadFrame as error:
                self._refuse(unread(data, error.code, str(error)))
            else:
                self._begin_if_granted(frame)

    def _begin_if_granted(self, frame: Any) -> None:
        granted = cast("Collection[str] | None", self.scope.get("granted"))
        refusal = scope_refusal(frame, granted)
        if refusal is None:
            self.begin(frame)
        else:
            self.answer(answering(frame, refusal))

    def _refuse(self, failure: Failure) -> None:
        """Answer a frame that was not carried out with its fault, and count it."""
        self.refusals += 1
        if self.refusals <= REFUSALS_LOGGED_MAX:
            event = {"event": "frame_refused", "code": failure.code}
            security_logger.warning("frame refused", extra={"event": event})
        self.answer(failure)
