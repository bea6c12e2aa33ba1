"""A socket at which each reader has a view of their own: at a chouette, at a tournament.

A change is published without a view, and each socket reads that of its person. Views replace each
other: there is no log, and updates have no events.
"""

import asyncio
from typing import Any

from accounts.models import User
from games.live.delivery import CLOSE_NO_TABLE, REFUSED_COSTS
from games.live.hub import hub
from games.live.person import NewsConsumer
from games.live.sockets import Frame, FrameConsumer, answering
from games.services.answers import RefusedBefore
from games.table.errors import NotSeated
from games.wire import PROTOCOL, AnyCommandFrame, Ping, Resume
from games.wire.frames import Accepted, Pong, Rejected, Welcome
from kit.database import database_now_ms, in_thread
from kit.errors import Refusal

#: what a refusal says beside its code.
REFUSAL_FIELDS = ("reason", "who", "until_ms")

View = dict[str, Any]


class ViewConsumer(FrameConsumer, NewsConsumer):
    """One person's connection; the methods in the second part run in a thread with the database."""

    resumed = False
    reading: asyncio.Lock

    async def connect(self) -> None:
        """Accept and greet, and read frames, each of which is the work of a task."""
        self.user_id, self.reading = self.account, asyncio.Lock()
        self.read_frames()
        await super().connect()
        if self.line is not None and not self.closed:
            self.line.take_frames(self.inbox.put, self.context)

    async def end(self) -> None:
        """The connection is gone."""
        await self.inbox.close()
        await super().end()

    def begin(self, frame: Any) -> None:
        self.inbox.work(self._work(frame))

    async def welcome(self, name: object, seq: int) -> None:
        """Send the first frame."""
        await self.send_frame(
            Welcome(
                protocol=PROTOCOL,
                table=str(name),
                seat=None,
                seq=seq,
                now_ms=await in_thread(database_now_ms),
                slow=hub().goes_by_stopgap,
            )
        )

    async def _work(self, frame: Any) -> None:
        answer: Frame | None = None
        match frame:
            case Ping():
                seq, now_ms = await in_thread(self._newest)
                answer = Pong(sent_ms=frame.sent_ms, now_ms=now_ms, seq=seq)
            case Resume():
                self.resumed = True
                await self.show("snapshot", log=[])
            case AnyCommandFrame():
                answer = await in_thread(self._command, frame)
                if isinstance(answer, Rejected):
                    self.bucket.charge(REFUSED_COSTS)
            case _:
                answer = await self.other(frame)
        if answer is not None:
            await self.send_frame(answering(frame, answer))

    async def other(self, frame: Any) -> Frame | None:
        """Answer a frame that not every kind has."""
        raise NotImplementedError

    async def changed(self, _text: str) -> None:
        """There is another view: show it, once the client has asked for one."""
        if self.resumed:
            await self.show("update", events=[])

    async def show(self, kind: str, **more: object) -> View | None:
        """Send the view as it is now: none is older than the one before.

        The socket is closed where there is none for this reader any more.
        """
        async with self.reading:
            view = await in_thread(self.view)
            if view is None:
                await self.close(code=CLOSE_NO_TABLE)
                return None
            told = {"seq": view["seq"], "now_ms": view["now_ms"], **more, "view": view}
            await self.send_frame({"type": kind, **told})
        return view

    # --- in a thread, with the database -----------------------------------------------------------

    def view(self) -> View | None:
        """The view for this reader, if they may see it; it has `seq` and `now_ms`."""
        raise NotImplementedError

    def newest(self) -> int | None:
        """The number of the newest event."""
        raise NotImplementedError

    def carry_out(self, user: User, command: Any, **sent: Any) -> int:
        """Carry a command out, and return the number of the last event. Raises `Refusal`.

        `sent` has its `command_id`, and `seen_seq`, the number that the client had seen.
        """
        raise NotImplementedError

    @property
    def person(self) -> User:
        """The person who acts here. Raises `NotSeated` for a stranger."""
        if self.user_id is None:
            raise NotSeated("log in to play")
        return User.objects.get(pk=self.user_id)

    def _newest(self) -> tuple[int | None, int]:
        return self.newest(), database_now_ms()

    def _command(self, frame: AnyCommandFrame) -> Accepted | Rejected:
        try:
            sent = {"command_id": frame.id, "seen_seq": frame.seq}
            seq = self.carry_out(self.person, frame.command, **sent)
        except Refusal as error:
            told = {name: error.fields[name] for name in REFUSAL_FIELDS if name in error.fields}
            refusal: dict[str, Any] = {"code": error.code, "message": str(error), **told}
            seen_seq = error.seq if isinstance(error, RefusedBefore) else frame.seq
            return Rejected(id=frame.id, seq=seen_seq, **refusal)
        return Accepted(id=frame.id, seq=seq)
