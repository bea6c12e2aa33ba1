"""One match played through either lane: the same start, the same seed, the same times.

A run through the sure lane is rolled back, and the sequences of the database with it; so a run
through the fast lane begins with the same rows as the other one, ids included.
"""

import asyncio
import json
import os
import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from random import Random
from typing import Any, Final
from uuid import UUID, uuid4

import msgspec
import redis
from django.conf import settings
from django.db import connection, transaction
from django.test import TestCase

from accounts.models import User
from games.broadcast import channel_key, publish, table_channel
from games.live.lane import Decide
from games.models import Table
from games.selectors import table_state, view_frame
from games.services.dice_parts import dice_part_give
from games.services.fast_lane import FastRows, command_plan, element_plan
from games.services.plans import HandedOn, TablePlan
from games.services.tables import CommandAnswer, table_command, table_wake
from games.table import commands as cmd
from games.table.errors import TableError
from games.table.state import TableState
from games.wire import CommandFrame, DiceElement, DiceFrame, encode
from harness.chains import Client
from harness.hands import decide
from harness.waiting import WAIT_SECONDS

#: how much later each command comes than the one before; the clocks of two servers differ a little.
STEPS_MS: Final = (-40, 0, 3, 80, 700, 2_500, 9_000)

#: of so many parts that a roll waits for one does not come, and of so many commands one is repeated
SILENT: Final = 0.12
REPEATED: Final = 0.1

#: columns with the time of the write, which differ from run to run.
TIMES: Final = {
    "games_tableevent": ("stored_at",),
    "games_commandrecord": ("stored_at",),
    "games_diceroll": ("rolled_at",),
    "games_gamedice": ("made_at", "opened_at"),
    "games_dicelogentry": ("logged_at",),
    "ledger_change": ("made_at",),
    "ledger_transfer": ("created_at",),
    "ratings_ratingchange": ("created",),
}

Rows = dict[str, list[dict[str, Any]]]


class Sure:
    """Every command and every part of the dice is a transaction with the row lock."""

    def __init__(self) -> None:
        self.fast = 0

    def command(
        self,
        table_id: UUID,
        user_id: int,
        frame: CommandFrame,
        now_ms: int,
        decided: HandedOn | None = None,
    ) -> CommandAnswer:
        return table_command(
            table_id=table_id,
            user_id=user_id,
            command_id=frame.id,
            seen_seq=frame.seq,
            command=frame.command,
            now_ms=now_ms,
            decided=decided,
        )

    def part(self, table_id: UUID, user_id: int, frame: DiceFrame, now_ms: int) -> CommandAnswer:
        due_ms = dice_part_give(table_id=table_id, user_id=user_id, frame=frame, now_ms=now_ms)
        return CommandAnswer(seq=Table.objects.get(pk=table_id).seq, dice_due_ms=due_ms)


class Fast(Sure):
    """Commands with a plan are written by the fast lane; the others take the sure lane."""

    def __init__(self, runner: asyncio.Runner, rows: FastRows) -> None:
        super().__init__()
        self._run, self._rows = runner.run, rows

    def command(
        self,
        table_id: UUID,
        user_id: int,
        frame: CommandFrame,
        now_ms: int,
        decided: HandedOn | None = None,
    ) -> CommandAnswer:
        planned = self._given(table_id, partial(command_plan, user_id=user_id, frame=frame), now_ms)
        if isinstance(planned, CommandAnswer):
            return planned
        return super().command(table_id, user_id, frame, now_ms, planned)

    def part(self, table_id: UUID, user_id: int, frame: DiceFrame, now_ms: int) -> CommandAnswer:
        given = None
        if isinstance(frame, DiceElement):
            planned = partial(element_plan, user_id=user_id, frame=frame)
            given = self._given(table_id, planned, now_ms)
        if isinstance(given, CommandAnswer):
            return given
        return super().part(table_id, user_id, frame, now_ms)

    def _given(
        self, table_id: UUID, planned: Decide, now_ms: int
    ) -> CommandAnswer | HandedOn | None:
        found, _ = self._run(self._rows.read([table_id]))
        plan = planned(found[table_id], now_ms)
        if not isinstance(plan, TablePlan):
            return plan
        taken, _ = self._run(self._rows.write([plan]))
        if table_id not in taken:
            return None
        self.fast += 1
        if plan.frame is not None:
            publish(table_channel(table_id), plan.frame)
        return CommandAnswer(seq=plan.seq, dice_due_ms=plan.dice_due_ms)


class Players:
    """Both players of a table; their commands follow from a seed and from their views."""

    def __init__(self, table: Table, people: tuple[User, User], seed: str) -> None:
        self.table_id, self.people, self.seed = table.pk, people, seed
        self.clients = [Client(user, seat) for seat, user in enumerate(people)]
        self.began_ms = max(table_state(table).clock.since_ms, 1)

    def play(self, lane: Sure, turns: int) -> list[object]:
        """Play this many steps, or to the end of the match; return the answers."""
        self.random, self.now_ms = Random(self.seed), self.began_ms
        for client in self.clients:
            client.secrets.clear()
        told: list[object] = []
        with chance(self.seed):
            for seat in self.random.sample((0, 1), self.random.choice((0, 2, 2, 2))):
                table = Table.objects.get(pk=self.table_id)
                told.append(self._part(lane, seat, self._tip(seat, table)))
            for _ in range(turns):
                table = Table.objects.get(pk=self.table_id)
                state = table_state(table)
                if state.phase in ("over", "closed"):
                    break
                self.now_ms = max(self.began_ms, self.now_ms + self.random.choice(STEPS_MS))
                told += self._step(lane, table, state)
        return told

    def _step(self, lane: Sure, table: Table, state: TableState) -> Iterator[object]:
        fair = table.fair
        if state.phase == "rolling":
            yield self._answered(lane, table, state)
            return
        for seat in (0, 1):  # of the next game, or the same again: the client is there
            given = fair["given"][seat]
            if self.random.random() < 0.2 and (fair["open"] is None or given is not None):
                yield self._part(lane, seat, self._tip(seat, table))
            if fair["mode"] == "K" and fair["open"] and given and not fair["revealed"][seat]:
                yield self._part(lane, seat, self.clients[seat].seed_frame(table))
        view = json.loads(encode(view_frame(table, state)))
        for seat in self.random.sample((0, 1), 2):
            chosen = decide(view, seat, self.random, hurry=False)
            if chosen is not None:
                yield from self._command(lane, seat, self._with_part(chosen, seat, table))
                return
        raise AssertionError(f"nobody has anything to do in phase {state.phase}")

    def _command(self, lane: Sure, seat: int, command: cmd.PlayerCommand) -> Iterator[object]:
        seq = Table.objects.get(pk=self.table_id).seq
        frame = CommandFrame(id=f"{self.random.random()}", seq=seq, command=command)
        for _ in range(2 if self.random.random() < REPEATED else 1):
            user_id = self.people[seat].pk
            try:
                yield lane.command(self.table_id, user_id, frame, self.now_ms)
            except TableError as error:
                yield error.code

    def _answered(self, lane: Sure, table: Table, state: TableState) -> object:
        """Send a part to the waiting roll, or let its time pass."""
        wanted = [seat for seat in (0, 1) if table.fair["wanted"][seat]]
        giving = [seat for seat in wanted if table.fair["given"][seat]]
        if not giving or table.fair["mode"] == "K" or self.random.random() < SILENT:
            assert state.game is not None
            assert state.game.dice_asked is not None
            self.now_ms = max(self.now_ms, state.game.dice_asked.due_ms)
            return table_wake(self.table_id, now_ms=self.now_ms)
        seat = self.random.choice(giving)
        n = table.fair["next"]
        element = self.clients[seat].element(table.fair, n)
        return self._part(lane, seat, DiceElement(UUID(table.fair["game"]), n, element))

    def _with_part(self, chosen: dict[str, Any], seat: int, table: Table) -> cmd.PlayerCommand:
        """The command; a roll often has the player's part in it."""
        fair = table.fair
        has_part = fair["mode"] == "L" and fair["open"] and fair["given"][seat]
        if chosen["type"] == "roll" and has_part and self.random.random() > SILENT:
            return self.clients[seat].roll(table)
        return msgspec.convert(chosen, cmd.PlayerCommand)

    def _tip(self, seat: int, table: Table) -> DiceFrame:
        return self.clients[seat].tip_frame(table)

    def _part(self, lane: Sure, seat: int, frame: DiceFrame) -> object:
        try:
            return lane.part(self.table_id, self.people[seat].pk, frame, self.now_ms)
        except TableError as error:
            return error.code


class Ear:
    """Records the messages that are published to a channel while it is open."""

    def __init__(self, channel: str) -> None:
        self.client = redis.Redis.from_url(settings.REDIS_URL)
        self.heard = self.client.pubsub(ignore_subscribe_messages=False)
        self.channel = channel_key(channel)
        self.heard.subscribe(self.channel)
        assert self.heard.get_message(timeout=WAIT_SECONDS)["type"] == "subscribe"

    def frames(self) -> list[dict[str, Any]]:
        """All messages that have been published since the last call."""
        end = str(uuid4())
        self.client.publish(self.channel, json.dumps(end))
        frames: list[dict[str, Any]] = []
        while (frame := json.loads(self.heard.get_message(timeout=WAIT_SECONDS)["data"])) != end:
            frames.append(frame)
        return frames

    def close(self) -> None:
        self.heard.close()
        self.client.close()


@contextmanager
def chance(seed: str) -> Iterator[None]:
    """Random bytes that this thread reads from the operating system follow from the seed."""
    drawn, mine, right = Random(seed), threading.get_ident(), os.urandom

    def urandom(size: int) -> bytes:
        return drawn.randbytes(size) if threading.get_ident() == mine else right(size)

    os.urandom = random._urandom = urandom  # type: ignore[attr-defined]
    try:
        yield
    finally:
        os.urandom = random._urandom = right  # type: ignore[attr-defined]


@contextmanager
def undone() -> Iterator[None]:
    """Run as if committed, callbacks included, and roll all of it back afterwards."""
    numbers = _sequences()
    outer = transaction.atomic()
    outer._from_testcase = True  # type: ignore[attr-defined]  # durable blocks may be inside
    with outer:
        with TestCase.captureOnCommitCallbacks(execute=True):
            yield
        transaction.set_rollback(True)
    with connection.cursor() as cursor:
        for name, last, called in numbers:
            cursor.execute("SELECT setval(%s, %s, %s)", [name, last, called])


def _sequences() -> list[tuple[str, int, bool]]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT quote_ident(sequencename), coalesce(last_value, start_value),"
            " last_value IS NOT NULL FROM pg_sequences WHERE schemaname = 'public'"
        )
        return list(cursor.fetchall())


def database_rows() -> Rows:
    """Every row of every table of the database, without the columns of `TIMES`."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1")
        names = [name for (name,) in cursor.fetchall()]
        parts = [
            f"SELECT '{name}', (to_jsonb(t) - '{{{','.join(TIMES.get(name, ()))}}}'::text[])::text"
            f" FROM {name} t"
            for name in names
        ]
        cursor.execute(" UNION ALL ".join(parts) + " ORDER BY 1, 2")
        rows: Rows = {}
        for name, text in cursor.fetchall():
            rows.setdefault(name, []).append(json.loads(text))
    return rows
