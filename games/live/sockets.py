"""A socket that passes on what is published, and one that reads and answers frames of the protocol.

Both clean up after themselves however they end. With them stands what every socket keeps to: the
scopes of a token, and errors that name the frame they answer.
"""

import contextlib
import logging
import time
from collections.abc import Callable, Collection, Iterator
from contextvars import Context, copy_context
from typing import Any, Final, TypeVar, cast, get_args
from uuid import uuid4

import msgspec
from channels.consumer import get_handler_name
from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer

from accounts.guests import guest_of
from accounts.scopes import frame_scope
from games.broadcast import access_channel
from games.live.delivery import (
    CLOSE_LOGGED_OUT,
    CLOSE_NO_TEXT,
    CLOSE_TOO_BIG,
    CLOSE_TOO_MANY,
    CLOSE_TRY_AGAIN,
    EXTENSION,
    FAILED,
    READING_COSTS,
    REASONS,
    Follower,
    FrameBucket,
    Hear,
    Inbox,
    Line,
    text_frame,
)
from games.live.hub import hub
from games.live.places import places
from games.live.talk import Talk
from games.wire import (
    FRAME_BYTES_MAX,
    AnyCommandFrame,
    BadFrame,
    Chat,
    ClientFrame,
    Resume,
    Say,
    encode,
    outline,
    parse_client,
)
from games.wire.frames import Failure, Rejected, ServerFrame, Unsaid
from kit.database import in_thread

security_logger = logging.getLogger("security")

#: in uvicorn's error for what is sent after it has closed a socket.
CLOSED_BY_SERVER: Final = "after sending 'websocket.close'"

Frame = ServerFrame | dict[str, Any]
"""A message to send: for a table a frame of the protocol, for the lobby a plain object."""


@contextlib.contextmanager
def _unless_gone() -> Iterator[None]:
    """Send only while the client is there; its end arrives as an event of its own.

    After a frame that breaks the protocol, or is too big, the server has closed the socket before
    that event, and uvicorn takes whatever is sent then for a mistake.
    """
    try:
        yield
    except OSError:
        return
    except RuntimeError as error:
        if CLOSED_BY_SERVER not in str(error):
            raise


class HubConsumer(AsyncWebsocketConsumer):
    """A socket that receives what is published at its channels."""

    followers: tuple[Follower, ...] = ()
    closed = False
    connected = False
    place: tuple[int, str] | None = None

    async def follow(self, *channels: str, hear: Hear | None = None) -> Follower:
        """Subscribe to these channels; `hear` receives what is published."""
        follower = await hub().subscribe(hear or self.send_text, self.lost, *channels)
        self.followers += (follower,)
        return follower

    @property
    def account(self) -> int | None:
        """The account whose login, or token, opened this socket; None for a stranger."""
        user: Any = self.scope.get("user")
        return user.pk if user is not None and user.is_authenticated else None

    async def take_place(self, person_id: int) -> bool:
        """Count this socket as one of a person's; one too many is closed, and then False."""
        socket = uuid4().hex
        if await places().take(person_id, socket):
            self.place = (person_id, socket)
            return True
        await self.close(code=CLOSE_TOO_MANY)
        return False

    async def guard(self, user_id: int) -> None:
        """Close the socket when the login it was opened with ends."""
        await self.follow(access_channel(user_id), hear=self._access_ended)

    async def guard_guest(self, guest_id: int) -> None:
        """Close the socket when the guest registers, also if that was a moment ago."""
        await self.guard(guest_id)
        if await in_thread(guest_of, self.scope.get("session") or {}) is None:
            await self.close(code=CLOSE_LOGGED_OUT)

    async def _access_ended(self, ended_key: str) -> None:
        session = self.scope.get("session")
        own_key = session.session_key if session is not None else None
        if ended_key in ("", own_key):
            await self.close(code=CLOSE_LOGGED_OUT)

    async def lost(self) -> None:
        """Frames were missed: the client reconnects and requests them."""
        await self.close(code=CLOSE_TRY_AGAIN)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve the socket and clean up, whatever ends it, an error of ours included.

        Channels calls a consumer when its client goes, and at no other end: without this a person
        whose command failed in an unforeseen way would be shown as present for good.
        """
        self.scope, self.base_send = scope, send
        try:
            while True:  # Channels' own loop is for consumers that listen to a channel layer, too
                await self.dispatch(await receive())
        except StopConsumer:
            pass
        finally:
            for follower in self.followers:
                hub().unsubscribe(follower)
            if self.place is not None:
                await places().leave(*self.place)
            if self.connected:
                await self.end()

    async def dispatch(self, message: Any) -> None:
        """Handle one event of the socket.

        Channels gives the thread's database connection back around each one, by way of a thread
        (40 % of a move). Sockets use no connection outside of `kit.database`, which does it.
        """
        if message["type"] == FAILED:
            raise message["error"]
        handler = getattr(self, get_handler_name(message), None)
        if handler is None:
            raise ValueError(f"no handler for {message['type']}")
        await handler(message)

    async def websocket_disconnect(self, message: Any) -> None:
        """The client has gone."""
        raise StopConsumer

    async def websocket_connect(self, message: Any) -> None:
        """The socket begins; from here on it has an end."""
        self.connected = True
        await super().websocket_connect(message)

    async def end(self) -> None:
        """Clean up after this socket."""

    async def send_text(self, text: str) -> None:
        """Send, or do nothing when the client has gone: its end arrives as an event of its own."""
        if self.closed:
            return
        event: Any = {"type": "websocket.send", "text": text}
        with _unless_gone():
            await self.base_send(event)

    async def close(self, code: int | None = None, reason: str | None = None) -> None:
        """Close the socket, once; several callers may do so at the same time."""
        if not self.closed:
            self.closed = True
            reason = reason or REASONS.get(code or 0)
            with _unless_gone():
                await super().close(code=code, reason=reason)

    async def send_frame(self, frame: Frame) -> None:
        """Send one frame to this socket alone."""
        await self.send_text(encode(frame))


_open = 0


def socket_opened() -> None:
    """One more."""
    global _open
    _open += 1


def socket_done() -> None:
    """One less; everything that follows from its end has been done."""
    global _open
    _open -= 1


def sockets_open() -> int:
    """The sockets whose end has not been dealt with."""
    return _open


FRAME_TYPES = frozenset(str(kind.__struct_config__.tag) for kind in get_args(ClientFrame))

Answer = TypeVar("Answer")


def answering(frame: msgspec.Struct, answer: Answer) -> Answer:
    """An answer; an error gets the type of the frame that it answers."""
    if isinstance(answer, Failure):
        return msgspec.structs.replace(answer, frame=str(frame.__struct_config__.tag))
    return answer


def unread(data: bytes, code: str, message: str) -> Failure:
    """The error for a frame that was not carried out, whether it could be parsed or not."""
    kind, frame_id = outline(data)
    named: dict[str, Any] = {"frame": kind} if kind in FRAME_TYPES else {}
    if frame_id is not None:
        named["id"] = frame_id
    return Failure(code=code, message=message, **named)


def scope_refusal(frame: msgspec.Struct, granted: Collection[str]) -> ServerFrame | None:
    """The answer to a frame for which the token has no scope; None if it is allowed."""
    command = frame.command.__struct_config__.tag if isinstance(frame, AnyCommandFrame) else ""
    scope = frame_scope(str(frame.__struct_config__.tag), str(command))
    if scope in granted:
        return None
    refusal = {"code": "scope_missing", "message": f"this token lacks the scope '{scope}'"}
    named: dict[str, Any] = refusal if scope is None else {**refusal, "scope": str(scope)}
    match frame:
        case AnyCommandFrame():
            return Rejected(id=frame.id, seq=frame.seq, **named)
        case Say():
            return Unsaid(id=frame.id, **named)
    return Failure(**named)


#: the log stops after this many refused frames of one socket.
REFUSALS_LOGGED_MAX: Final = 5


class FrameConsumer(HubConsumer):
    """One person's connection to one table of any kind; `user_id` is None for a stranger.

    Frames of one client are finished one after the other. A kind of table has the types of its
    client frames (`parse`), and carries one out in `begin`.
    """

    parse: Callable[[bytes], Any] = staticmethod(parse_client)
    """The frame that the client sent. Raises `BadFrame`."""

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
                return
            if isinstance(frame, Resume | Chat):
                self.bucket.charge(READING_COSTS)
            granted = cast("Collection[str] | None", self.scope.get("granted"))
            refusal = None if granted is None else scope_refusal(frame, granted)
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
