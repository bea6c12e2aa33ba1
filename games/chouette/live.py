"""The WebSockets of chouettes: a table's, in the protocol of every table, and the list's."""

import asyncio
import logging
from typing import Any, ClassVar
from uuid import UUID

import msgspec
from django.db import Error
from django.urls import path

from accounts.models import User
from games import wire
from games.chouette.commands import Element, Tip
from games.chouette.frames import ChouetteDiceFrame, ChouetteFrame, ChouetteSay
from games.chouette.models import Circle
from games.chouette.selectors import chouette_get
from games.chouette.services.playing import chouette_command, chouette_move_on
from games.chouette.services.store import LIST_CHANNEL, channel
from games.chouette.services.talk import CircleRoom
from games.chouette.view import chouette_view
from games.live.delivery import CLOSE_NO_TABLE
from games.live.person import LobbyConsumer
from games.live.sockets import Frame
from games.live.talk import Talk
from games.live.views import View, ViewConsumer
from games.services.chat import Address
from games.table.errors import TableError
from games.wire.frames import Failure
from kit.database import in_thread

logger = logging.getLogger(__name__)

#: what is due at a table is done this much later: clocks of two machines differ a little.
WAKE_AFTER_SECONDS = 0.05


_frames: Any = msgspec.json.Decoder(ChouetteFrame)


class CircleTalk(Talk):
    """The talk of one connection at its chouette."""

    def to_whom(self, frame: wire.Say) -> Address:
        """The audience that the frame names."""
        assert isinstance(frame, ChouetteSay), "every message at a chouette names its audience"
        return Address(frame.to, None if frame.game is msgspec.UNSET else frame.game)


class ChouetteListConsumer(LobbyConsumer):
    """Notifies pages with the list of open chouettes of its changes."""

    channel: ClassVar[str] = LIST_CHANNEL


class ChouetteConsumer(ViewConsumer):
    """One person's connection to one chouette; anybody may watch."""

    circle_id: UUID
    due_ms: int | None = None
    waking: asyncio.TimerHandle | None = None
    moving: asyncio.Task[Any] | None = None

    async def connect(self) -> None:
        """Accept anyone; a person who is logged in counts as present."""
        self.circle_id = self.scope["url_route"]["kwargs"]["circle_id"]
        room = CircleRoom(self.circle_id)
        self.talk = CircleTalk(room, self.account, tell=self.send_text, lost=self.lost)
        await super().connect()

    async def greet(self, user_id: int | None) -> bool:
        """Follow the table, and welcome the client."""
        await self.follow(channel(self.circle_id), hear=self.changed)
        circle = await in_thread(chouette_get, self.circle_id)
        if circle is None:
            await self.close(code=CLOSE_NO_TABLE)
            return False
        await self.welcome(circle.pk, circle.seq)
        return True

    def parse(self, data: bytes) -> ChouetteFrame:
        """The frame that the client sent. Raises `BadFrame`."""
        frame: ChouetteFrame = wire.parse_with(_frames, data)
        to_crew = isinstance(frame, ChouetteSay) and frame.to == "crew"
        if isinstance(frame, ChouetteSay) and to_crew == (frame.game is msgspec.UNSET):
            raise wire.BadFrame("a message to the crew names its game, no other does - at `$`")
        return frame

    async def other(self, frame: Any) -> Frame | None:
        """Take a part in the dice, or talk."""
        if isinstance(frame, wire.DiceTip | wire.DiceElement):
            return await in_thread(self._dice_part, frame)
        return await self.talk.answer(frame)

    async def show(self, kind: str, **more: object) -> View | None:
        """Send the view, and do what is due at the table when it is due."""
        view = await super().show(kind, **more)
        if view and self.user_id in (person["id"] for person in view["people"]):
            self._wake_in(None if self.due_ms is None else self.due_ms - view["now_ms"])
        return view

    def view(self) -> View:
        """The view for this reader; `due_ms` is when something is due."""
        circle = Circle.objects.get(pk=self.circle_id)
        due = circle.wake_at
        self.due_ms = None if due is None else int(due.timestamp() * 1000)
        return chouette_view(circle, self.user_id)

    def newest(self) -> int | None:
        """The number of the newest event of the table."""
        return Circle.objects.filter(pk=self.circle_id).values_list("seq", flat=True).first()

    def _wake_in(self, ms: int | None) -> None:
        """Do what is due when it is due; should this process end before that, the sweep does it."""
        if self.waking is not None:
            self.waking.cancel()
            self.waking = None
        if ms is not None and not self.closed:
            wait = max(0, ms) / 1000 + WAKE_AFTER_SECONDS
            loop = asyncio.get_running_loop()
            self.waking = loop.call_later(wait, self._wake, context=self.context)

    def _wake(self) -> None:
        self.waking = None
        move_on = _move_on(self.circle_id)
        self.moving = asyncio.get_running_loop().create_task(move_on, context=self.context)

    def _dice_part(self, frame: ChouetteDiceFrame) -> Failure | None:
        """Take in a part in the dice; the frame that refuses it, or nothing."""
        game = str(frame.game)
        try:
            if isinstance(frame, wire.DiceTip):
                self.carry_out(self.person, Tip(game=game, tip=frame.value))
            else:
                part = Element(game=game, n=frame.n, element=frame.element)
                self.carry_out(self.person, part)
        except TableError as error:
            return Failure(code=error.code, message=str(error))
        return None

    def carry_out(self, user: User, command: Any, **sent: Any) -> int:
        """Carry a command out."""
        return chouette_command(user=user, circle_id=self.circle_id, command=command, **sent)

    async def end(self) -> None:
        """The connection is gone: nothing is done at the table for its reader."""
        self._wake_in(None)
        self.talk.end()
        await super().end()


async def _move_on(circle_id: UUID) -> None:
    try:
        await in_thread(chouette_move_on, circle_id)
    except (Error, TableError) as error:
        logger.warning("could not go on at chouette %s: %s", circle_id, error)


_consumer: Any = ChouetteConsumer.as_asgi()  # Django's types declare views only
_list: Any = ChouetteListConsumer.as_asgi()

websocket_urlpatterns: list[Any] = [
    path("ws/chouette/<uuid:circle_id>/", _consumer),
    path("ws/chouettes/", _list),
]
