"""How each of the twenty faults is planted into a process of the house, before it starts.

Only `harness.launch --first` calls this, in a process of its own; the product has no switch for it.
"""

import asyncio
import contextlib
import queue
import threading
import time
from collections.abc import Callable
from functools import partial
from types import FunctionType
from typing import Any, Final

from bench.soak import plants_books
from bench.soak.swapping import changed, swap

LATE_SECONDS: Final = 2.0
"""Whoever is killed within this time leaves the effect out; until then an audit sees it missing."""
COMMIT_LATE_SECONDS: Final = 0.1
TIMERS: Final = "soak:timers"


def after_the_commit(effect: Callable[[], object]) -> None:
    """Let this effect come late, in a transaction of its own."""
    from django.db import transaction

    def later() -> None:
        time.sleep(LATE_SECONDS)  # the delay is the fault: here the killer has time to strike
        with transaction.atomic():
            effect()

    transaction.on_commit(later)


def _prizes_after_the_commit() -> None:
    from tournaments.services import running

    right = running._pay

    def pay(work: Any, prizes: dict[int, int]) -> None:
        after_the_commit(partial(right, work, prizes))

    swap(running, "_pay", pay)


def _meetings_after_the_commit() -> None:
    from tournaments.services import running

    right = running._meetings_keep

    def keep(work: Any) -> None:
        after_the_commit(partial(right, work))

    swap(running, "_meetings_keep", keep)


def _dice_by_the_stake() -> None:
    from games.services.dice import fair

    def mode(terms: Any, *, team: bool = False) -> str:
        return "L" if team or terms.stake_cents else "K"

    swap(fair, "dice_mode", mode)


def _chouette_paid_after_the_commit() -> None:
    from games.chouette import settlement

    right = settlement.stakes_settle

    def settle(game: Any, paid: Any) -> None:
        after_the_commit(partial(right, game, paid))

    swap(settlement, "stakes_settle", settle)


def _chouette_journal_after_the_commit() -> None:
    from django.db.models import QuerySet

    from games.chouette.models import CircleEvent

    right = QuerySet.bulk_create

    def create(self: Any, objs: Any, *args: Any, **kwargs: Any) -> Any:
        if self.model is not CircleEvent:
            return right(self, objs, *args, **kwargs)
        events = list(objs)
        if events:
            after_the_commit(partial(right, self, events, *args, **kwargs))
        return events

    swap(QuerySet, "bulk_create", create)


def plant(name: str) -> None:
    """Change this process so that it has the fault of this name."""
    PLANTS[name]()


def _no_row_lock() -> None:
    from django.db.models import QuerySet

    from games.models import Match, Table
    from games.services import plans

    right = QuerySet.select_for_update

    def unlocked(self: Any, *args: Any, **kwargs: Any) -> Any:
        return self if self.model in (Table, Match) else right(self, *args, **kwargs)

    swap(QuerySet, "select_for_update", unlocked)
    write = changed(plans.WRITE, " AND t.version = p.version", "")
    swap(plans, "WRITE", changed(write, " FOR NO KEY UPDATE OF t SKIP LOCKED", ""))


def _acknowledged_early() -> None:
    from django.db import connection

    from games.live import table as table_socket
    from games.live.lane import Batches
    from games.services.commit import TableChange
    from games.services.plans import TablePlan
    from games.services.tables import CommandAnswer, table_command
    from games.table.machine import dice_due_ms

    asked = threading.local()
    right = TableChange.store

    def store(self: TableChange, **remembered: Any) -> bool:
        stored = right(self, **remembered)
        told = getattr(asked, "told", None)
        if told is not None and stored:
            told.put(CommandAnswer(seq=self.state.seq, dice_due_ms=dice_due_ms(self.state)))
            time.sleep(COMMIT_LATE_SECONDS)
        return stored

    def command(**kwargs: Any) -> CommandAnswer:
        told: queue.SimpleQueue[CommandAnswer | BaseException] = queue.SimpleQueue()

        def work() -> None:
            asked.told = told
            try:
                told.put(table_command(**kwargs))
            except BaseException as error:
                told.put(error)
            finally:
                connection.close()

        threading.Thread(target=work, daemon=True).start()
        answer = told.get()
        if isinstance(answer, BaseException):
            raise answer
        return answer

    swap(TableChange, "store", store)
    swap(table_socket, "table_command", command)
    right_put, late = Batches.put, set[Any]()

    async def commit_later(batches: Any, plan: Any) -> None:
        await asyncio.sleep(COMMIT_LATE_SECONDS)
        right_put(batches, plan, lambda *_: None)

    def put(self: Any, item: Any, done: Any) -> None:
        if not isinstance(item, TablePlan):
            right_put(self, item, done)
            return
        late.add(asyncio.create_task(commit_later(self, item)))
        done(True, None)

    swap(Batches, "put", put)


def _asynchronous_commit() -> None:
    from django.core.checks.registry import registry
    from django.db.backends.signals import connection_created

    from games.services import fast_lane
    from pasch.checks import check_durability

    registry.registered_checks.discard(check_durability)

    def off(*, connection: Any, **_: Any) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SET synchronous_commit = off")

    connection_created.connect(off, weak=False)
    right = fast_lane._connected

    async def connected() -> Any:
        made = await right()
        await made.execute("SET synchronous_commit = off")
        return made

    swap(fast_lane, "_connected", connected)


def _told_early() -> None:
    from games import broadcast
    from games.live.lane import Lane
    from games.services import commit

    def at_once(channel: str, text: str) -> None:
        broadcast.publish(channel, text)
        time.sleep(COMMIT_LATE_SECONDS / 2)

    swap(commit, "text_on_commit", at_once)
    right = Lane._write

    async def write(self: Lane, plans: list[Any]) -> list[bool]:
        for plan in plans:
            if plan.frame is not None:
                self._hub.tell(broadcast.table_channel(plan.table_id), plan.frame)
        await asyncio.sleep(COMMIT_LATE_SECONDS / 2)
        return await right(self, plans)

    swap(Lane, "_write", write)


def _roll_number_in_memory() -> None:
    from games.services.dice.fair import FairDice

    numbers: dict[Any, int] = {}
    right = FairDice.draw

    def draw(self: FairDice, state: Any) -> tuple[int, ...]:
        game = self.game_of(state)
        game.next_roll = numbers.get(game.pk, 0)
        dice = right(self, state)
        numbers[game.pk] = game.next_roll
        return dice

    swap(FairDice, "draw", draw)


def _rating_in_a_task() -> None:
    from dataclasses import asdict

    from celery import shared_task
    from django.db import transaction

    from games import settlement
    from ratings import services
    from ratings.selectors import ratings_of

    right = services._changes

    @shared_task(ignore_result=True)
    def rate(pool: str, rated: list[dict[str, Any]]) -> None:
        services._changes = lambda *args: ()  # type: ignore[assignment]  # planted: nothing
        try:
            services.ratings_settle(pool, [services.Rated(**each) for each in rated])
        finally:
            services._changes = right

    def in_a_task(match: Any, result: Any) -> Any:
        pool = settlement.rating_pool(variant=match.variant, stake_cents=match.stake_cents)
        views = ratings_of(match.players, pool)
        elos = (str(views[match.player_0_id].elo), str(views[match.player_1_id].elo))
        rated = [asdict(each) for each in settlement._rated(match, result)]
        if rated:
            transaction.on_commit(lambda: rate.delay(pool, rated))
        return elos, elos

    swap(settlement, "_rate", in_a_task)


def _timers_in_valkey() -> None:
    import redis
    from django.conf import settings

    from games import kinds
    from games.services import commit, fast_lane, tables
    from games.services.plans import TablePlan
    from kit.database import database_now_ms

    client = redis.Redis.from_url(settings.REDIS_URL, socket_timeout=2)

    right_write = commit.plan_write

    def write_one(plan: TablePlan) -> None:
        right_write(plan)
        table = str(plan.table_id)
        with contextlib.suppress(redis.RedisError):
            if plan.due_ms is None:
                client.zrem(TIMERS, table)
            else:
                client.zadd(TIMERS, {table: plan.due_ms})

    right_move = kinds.kind_move_on

    def move_on(key: str) -> int:
        if key != "match":
            return right_move(key)
        due = client.zrangebyscore(TIMERS, 0, database_now_ms())
        return sum(tables.table_wake(table.decode()) for table in due)  # type: ignore[union-attr]  # a list

    right = fast_lane.FastRows.write

    async def write(self: Any, plans: Any) -> Any:
        taken = await right(self, plans)
        kept = {str(p.table_id): p.due_ms for p in plans}
        with contextlib.suppress(redis.RedisError):
            client.zadd(TIMERS, kept)
        return taken

    swap(fast_lane.FastRows, "write", write)
    swap(commit, "plan_write", write_one)
    swap(kinds, "kind_move_on", move_on)


def _leave_without_lock() -> None:
    from games.live import table as table_socket
    from games.models import Table
    from games.services import commit, plans, tables
    from games.services.plans import TablePlan
    from games.table import commands as cmd

    leaving = threading.local()
    right, right_lock = tables.table_command, tables.table_locked

    def locked(table_id: Any) -> Table:
        if getattr(leaving, "now", False):
            return Table.objects.get(pk=table_id)
        return right_lock(table_id)

    def command(**kwargs: Any) -> Any:
        leaving.now = isinstance(kwargs["command"], cmd.Leave)
        try:
            return right(**kwargs)
        finally:
            leaving.now = False

    # `no_row_lock` checks that this is there once; in the test it has already taken it out.
    unchecked = plans.WRITE.replace(" AND t.version = p.version", "")
    names = {**vars(plans), "WRITE": unchecked}
    right_write = commit.plan_write
    names["plans_write"] = FunctionType(plans.plans_write.__code__, names)
    write_unchecked = FunctionType(plans.plan_write.__code__, names)

    def write(plan: TablePlan) -> None:
        (write_unchecked if getattr(leaving, "now", False) else right_write)(plan)

    swap(tables, "table_locked", locked)
    swap(table_socket, "table_command", command)
    swap(commit, "plan_write", write)


def _outage_counts() -> None:
    from django.db import connection, transaction

    from games.services import outages, tables

    def forgotten() -> int:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL session_replication_role = replica")  # its guard refuses
            cursor.execute("UPDATE games_outage SET credited_at = now() WHERE credited_at IS NULL")
        return 0

    swap(outages, "outages_credit", forgotten)
    swap(tables, "clock_runs", lambda *_: True)
    swap(tables, "clock_may_end", lambda *_: True)


PLANTS: Final[dict[str, Callable[[], None]]] = {
    **plants_books.PLANTS,
    "prizes_after_the_commit": _prizes_after_the_commit,
    "meetings_after_the_commit": _meetings_after_the_commit,
    "dice_of_events_in_mode_k": _dice_by_the_stake,
    "chouette_paid_after_the_commit": _chouette_paid_after_the_commit,
    "chouette_journal_after_the_commit": _chouette_journal_after_the_commit,
    "no_row_lock": _no_row_lock,
    "acknowledged_early": _acknowledged_early,
    "asynchronous_commit": _asynchronous_commit,
    "told_early": _told_early,
    "roll_number_in_memory": _roll_number_in_memory,
    "rating_in_a_task": _rating_in_a_task,
    "timers_in_valkey": _timers_in_valkey,
    "leave_without_lock": _leave_without_lock,
    "outage_counts": _outage_counts,
}
