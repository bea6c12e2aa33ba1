"""The WebSockets of chouettes: a table's, which speaks the protocol of every table, and the list's.

Each reader has a view of their own, so a change is published without it, and each socket reads the
view for its person. Views replace each other: a chouette has no log, and updates have no events.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any, ClassVar, Literal
from uuid import UUID

import msgspec
from django.db import Error
from django.urls import path
from msgspec import structs

from accounts.models import User
from games import wire
from games.chouette.commands import AnyCommand, Element, Tip
from games.chouette.models import Circle
from games.chouette.selectors import chouette_get
from games.chouette.services.playing import chouette_command, chouette_move_on
from games.chouette.services.store import LIST_CHANNEL, channel
from games.chouette.services.talk import CircleRoom
from games.chouette.view import chouette_view
from games.live.delivery import CLOSE_NO_TABLE, REFUSED_COSTS
from games.live.hub import hub
from games.live.person import LobbyConsumer
from games.live.presence import attendants
from games.live.sockets import Frame, FrameConsumer, answering
from games.live.talk import Talk
from games.live.work import in_thread
from games.services.chat import Address
from games.table.errors import NotSeated, TableError
from games.wire.frames import Accepted, Failure, Pong, Rejected, Welcome
from kit.database import database_now_ms

logger = logging.getLogger(__name__)

To = Literal["everybody", "crew"]

#: what is due at a table is done this much later: clocks of two machines differ a little.
WAKE_AFTER_SECONDS = 0.05

#: what a refusal says beside its code.
TOLD = ("reason", "who", "until_ms")


class ChouetteSay(wire.Say, frozen=True, tag="say", kw_only=True, forbid_unknown_fields=True):
    """Send a set phrase or a line of text to everybody at the table, or to the crew of a game."""

    to: To
    game: wire.Number | msgspec.UnsetType = msgspec.UNSET


class ChouetteCommandFrame(
    wire.AnyCommandFrame, frozen=True, tag="command", forbid_unknown_fields=True
):
    """Do something at a chouette; `id` makes a repetition harmless."""

    command: AnyCommand


DiceFrame = wire.DiceTip | wire.DiceElement
ChouetteFrame = (
    wire.Resume | wire.Ping | ChouetteCommandFrame | DiceFrame
    | wire.Chat | ChouetteSay | wire.MutePerson | wire.FreeText | wire.Report
)  # fmt: skip
_frames = msgspec.json.Decoder(ChouetteFrame)


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


class ChouetteConsumer(FrameConsumer):
    """One person's connection to one chouette; anybody may watch."""

    circle_id: UUID
    present_id: int | None = None
    resumed = False
    waking: asyncio.TimerHandle | None = None
    moving: asyncio.Task[Any] | None = None

    async def connect(self) -> None:
        """Welcome the client; a person who is logged in counts as present."""
        self.circle_id = self.scope["url_route"]["kwargs"]["circle_id"]
        self.reading = asyncio.Lock()
        self.user_id = self.account
        self.talk = CircleTalk(self.circle_id, self.user_id, tell=self.send_text, lost=self.lost)
        self.read_frames()
        await self.accept()
        if self.user_id is not None and not await self.take_place(self.user_id):
            return
        await self.follow(channel(self.circle_id), hear=self._changed)
        welcome = await in_thread(self._welcome)
        if welcome is None:
            await self.close(code=CLOSE_NO_TABLE)
            return
        await self.send_frame(structs.replace(welcome, slow=hub().goes_by_stopgap))
        if self.user_id is not None:
            await self.guard(self.user_id)
            self.present_id = self.user_id
            await attendants().enter_person(self.user_id)
        if self.line is not None:
            self.line.take_frames(self.inbox.put, self.context)

    def _welcome(self) -> Welcome | None:
        circle = chouette_get(self.circle_id)
        if circle is None:
            return None
        return Welcome(
            protocol=wire.PROTOCOL,
            table=str(circle.pk),
            seat=None,
            seq=circle.seq,
            now_ms=database_now_ms(),
            slow=False,
        )

    def parse(self, data: bytes) -> ChouetteFrame:
        """The frame that the client sent. Raises `BadFrame`."""
        frame: ChouetteFrame = wire.parse_with(_frames, data)
        to_crew = isinstance(frame, ChouetteSay) and frame.to == "crew"
        if isinstance(frame, ChouetteSay) and to_crew == (frame.game is msgspec.UNSET):
            raise wire.BadFrame("a message to the crew names its game, no other does - at `$`")
        return frame

    def begin(self, frame: ChouetteFrame) -> None:
        """Every frame is the work of a task."""
        self.inbox.work(self._work(frame))

    async def _work(self, frame: ChouetteFrame) -> None:
        answer: Frame | None
        match frame:
            case wire.Ping():
                seq, now_ms = await in_thread(_newest, self.circle_id)
                answer = Pong(sent_ms=frame.sent_ms, now_ms=now_ms, seq=seq)
            case wire.Resume():
                self.resumed, answer = True, None
                await self._show("snapshot", log=[])
            case ChouetteCommandFrame():
                answer = await in_thread(self._command, frame)
                if isinstance(answer, Rejected):
                    self.bucket.charge(REFUSED_COSTS)
            case wire.DiceTip() | wire.DiceElement():
                answer = await in_thread(self._dice_part, frame)
            case _:
                answer = await self.talk.answer(frame)
        if answer is not None:
            await self.send_frame(answering(frame, answer))

    # --- views ------------------------------------------------------------------------------------

    async def _changed(self, _text: str) -> None:
        """The table has changed: show it, once the client has asked for it."""
        if self.resumed:
            await self._show("update", events=[])

    async def _show(self, kind: str, **more: object) -> None:
        """Send the view as it is now: none is older than the one before."""
        async with self.reading:
            view, due_ms = await in_thread(self._view)
            told = {"seq": view["seq"], "now_ms": view["now_ms"], **more, "view": view}
            await self.send_frame({"type": kind, **told})
        if self.user_id in (person["id"] for person in view["people"]):
            self._wake_in(None if due_ms is None else due_ms - view["now_ms"])

    def _view(self) -> tuple[dict[str, Any], int | None]:
        """The view for this reader, and when something is due at the table."""
        circle = Circle.objects.get(pk=self.circle_id)
        due = circle.wake_at
        due_ms = None if due is None else int(due.timestamp() * 1000)
        return chouette_view(circle, self.user_id), due_ms

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

    # --- commands ---------------------------------------------------------------------------------

    def _command(self, frame: ChouetteCommandFrame) -> Accepted | Rejected:
        try:
            circle = self._carry_out(frame.command, frame.id)
        except TableError as error:
            told: dict[str, Any] = {
                name: error.fields[name] for name in TOLD if name in error.fields
            }
            return Rejected(id=frame.id, seq=frame.seq, code=error.code, message=str(error), **told)
        return Accepted(id=frame.id, seq=circle.seq)

    def _dice_part(self, frame: DiceFrame) -> Failure | None:
        """Take in a part in the dice; the frame that refuses it, or nothing."""
        game = str(frame.game)
        try:
            if isinstance(frame, wire.DiceTip):
                self._carry_out(Tip(game=game, tip=frame.value))
            else:
                self._carry_out(Element(game=game, n=frame.n, element=frame.element))
        except TableError as error:
            return Failure(code=error.code, message=str(error))
        return None

    def _carry_out(self, command: Any, command_id: str | None = None) -> Circle:
        if self.user_id is None:
            raise NotSeated("log in to play")
        user = User.objects.get(pk=self.user_id)
        return chouette_command(
            user=user, circle_id=self.circle_id, command=command, command_id=command_id
        )

    async def end(self) -> None:
        """The connection is gone: it renews its reader's sign of life no longer."""
        self._wake_in(None)
        await self.inbox.close()
        self.talk.end()
        if self.present_id is not None:
            attendants().leave_person(self.present_id)


async def _move_on(circle_id: UUID) -> None:
    try:
        await in_thread(chouette_move_on, circle_id)
    except (Error, TableError) as error:
        logger.warning("could not go on at chouette %s: %s", circle_id, error)


def _newest(circle_id: UUID) -> tuple[int | None, int]:
    """The number of the newest event of a table, and the time."""
    seqs = Circle.objects.filter(pk=circle_id).values_list("seq", flat=True)
    return seqs.first(), database_now_ms()


_consumer: Any = ChouetteConsumer.as_asgi()  # Django's types declare views only
_list: Any = ChouetteListConsumer.as_asgi()

websocket_urlpatterns: list[Any] = [
    path("ws/chouette/<uuid:circle_id>/", _consumer),
    path("ws/chouettes/", _list),
]
