"""Presence at a table, and in the house: kept in Valkey only, and every entry expires.

Valkey may forget it at any moment: the sweep takes nobody for absent before it was there again for
a while (`seats_away`), and a person counts as gone only if they were recorded and have not been
seen for a while.
"""

import asyncio
import contextlib
import time
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar
from uuid import UUID
from weakref import WeakKeyDictionary

import redis.asyncio
from django.conf import settings
from redis.exceptions import RedisError

from games.broadcast import channel_key, table_channel
from games.live.hub import hub
from games.services.lobby import absence_counts
from games.services.outages import presence_is_known
from games.wire import encode
from games.wire.frames import PresenceFrame
from kit.valkey.clients import async_client, client

T = TypeVar("T")

#: an entry that is not renewed for this long counts as gone.
ENTRY_SECONDS: Final = 30
RENEW_SECONDS: Final = 10

#: how many tables one request to Valkey renews.
TABLES_AT_ONCE: Final = 200

#: at how many tables one request to Valkey looks for people.
TABLES_ASKED: Final = 1_000


@dataclass(frozen=True, slots=True)
class Presence:
    """One connection's entry at a table; `seat` is None for a watcher."""

    table_id: str
    seat: int | None
    connection: str

    @property
    def member(self) -> str:
        """How the entry is written."""
        return f"{'w' if self.seat is None else self.seat}:{self.connection}"


class Attendants:
    """Everybody who is connected to this event loop; renewed together. Use `attendants()`.

    If Valkey is down, calls do not fail: presence is entered again when it is back.
    """

    def __init__(self) -> None:
        self._tables: dict[str, set[str]] = {}
        self._people: Counter[int] = Counter()
        self._client: redis.asyncio.Redis | None = None
        self._renewing: asyncio.Task[None] | None = None
        self._missed = False

    @property
    def misses(self) -> bool:
        """Whether the last renewal failed, so that the entries of those who are here may end."""
        return self._missed and bool(self._tables)

    async def enter(self, presence: Presence, user_id: int | None) -> None:
        """Add a connection, and publish the table's presence."""
        self._tables.setdefault(presence.table_id, set()).add(presence.member)
        self._begin()
        with contextlib.suppress(RedisError, OSError):
            await self._renew([presence.table_id])
        if user_id is not None:
            await self.enter_person(user_id)

    async def leave(self, presence: Presence, user_id: int | None) -> bool:
        """Remove the entry and publish; whether the seat is known to be absent now."""
        members = self._tables.get(presence.table_id, set())
        members.discard(presence.member)
        if not members:
            self._tables.pop(presence.table_id, None)
        if user_id is not None:
            self.leave_person(user_id)
        try:
            left = await self._renew([presence.table_id], gone=presence.member)
        except (RedisError, OSError):
            return False
        return not any(member.partition(":")[0] == str(presence.seat) for member in left[0])

    async def enter_person(self, user_id: int) -> None:
        """Count a connection of this person; they are present from now on."""
        self._people[user_id] += 1
        self._begin()
        with contextlib.suppress(RedisError, OSError):
            await people_here(self._valkey(), [user_id])

    def leave_person(self, user_id: int) -> None:
        """Count one connection of this person less."""
        self._people[user_id] -= 1
        if self._people[user_id] <= 0:
            del self._people[user_id]

    def _begin(self) -> None:
        if self._renewing is None:
            self._renewing = asyncio.create_task(self._renew_all())

    async def _renew_all(self) -> None:
        """Renew everybody every few seconds for as long as anybody is there."""
        try:
            while True:
                await asyncio.sleep(RENEW_SECONDS)
                if not (self._tables or self._people):
                    return
                with contextlib.suppress(RedisError, OSError):
                    for tables in _portions(self._tables):
                        await self._renew(tables)
                    for people in _portions(self._people):
                        await people_here(self._valkey(), people)
        finally:
            self._renewing = None

    async def _renew(self, tables: Sequence[str], gone: str | None = None) -> list[list[str]]:
        """Renew our entries at these tables and publish; the present entries.

        Valkey notes since when it has had presence.
        """
        now = time.time()
        begins = self._missed  # entries may have ended while they could not be renewed
        async with self._valkey().pipeline(transaction=False) as pipeline:
            pipeline.set(known_since_key(), now, nx=not begins)
            for table in tables:
                key = presence_key(table)
                if gone is not None:
                    pipeline.zrem(key, gone)
                if ours := self._tables.get(table):
                    pipeline.zadd(key, dict.fromkeys(ours, now + ENTRY_SECONDS))
                    pipeline.expire(key, 2 * ENTRY_SECONDS)
                pipeline.zremrangebyscore(key, "-inf", now)
                pipeline.zrange(key, 0, -1)
            try:
                answers = await pipeline.execute()
            except BaseException:
                self._missed = True
                raise
        if begins:
            self._missed = False
        found = [[m.decode() for m in answer] for answer in answers if isinstance(answer, list)]
        for table, members in zip(tables, found, strict=True):
            hub().tell(table_channel(table), encode(presence_frame(members)))
        return found

    def _valkey(self) -> redis.asyncio.Redis:
        """One client for all; short time-outs, because it must never hold up a table."""
        if self._client is None:
            self._client = async_client(settings.REDIS_URL)
        return self._client


def _portions(items: Iterable[T]) -> Iterator[list[T]]:
    """These items as they are now, in portions."""
    listed = list(items)
    for begin in range(0, len(listed), TABLES_AT_ONCE):
        yield listed[begin : begin + TABLES_AT_ONCE]


def presence_key(table_id: object) -> str:
    """The key of a table's presence in Valkey."""
    return channel_key(f"presence:{table_id}")


def known_since_key() -> str:
    """The key of the moment since when Valkey has had presence; set anew after it was emptied."""
    return channel_key("presence:known-since")


def seats_away(seats: Sequence[tuple[UUID, int]]) -> list[tuple[UUID, int]]:
    """The seats without a renewed entry; none while entries may be missing.

    Valkey may have lost some, or a web process may have no Valkey to renew them.
    """
    present = _present([table_id for table_id, _ in seats])
    if present is None or (seats and not presence_is_known()):
        return []
    return [
        (table_id, seat)
        for (table_id, seat), entries in zip(seats, present, strict=True)
        if not _sits(seat, entries)
    ]


def tables_lacking(tables: Sequence[tuple[UUID, tuple[int, ...]]]) -> list[UUID]:
    """The tables at which one of these seats has no renewed entry; none as in `seats_away`."""
    lacking: list[UUID] = []
    for begin in range(0, len(tables), TABLES_ASKED):
        portion = tables[begin : begin + TABLES_ASKED]
        present = _present([table_id for table_id, _ in portion])
        if present is None:
            continue
        lacking += [
            table_id
            for (table_id, seats), entries in zip(portion, present, strict=True)
            if not all(_sits(seat, entries) for seat in seats)
        ]
    return lacking


def _present(table_ids: Sequence[UUID]) -> list[list[bytes]] | None:
    """The renewed entries at each of these tables; None while Valkey may have lost some."""
    now = time.time()
    with client(settings.REDIS_URL).pipeline(transaction=False) as pipeline:
        pipeline.get(known_since_key())
        for table_id in table_ids:
            pipeline.zrangebyscore(presence_key(table_id), now, "+inf")
        since, *present = pipeline.execute()
    return present if since is not None and now - float(since) >= ENTRY_SECONDS else None


def _sits(seat: int, entries: Sequence[bytes]) -> bool:
    return any(entry.startswith(b"%d:" % seat) for entry in entries)


def presence_frame(members: list[str]) -> PresenceFrame:
    """The frame with the connected seats and the number of watchers."""
    seats = [member.partition(":")[0] for member in members]
    return PresenceFrame(online=("0" in seats, "1" in seats), watchers=seats.count("w"))


_attendants: WeakKeyDictionary[asyncio.AbstractEventLoop, Attendants] = WeakKeyDictionary()


def attendants() -> Attendants:
    """Everybody who is connected to the running event loop."""
    return _attendants.setdefault(asyncio.get_running_loop(), Attendants())


#: seen within this time: shown as online.
ONLINE_SECONDS: Final = 30.0

#: not seen for this long: gone, and a table that waits is closed.
GONE_SECONDS: Final = 60.0

#: entries older than this are forgotten.
KEPT_SECONDS: Final = 3600.0


def _key() -> str:
    return channel_key("people")


async def people_here(valkey: redis.asyncio.Redis, user_ids: Iterable[int]) -> None:
    """Record these people as present now."""
    await valkey.zadd(_key(), dict.fromkeys(map(str, user_ids), time.time()))


def person_seen(user_id: int) -> None:
    """Record that a person has requested a page; does not fail if Valkey is down."""
    try:
        client(settings.REDIS_URL).zadd(_key(), {str(user_id): time.time()})
    except RedisError:
        return


def people_online(limit: int) -> list[int]:
    """People seen recently, the latest first; none while Valkey is down."""
    since = time.time() - ONLINE_SECONDS
    try:
        found: Any = client(settings.REDIS_URL).zrevrangebyscore(
            _key(), "+inf", since, start=0, num=limit
        )
    except RedisError:
        return []
    return [int(user_id) for user_id in found]


def people_online_count() -> int:
    """How many people were seen recently; 0 while Valkey is down."""
    since = time.time() - ONLINE_SECONDS
    try:
        count: Any = client(settings.REDIS_URL).zcount(_key(), since, "+inf")
    except RedisError:
        return 0
    return int(count)


def person_is_online(user_id: int) -> bool:
    """Whether a person was seen recently; no while Valkey is down."""
    try:
        seen: Any = client(settings.REDIS_URL).zscore(_key(), str(user_id))
    except RedisError:
        return False
    return seen is not None and float(seen) >= time.time() - ONLINE_SECONDS


def people_gone(user_ids: Collection[int], seconds: float = GONE_SECONDS) -> list[int]:
    """The people who were here and have not been seen for this long.

    For people without a record the time begins now. Raises `RedisError`.
    """
    if not user_ids:
        return []
    now = time.time()
    asked = [str(user_id) for user_id in user_ids]
    with client(settings.REDIS_URL).pipeline(transaction=False) as pipeline:
        pipeline.zadd(_key(), dict.fromkeys(asked, now), nx=True)
        pipeline.zmscore(_key(), asked)
        pipeline.zremrangebyscore(_key(), "-inf", now - KEPT_SECONDS)
        _, scores, _ = pipeline.execute()
    return [
        int(user_id)
        for user_id, seen in zip(asked, scores, strict=True)
        if seen is not None and now - float(seen) > seconds
    ]


def people_gone_for_sure(user_ids: Collection[int], seconds: float = GONE_SECONDS) -> list[int]:
    """As `people_gone`; nobody while absence means nothing, or while Valkey is away."""
    if not absence_counts():
        return []
    try:
        return people_gone(user_ids, seconds)
    except RedisError:
        return []
