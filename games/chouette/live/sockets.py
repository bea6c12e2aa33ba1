"""The WebSockets of chouettes: they report that something changed; pages fetch the change.

The talk of a connection goes the same way; each message names whom it is for.
"""

import time
from collections.abc import Awaitable, Callable, Collection
from typing import Any, ClassVar, Literal, cast
from uuid import UUID

import msgspec
from django.urls import path

from games import wire
from games.chouette.models import Circle
from games.chouette.services.store import LIST_CHANNEL, channel
from games.chouette.services.talk import CircleRoom
from games.live.delivery import CLOSE_NO_TABLE, CLOSE_NO_TEXT, CLOSE_TOO_BIG, FrameBucket
from games.live.person import LobbyConsumer
from games.live.presence import attendants
from games.live.sockets import HubConsumer, answering, scope_refusal, unread
from games.live.talk import Talk
from games.live.work import in_thread
from games.services.chat import Address
from games.wire import FRAME_BYTES_MAX, BadFrame
from games.wire.frames import ServerFrame

To = Literal["everybody", "crew"]


class ChouetteSay(wire.Say, frozen=True, tag="say", kw_only=True, forbid_unknown_fields=True):
    """Send a set phrase or a line of text to everybody at the table, or to the crew of a game."""

    to: To
    game: wire.Number | msgspec.UnsetType = msgspec.UNSET


Frame = wire.Chat | ChouetteSay | wire.MutePerson | wire.FreeText | wire.Report
_frames = msgspec.json.Decoder(Frame)


def parse(data: bytes) -> Frame:
    """The frame that a client sent. Raises `games.wire.BadFrame`."""
    frame: Frame = wire.parse_with(_frames, data)
    if isinstance(frame, ChouetteSay) and (frame.to == "crew") == (frame.game is msgspec.UNSET):
        raise wire.BadFrame("a message to the crew names its game, and no other one does - at `$`")
    return frame


class CircleTalk(Talk):
    """The talk of one connection at its chouette."""

    def __init__(
        self,
        circle_id: UUID,
        user_id: int | None,
        *,
        tell: Callable[[str], Awaitable[None]],
        lost: Callable[[], Awaitable[None]],
    ) -> None:
        super().__init__(CircleRoom(circle_id), user_id, tell=tell, lost=lost)

    def to_whom(self, frame: wire.Say) -> Address:
        """The audience that the frame names."""
        assert isinstance(frame, ChouetteSay), "every message at a chouette names its audience"
        return Address(frame.to, None if frame.game is msgspec.UNSET else frame.game)


class ChouetteListConsumer(LobbyConsumer):
    """Notifies pages with the list of open chouettes of its changes."""

    channel: ClassVar[str] = LIST_CHANNEL


class ChouetteConsumer(HubConsumer):
    """Notifies pages of changes at one table, and carries its talk; anybody may watch."""

    user_id: int | None = None
    talk: CircleTalk | None = None

    async def connect(self) -> None:
        """Accept anyone; logged-in players count as present."""
        await self.accept()
        self.bucket = FrameBucket(at=time.monotonic())
        circle_id: UUID = self.scope["url_route"]["kwargs"]["circle_id"]
        user: Any = self.scope.get("user")
        user_id = user.pk if user is not None and user.is_authenticated else None
        if user_id is not None and not await self.take_place(user_id):
            return
        await self.follow(channel(circle_id))
        seq = await in_thread(_seq_of, circle_id)
        if seq is None:
            await self.close(code=CLOSE_NO_TABLE)
            return
        await self.send_frame({"type": "changed", "seq": seq})
        if user_id is not None:
            await self.guard(user_id)
            self.user_id = user_id
            await attendants().enter_person(user_id)
        self.talk = CircleTalk(circle_id, user_id, tell=self.send_text, lost=self.lost)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """One frame about the talk; the next one is read once it is answered."""
        if self.closed or self.talk is None:
            return
        if text_data is None:
            await self.close(code=CLOSE_NO_TEXT)
            return
        data = text_data.encode()
        if len(data) > FRAME_BYTES_MAX:
            await self.close(code=CLOSE_TOO_BIG)
            return
        await self.send_frame(await self._answer(self.talk, data))

    async def _answer(self, talk: CircleTalk, data: bytes) -> ServerFrame:
        if not self.bucket.take(time.monotonic()):
            return unread(data, "too_fast", "too many frames, slow down")
        try:
            frame = parse(data)
        except BadFrame as error:
            return unread(data, error.code, str(error))
        granted = cast("Collection[str] | None", self.scope.get("granted"))
        refusal = scope_refusal(frame, granted)
        return answering(frame, await talk.answer(frame) if refusal is None else refusal)

    async def end(self) -> None:
        """The page is gone and no longer renews its reader's sign of life."""
        if self.talk is not None:
            self.talk.end()
        if self.user_id is not None:
            attendants().leave_person(self.user_id)


def _seq_of(circle_id: UUID) -> int | None:
    """The number of the newest event of a table; None if there is no such table."""
    return Circle.objects.filter(pk=circle_id).values_list("seq", flat=True).first()


_consumer: Any = ChouetteConsumer.as_asgi()  # Django's types declare views only
_list: Any = ChouetteListConsumer.as_asgi()

websocket_urlpatterns: list[Any] = [
    path("ws/chouette/<uuid:circle_id>/", _consumer),
    path("ws/chouettes/", _list),
]
