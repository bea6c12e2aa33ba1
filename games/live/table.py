"""The WebSocket of a table: parse, call a service, send. No decisions are made here.

A command whose table is at hand is taken, committed and answered by callbacks (`games.live.lane`);
everything else is the work of a task. Frames of one client are finished one after the other.
"""

import asyncio
import logging
import time
from functools import partial
from typing import Any
from uuid import uuid4

from django.db import Error
from msgspec import structs

from accounts.guests import guest_of
from games.broadcast import table_channel
from games.live.delivery import CLOSE_NO_TABLE, CLOSE_NO_WATCHERS, REFUSED_COSTS
from games.live.feed import Feed, newest
from games.live.figures import command_done
from games.live.hub import hub
from games.live.lane import Lane, LaneMove, lane
from games.live.presence import Presence, attendants
from games.live.sockets import Frame, FrameConsumer, answering, socket_done, socket_opened
from games.live.talk import Talk
from games.selectors import table_get, table_state
from games.services.answers import RefusedBefore
from games.services.attendance import attendance_note
from games.services.chat import TableRoom
from games.services.dice_parts import dice_part_give
from games.services.fast_lane import command_plan, element_plan
from games.services.plans import HandedOn
from games.services.practice import hint
from games.services.tables import CommandAnswer, table_command, table_wake
from games.table.errors import Busy, TableError
from games.table.machine import dice_due_ms
from games.table.state import TableState
from games.wire import (
    PROTOCOL,
    ClientFrame,
    CommandFrame,
    DiceElement,
    DiceFrame,
    DiceSeed,
    DiceTip,
    Hint,
    Ping,
    Resume,
)
from games.wire.frames import Accepted, Failure, Pong, Rejected, Welcome
from kit.database import database_now_ms, in_thread

logger = logging.getLogger(__name__)

#: a roll is completed this much later than it is due: clocks of two machines differ a little.
WAKE_AFTER_SECONDS = 0.02


class TableConsumer(FrameConsumer):
    """One person's connection to one table."""

    seat: int | None = None
    is_guest = False
    guest_id: int | None = None
    feed: Feed
    presence: Presence | None = None
    entering: asyncio.Task[None] | None = None
    lane: Lane

    async def connect(self) -> None:
        """Welcome the client, and follow the table from then on.

        The answer to its `resume` contains what happened since the welcome was read.
        """
        self.table_id = self.scope["url_route"]["kwargs"]["table_id"]
        self.wakes: set[asyncio.Task[None]] = set()
        self.lane = lane()
        self.read_frames()
        self.feed = Feed(self.table_id, self.line, self.send_text)
        self.user_id = self.account
        room = TableRoom(self.table_id)
        self.talk = Talk(room, self.user_id, tell=self.send_text, lost=self.lost)
        await self.accept()
        if self.user_id is not None and not await self.take_place(self.user_id):
            return
        welcome = await in_thread(self._welcome)
        if isinstance(welcome, int):
            await self.close(code=welcome)
            return
        if self.guest_id is not None and not await self.take_place(self.guest_id):
            return
        if self.user_id is not None:
            await (self.guard_guest if self.is_guest else self.guard)(self.user_id)
        async with self.feed.held():
            channel = table_channel(self.table_id)
            self.feed.follower = await self.follow(channel, hear=self.feed.pass_on)
            await self.send_frame(structs.replace(welcome, slow=hub().goes_by_stopgap))
        if self.line is not None:
            self.line.take_frames(self.inbox.put, self.context)
        self._be_present()

    def _welcome(self) -> Welcome | int:
        """The first frame, or the code with which the socket is closed."""
        table = table_get(self.table_id)
        if table is None:
            return CLOSE_NO_TABLE
        state = table_state(table)
        if self.user_id is None:
            self._know_guest(state)
        self.seat = state.seat_of(self.user_id)
        if self.seat is None and not state.terms.watchers:
            return CLOSE_NO_WATCHERS
        return Welcome(
            protocol=PROTOCOL,
            table=str(table.pk),
            seat=self.seat,
            seq=table.seq,
            now_ms=database_now_ms(),
            slow=False,
        )

    def _know_guest(self, state: TableState) -> None:
        """A guest has a seat at their own practice table alone; in talk they stay a stranger."""
        guest = guest_of(self.scope.get("session") or {})
        self.guest_id = None if guest is None else guest.pk
        if guest is not None and state.seat_of(guest.pk) is not None:
            self.user_id, self.is_guest = guest.pk, True

    def begin(self, frame: ClientFrame) -> None:
        if type(frame) is CommandFrame:
            came = time.perf_counter()
            if self.user_id is None:
                self.inbox.work(self._carry_out(frame, came))
            else:
                decide = partial(command_plan, user_id=self.user_id, frame=frame)
                answered = partial(self._was_carried_out, frame, came)
                self.lane.put(LaneMove(self.table_id, decide, answered))
        elif type(frame) is DiceElement and self.user_id is not None:
            decide = partial(element_plan, user_id=self.user_id, frame=frame)
            self.lane.put(LaneMove(self.table_id, decide, partial(self._was_given, frame)))
        else:
            self.inbox.work(self._work(frame))

    async def _work(self, frame: ClientFrame) -> None:
        """Handle a frame that needs the database, or takes longer."""
        match frame:
            case Ping():
                seq, now_ms = await newest().seq(self.table_id), int(time.time() * 1000)
                pong = Pong(sent_ms=frame.sent_ms, now_ms=now_ms, seq=seq)
                await self.send_frame(pong)
            case Resume():
                await self.feed.resume(frame.since)
            case Hint():
                await self.send_frame(answering(frame, await in_thread(self._hint)))
            case DiceTip() | DiceSeed() | DiceElement():
                await self._take_dice_part(frame)
            case _:
                assert not isinstance(frame, CommandFrame), "commands take the lane"
                await self.send_frame(answering(frame, await self.talk.answer(frame)))

    def _hint(self) -> Frame:
        """Advice for this client alone."""
        try:
            return hint(table_id=self.table_id, user_id=self.user_id)
        except TableError as error:
            return Failure(code=error.code, message=str(error))

    def _was_carried_out(
        self,
        frame: CommandFrame,
        came: float,
        answer: CommandAnswer | HandedOn | None,
        error: Exception | None,
    ) -> None:
        """Answer a command that the fast lane has committed; any other takes the sure lane."""
        if error is not None:
            self.inbox.fail(error)
        elif not isinstance(answer, CommandAnswer):
            self.inbox.work(self._carry_out(frame, came, answer))
        else:
            committed = time.perf_counter()
            if answer.dice_due_ms is not None:
                self._see_to_the_dice(answer.dice_due_ms)
            self.answer(Accepted(id=frame.id, seq=answer.seq))
            command_done(frame.command, "accepted", came, committed, fast=True)

    async def _carry_out(
        self, frame: CommandFrame, came: float, decided: HandedOn | None = None
    ) -> None:
        """Answer a command once it is committed in a transaction of its own."""
        answer = await in_thread(self._command, frame, decided)
        committed = time.perf_counter()
        if isinstance(answer, Rejected):
            await self.send_frame(answer)
            outcome = answer.code
            if self.seat is not None:
                self.bucket.charge(REFUSED_COSTS)
        else:
            await self.send_frame(Accepted(id=frame.id, seq=answer.seq))
            outcome = "accepted"
            if answer.dice_due_ms is not None:
                self._see_to_the_dice(answer.dice_due_ms)
        command_done(frame.command, outcome, came, committed, fast=False)

    def _command(self, frame: CommandFrame, decided: HandedOn | None) -> CommandAnswer | Rejected:
        """Carry out a command."""
        if self.user_id is None:
            return _rejected(frame, "not_seated", "log in to play")
        try:
            return table_command(
                table_id=self.table_id,
                user_id=self.user_id,
                command_id=frame.id,
                seen_seq=frame.seq,
                command=frame.command,
                decided=decided,
            )
        except RefusedBefore as known:
            return _rejected(frame, known.code, str(known), seq=known.seq, **known.fields)
        except TableError as error:
            return _rejected(frame, error.code, str(error), **error.fields)

    def _was_given(
        self,
        frame: DiceElement,
        answer: CommandAnswer | HandedOn | None,
        error: Exception | None,
    ) -> None:
        if error is not None:
            self.inbox.fail(error)
        elif not isinstance(answer, CommandAnswer):
            self.inbox.work(self._take_dice_part(frame))
        else:
            if answer.dice_due_ms is not None:  # the roll may have led to another one
                self._see_to_the_dice(answer.dice_due_ms)
            self.inbox.done()

    async def _take_dice_part(self, frame: DiceFrame) -> None:
        give = partial(dice_part_give, table_id=self.table_id, user_id=self.user_id, frame=frame)
        try:
            due_ms = await in_thread(give)
        except TableError as error:
            refusal = Failure(code=error.code, message=str(error))
            await self.send_frame(answering(frame, refusal))
        else:
            if due_ms is not None:
                self._see_to_the_dice(due_ms)

    def _see_to_the_dice(self, due_ms: int) -> None:
        """Complete a roll that this socket began as soon as it waits no longer.

        Should this process end before that, the sweep does it.
        """
        task = asyncio.create_task(self._wake_at(due_ms), context=self.context)
        self.wakes.add(task)
        task.add_done_callback(self.wakes.discard)

    async def _wake_at(self, due_ms: int) -> None:
        await asyncio.sleep(max(0.0, due_ms / 1000 - time.time()) + WAKE_AFTER_SECONDS)
        newest = self.lane.newest(self.table_id)
        if newest is not None and dice_due_ms(newest) != due_ms:
            return  # they have fallen long ago
        try:
            await in_thread(table_wake, table_id=self.table_id)
        except (Busy, Error) as error:  # the sweep does it
            logger.warning("could not complete the roll of table %s: %s", self.table_id, error)

    # --- presence -------------------------------------------------------------------------------

    def _be_present(self) -> None:
        socket_opened()
        self.presence = Presence(str(self.table_id), self.seat, uuid4().hex)
        self.entering = asyncio.create_task(self._enter(self.presence))

    async def _enter(self, presence: Presence) -> None:
        await self._note_attendance(present=True)
        await attendants().enter(presence, self._person())

    def _person(self) -> int | None:
        """The account that this connection counts as present; a guest has none."""
        return None if self.is_guest else self.user_id

    async def _note_attendance(self, *, present: bool) -> None:
        """Record that a player has come or gone; watchers are not recorded."""
        if self.seat is None:
            return
        try:
            note = partial(attendance_note, table_id=self.table_id, seat=self.seat, present=present)
            await in_thread(note)
        except Error as error:  # it is only noted; the sweep looks again
            logger.warning("could not note who is at table %s: %s", self.table_id, error)

    async def end(self) -> None:
        """The connection is gone: remove it from presence."""
        await self.inbox.close()
        self.talk.end()
        if self.presence is None or self.entering is None:
            return
        try:
            await self.entering
            if await attendants().leave(self.presence, self._person()):
                await self._note_attendance(present=False)
        finally:  # whatever went wrong: it is gone
            socket_done()


def _rejected(frame: CommandFrame, code: str, message: str, **fields: Any) -> Rejected:
    seq = fields.pop("seq", frame.seq)
    return Rejected(id=frame.id, seq=seq, code=code, message=message, **fields)
