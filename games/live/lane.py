"""The fast lane of one web process: tables at hand, and one commit for all moves that wait.

`games.services.fast_lane` decides, reads and writes; here moves are put in order. While a statement
is under way others gather, so the more is going on the more moves share one commit. Nothing is sent
before its statement has returned. Correctness rests on the versions in the database alone: this
memory may be wrong, then the table is read and decided again.

Nothing waits here: what goes on is a callback of what it follows from, so a move costs no task, no
lock and no future of its own. Moves are committed in the order in which they were decided, and
those of one table in the order in which they came, so no table waits for another one twice.
"""

import asyncio
import contextlib
import logging
import time
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable, Sequence
from contextvars import Context
from dataclasses import dataclass
from functools import partial
from typing import Final, Generic, TypeVar
from uuid import UUID
from weakref import WeakKeyDictionary

import psycopg

from games.broadcast import channel_key, table_channel
from games.live.hub import Hub, hub
from games.services.fast_lane import FastRows
from games.services.plans import AtHand, HandedOn, TablePlan
from games.services.tables import CommandAnswer
from games.table.state import TableState
from games.table.turn import forget_plays

logger = logging.getLogger(__name__)

A = TypeVar("A")
B = TypeVar("B")

TABLES_MAX: Final = 4096
BATCH_MAX: Final = 256

#: so often a plan is made again when its table has changed meanwhile.
TRIES_MAX: Final = 3

#: how old the newest look at the database's clock may be.
CLOCK_SECONDS: Final = 30.0

#: the result of a move, or an unexpected error; else it must take the sure lane, decided or not
Answered = Callable[[CommandAnswer | HandedOn | None, Exception | None], None]

#: decides on a table at hand, at this time.
Decide = Callable[[AtHand, int], TablePlan | HandedOn | None]


class Batches(Generic[A, B]):
    """Work done in one batch for all waiting callers, first come first served."""

    def __init__(self, work: Callable[[list[A]], Awaitable[list[B]]]) -> None:
        self._work = work
        self._waiting: list[tuple[A, Callable[[B | None, Exception | None], None]]] = []
        self._task: asyncio.Task[None] | None = None

    def put(self, item: A, done: Callable[[B | None, Exception | None], None]) -> None:
        """Do the work for one item; `done` takes what comes of it, or what the work raised."""
        self._waiting.append((item, done))
        if self._task is None:
            self._task = asyncio.create_task(self._run(), context=Context())

    async def _run(self) -> None:
        try:
            while self._waiting:
                batch, self._waiting = self._waiting[:BATCH_MAX], self._waiting[BATCH_MAX:]
                outcomes: Sequence[B | None]
                try:
                    outcomes, failed = await self._work([item for item, _ in batch]), None
                except Exception as error:  # each of them gets it
                    outcomes, failed = [None] * len(batch), error
                for (_, done), outcome in zip(batch, outcomes, strict=True):
                    try:
                        done(outcome, failed)
                    except Exception:  # one of them must not take the others with it
                        logger.exception("what follows from a batch failed")
        finally:
            self._task = None


@dataclass(slots=True, eq=False)
class LaneMove:
    """A change of one table that is to be decided and committed."""

    table_id: UUID
    decide: Decide
    answered: Answered
    tries: int = 0
    tried: int | None = None
    """The version of the table on which it was decided last."""


class Lane:
    """The fast lane of one event loop. Use `lane()`."""

    def __init__(self, told: Hub) -> None:
        self._hub = told
        self._tables: OrderedDict[UUID, AtHand] = OrderedDict()
        self._moves: dict[UUID, deque[LaneMove] | None] = {}
        """Tables with a move under way, each with the moves that come after it."""
        self._decided_on: dict[UUID, TableState] = {}
        """What these moves are decided on: the newest state that this process has of the table."""
        self._reading: Batches[UUID, AtHand | None] = Batches(self._read)
        self._writing: Batches[TablePlan, bool] = Batches(self._write)
        self._to_read, self._to_write = FastRows(), FastRows()
        self._ahead_ms: list[float] = []
        self._began_to_look = self._looked = float("-inf")
        self._keys_begin = channel_key(table_channel(""))
        told.heard_elsewhere = self._heard_elsewhere

    def put(self, move: LaneMove) -> None:
        """Carry out a move after those under way at its table; its `answered` is called once."""
        if move.table_id not in self._moves:
            self._moves[move.table_id] = None
            self._begin(move)
            return
        waiting = self._moves[move.table_id]
        if waiting is None:
            waiting = self._moves[move.table_id] = deque()
        waiting.append(move)

    async def close(self) -> None:
        """Give the connections back."""
        await self._to_read.close()
        await self._to_write.close()

    def newest(self, table_id: UUID) -> TableState | None:
        """The newest state of a table that this process has; the table may have changed since."""
        at_hand = self._tables.get(table_id)
        return self._decided_on.get(table_id) if at_hand is None else at_hand.state

    def _heard_elsewhere(self, key: str) -> None:
        """Another process has published at this channel: its table is read again."""
        if key.startswith(self._keys_begin):
            with contextlib.suppress(ValueError, KeyError):
                forget_plays(self._tables.pop(UUID(key[len(self._keys_begin) :])).state)

    # --- one move after the other -----------------------------------------------------------------

    def _begin(self, move: LaneMove) -> None:
        # taken out: whatever ends this early leaves nothing behind that may be wrong
        at_hand = self._tables.pop(move.table_id, None)
        clock_is_old = time.monotonic() - self._looked > CLOCK_SECONDS
        if at_hand is None or clock_is_old:
            self._reading.put(move.table_id, partial(self._was_read, move))
        else:
            self._decide(move, at_hand)

    def _was_read(self, move: LaneMove, at_hand: AtHand | None, error: Exception | None) -> None:
        if at_hand is None or at_hand.table.version == move.tried:
            self._end(move, None, error)  # unchanged: it is locked, or has the command already
        else:
            self._decide(move, at_hand)

    def _decide(self, move: LaneMove, at_hand: AtHand) -> None:
        move.tried, move.tries = at_hand.table.version, move.tries + 1
        self._decided_on[move.table_id] = at_hand.state
        try:
            plan = move.decide(at_hand, int(time.monotonic() * 1000 + max(self._ahead_ms)))
        except Exception as error:
            self._end(move, None, error)
            return
        if isinstance(plan, TablePlan):
            self._writing.put(plan, partial(self._was_written, move, plan))
        else:
            self._end(move, plan, None)

    def _was_written(
        self, move: LaneMove, plan: TablePlan, taken: bool | None, error: Exception | None
    ) -> None:
        if taken:
            self._tables[plan.table_id] = plan.after
            if len(self._tables) > TABLES_MAX:
                self._tables.popitem(last=False)
            if plan.frame is not None:
                self._hub.tell(table_channel(plan.after.table.key), plan.frame)
            self._end(move, CommandAnswer(seq=plan.seq, dice_due_ms=plan.dice_due_ms), None)
        elif error is None and move.tries < TRIES_MAX:
            self._begin(move)
        else:
            self._end(move, None, error)

    def _end(
        self, move: LaneMove, answer: CommandAnswer | HandedOn | None, error: Exception | None
    ) -> None:
        """Answer a move and go on with the next one of its table.

        After an error of the database the commit is uncertain: the sure lane finds out.
        """
        waiting = self._moves.pop(move.table_id)
        self._decided_on.pop(move.table_id, None)
        if waiting:
            self._moves[move.table_id] = waiting
            next_move = waiting.popleft()
            asyncio.get_running_loop().call_soon(self._begin, next_move, context=Context())
        move.answered(answer, None if isinstance(error, psycopg.Error) else error)

    async def _read(self, table_ids: list[UUID]) -> list[AtHand | None]:
        found, now_ms = await self._to_read.read(table_ids)
        self._look_at_clock(now_ms)
        return [found.get(table_id) for table_id in table_ids]

    async def _write(self, plans: list[TablePlan]) -> list[bool]:
        """Commit plans, one a table: a table has one move under way."""
        taken, now_ms = await self._to_write.write(plans)
        self._look_at_clock(now_ms)
        return [plan.table_id in taken for plan in plans]

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


_lanes: WeakKeyDictionary[asyncio.AbstractEventLoop, Lane] = WeakKeyDictionary()


def lane() -> Lane:
    """The fast lane of the running event loop."""
    loop = asyncio.get_running_loop()
    found = _lanes.get(loop)
    if found is None:
        found = _lanes[loop] = Lane(hub())
    return found
