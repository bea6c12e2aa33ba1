"""The most sockets of one person in all processes.

Entries in Valkey that expire, so a process that dies locks nobody out; without Valkey a process
counts its own.
"""

import asyncio
import contextlib
import time
from typing import Final
from weakref import WeakKeyDictionary

import redis.asyncio
from django.conf import settings
from redis.exceptions import RedisError

from games.broadcast import channel_key
from kit.valkey.clients import async_client

#: the most sockets of one account or guest; a page has one or two.
SOCKETS_MAX: Final = 40

#: an entry that is not renewed for this long counts as gone.
ENTRY_SECONDS: Final = 60
RENEW_SECONDS: Final = 20
PEOPLE_AT_ONCE: Final = 200


def places_key(person_id: int) -> str:
    """Where Valkey keeps the open sockets of a person, each with the moment its entry ends."""
    return channel_key(f"sockets:{person_id}")


class Places:
    """The sockets of this event loop by person, renewed together. Use `places()`."""

    def __init__(self) -> None:
        self._ours: dict[int, set[str]] = {}
        self._client: redis.asyncio.Redis | None = None
        self._renewing: asyncio.Task[None] | None = None

    async def take(self, person_id: int, socket: str) -> bool:
        """Take a place for a socket; False if the person has as many as anybody may have."""
        ours = self._ours.setdefault(person_id, set())
        ours.add(socket)
        if self._renewing is None:
            self._renewing = asyncio.create_task(self._renew_all())
        if len(ours) <= SOCKETS_MAX and await self._number(person_id, socket) <= SOCKETS_MAX:
            return True
        await self.leave(person_id, socket)
        return False

    async def leave(self, person_id: int, socket: str) -> None:
        """Give the place of a socket back."""
        ours = self._ours.get(person_id, set())
        ours.discard(socket)
        if not ours:
            self._ours.pop(person_id, None)
        with contextlib.suppress(RedisError, OSError):
            await self._valkey().zrem(places_key(person_id), socket)

    async def renew(self) -> None:
        """Renew the entries of all our sockets."""
        people = list(self._ours)
        for begin in range(0, len(people), PEOPLE_AT_ONCE):
            async with self._valkey().pipeline(transaction=False) as pipeline:
                ends = time.time() + ENTRY_SECONDS
                for person_id in people[begin : begin + PEOPLE_AT_ONCE]:
                    if ours := self._ours.get(person_id):
                        key = places_key(person_id)
                        pipeline.zadd(key, dict.fromkeys(ours, ends))
                        pipeline.expire(key, 2 * ENTRY_SECONDS)
                await pipeline.execute()

    async def _number(self, person_id: int, socket: str) -> int:
        """Enter a socket and return how many the person has now; without Valkey none are known."""
        key, now = places_key(person_id), time.time()
        try:
            async with self._valkey().pipeline(transaction=False) as pipeline:
                pipeline.zremrangebyscore(key, "-inf", now)
                pipeline.zadd(key, {socket: now + ENTRY_SECONDS})
                pipeline.expire(key, 2 * ENTRY_SECONDS)
                pipeline.zcard(key)
                return int((await pipeline.execute())[-1])
        except (RedisError, OSError):
            return 0

    async def _renew_all(self) -> None:
        """Renew every few seconds for as long as anybody is there."""
        try:
            while self._ours:
                await asyncio.sleep(RENEW_SECONDS)
                with contextlib.suppress(RedisError, OSError):
                    await self.renew()
        finally:
            self._renewing = None

    def _valkey(self) -> redis.asyncio.Redis:
        if self._client is None:
            self._client = async_client(settings.REDIS_URL)
        return self._client


_places: WeakKeyDictionary[asyncio.AbstractEventLoop, Places] = WeakKeyDictionary()


def places() -> Places:
    """The sockets of the running event loop."""
    return _places.setdefault(asyncio.get_running_loop(), Places())
