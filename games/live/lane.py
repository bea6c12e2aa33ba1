"""The fast lane of one web process: tables at hand, and one commit for all moves that wait.

`games.services.fast_lane` decides, `games.services.fast_rows` reads and writes; here they are put
in order. While a statement is under way others gather, so the more is going on the more moves
share one commit. Nothing is told before its statement has returned. Correctness rests on the
versions in the database alone: this memory may be wrong, then the table is read and decided again.
"""

import asyncio
import contextlib
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, Generic, TypeVar
from uuid import UUID
from weakref import WeakKeyDictionary, WeakValueDictionary

import psycopg

from games.broadcast import channel_key, table_channel
from games.live.hub import Hub, hub
from games.services.fast_lane import AtHand, Plan, command_plan, element_plan
from games.services.fast_rows import FastRows
from games.services.tables import Answer
from games.wire import CommandFrame, DiceElement

A = TypeVar("A")
B = TypeVar("B")

TABLES_MAX: Final = 4096
BATCH_MAX: Final = 256

#: so often a plan is made again when its table has changed meanwhile.
TRIES_MAX: Final = 3

#: how old the newest look at the database's clock may be.
CLOCK_SECONDS: Final = 30.0


class Batches(Generic[A, B]):
    """Work that is done in one go for all who wait for it, one go after the other."""

    def __init__(
        self,
        work: Callable[[list[A]], Awaitable[list[B]]],
        done: Callable[[A, B], None] | None = None,
    ) -> None:
        self._work = work
        self._done = done
        self._waiting: list[tuple[A, asyncio.Future[B]]] = []
        self._task: asyncio.Task[None] | None = None

    async def ask(self, item: A) -> B:
        """What becomes of one item; what the work raises is raised for each of its items."""
        future: asyncio.Future[B] = asyncio.get_running_loop().create_future()
        self._waiting.append((item, future))
        if self._task is None:
            self._task = asyncio.create_task(self._run())
        return await future

    async def _run(self) -> None:
        try:
            while self._waiting:
                batch, self._waiting = self._waiting[:BATCH_MAX], self._waiting[BATCH_MAX:]
                await self._do(batch)
        finally:
            self._task = None

    async def _do(self, batch: Sequence[tuple[A, "asyncio.Future[B]"]]) -> None:
        try:
            outcomes = await self._work([item for item, _ in batch])
        except Exception as error:  # each of them is told
            for _, future in batch:
                if not future.done():
                    future.set_exception(error)
            return
        for (item, future), outcome in zip(batch, outcomes, strict=True):
            if self._done is not None:  # also for somebody who waits no longer
                self._done(item, outcome)
            if not future.done():
                future.set_result(outcome)


class Lane:
    """The fast lane of one event loop. Use `lane()`."""

    def __init__(self, told: Hub) -> None:
        self._hub = told
        self._tables: OrderedDict[UUID, AtHand] = OrderedDict()
        self._locks: WeakValueDictionary[UUID, asyncio.Lock] = WeakValueDictionary()
        self._reading: Batches[UUID, AtHand | None] = Batches(self._read)
        self._writing: Batches[Plan, bool] = Batches(self._write, self._committed)
        self._to_read, self._to_write = FastRows(), FastRows()
        self._ahead_ms: list[float] = []
        self._began_to_look = self._looked = float("-inf")
        self._keys_begin = channel_key(table_channel(""))
        told.heard_elsewhere = self._heard_elsewhere

    async def command(self, table_id: UUID, user_id: int, frame: CommandFrame) -> Answer | None:
        """Carry out a player's command; None if it must take the sure lane."""
        return await self._carry_out(
            table_id, lambda at_hand, now_ms: command_plan(at_hand, user_id, frame, now_ms)
        )

    async def element(self, table_id: UUID, user_id: int, frame: DiceElement) -> Answer | None:
        """Take in a player's part in the roll that waits; None if it must take the sure lane."""
        return await self._carry_out(
            table_id, lambda at_hand, now_ms: element_plan(at_hand, user_id, frame, now_ms)
        )

    async def close(self) -> None:
        """Give the connections back."""
        await self._to_read.close()
        await self._to_write.close()

    def at_hand(self, table_id: UUID) -> AtHand | None:
        """What is known of a table; it may have changed since."""
        return self._tables.get(table_id)

    def _heard_elsewhere(self, key: str) -> None:
        """Another process has told something at this channel: its table is read again."""
        if key.startswith(self._keys_begin):
            with contextlib.suppress(ValueError):
                self._tables.pop(UUID(key[len(self._keys_begin) :]), None)

    async def _carry_out(
        self, table_id: UUID, decide: Callable[[AtHand, int], Plan | None]
    ) -> Answer | None:
        lock = self._locks.get(table_id)
        if lock is None:
            lock = self._locks[table_id] = asyncio.Lock()
        async with lock:
            tried: int | None = None
            for _ in range(TRIES_MAX):
                # taken out: whatever ends this early leaves nothing behind that may be wrong
                at_hand = self._tables.pop(table_id, None)
                if at_hand is None or self._clock_is_old():
                    at_hand = await self._fresh(table_id)
                if at_hand is None or at_hand.table.version == tried:
                    return None  # unchanged: somebody holds it, or it knows the command already
                tried = at_hand.table.version
                plan = decide(at_hand, self._now_ms())
                if plan is None:
                    return None
                try:
                    taken = await self._writing.ask(plan)
                except psycopg.Error:
                    return None  # nobody knows whether it is committed: the sure lane looks
                if taken:
                    return Answer(seq=plan.seq, dice_due_ms=plan.dice_due_ms)
        return None

    async def _fresh(self, table_id: UUID) -> AtHand | None:
        try:
            return await self._reading.ask(table_id)
        except psycopg.Error:
            return None

    def _committed(self, plan: Plan, taken: bool) -> None:
        if not taken:
            return
        self._tables[plan.table_id] = plan.after
        if len(self._tables) > TABLES_MAX:
            self._tables.popitem(last=False)
        if plan.frame is not None:
            self._hub.tell(table_channel(plan.table_id), plan.frame)

    async def _read(self, table_ids: list[UUID]) -> list[AtHand | None]:
        found, now_ms = await self._to_read.read(table_ids)
        self._look_at_clock(now_ms)
        return [found.get(table_id) for table_id in table_ids]

    async def _write(self, plans: list[Plan]) -> list[bool]:
        # one a table: who was cut off while he waited may have left a plan behind
        first = {plan.table_id: plan for plan in reversed(plans)}
        taken, now_ms = await self._to_write.write(list(first.values()))
        self._look_at_clock(now_ms)
        return [plan is first[plan.table_id] and plan.table_id in taken for plan in plans]

    # --- time -------------------------------------------------------------------------------------

    def _look_at_clock(self, now_ms: int | None) -> None:
        """Compare the database's clock with the steady one of this machine.

        What it showed is a little old when it is seen, so the most it was ahead is nearest.
        """
        if now_ms is None:
            return
        self._looked = time.monotonic()
        ahead_ms = now_ms - self._looked * 1000
        if self._looked - self._began_to_look > CLOCK_SECONDS:
            self._ahead_ms = [*self._ahead_ms[-1:], ahead_ms]
            self._began_to_look = self._looked
        elif ahead_ms > self._ahead_ms[-1]:
            self._ahead_ms[-1] = ahead_ms

    def _clock_is_old(self) -> bool:
        return time.monotonic() - self._looked > CLOCK_SECONDS

    def _now_ms(self) -> int:
        return int(time.monotonic() * 1000 + max(self._ahead_ms))


_lanes: WeakKeyDictionary[asyncio.AbstractEventLoop, Lane] = WeakKeyDictionary()


def lane() -> Lane:
    """The fast lane of the running event loop."""
    loop = asyncio.get_running_loop()
    found = _lanes.get(loop)
    if found is None:
        found = _lanes[loop] = Lane(hub())
    return found
