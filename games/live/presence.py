"""Who is looking at a table right now: kept in Valkey alone, with an end to every entry.

Presence is only shown. Nothing about credits, time or results depends on it, and Valkey may
forget it at any moment.
"""

import time
from dataclasses import dataclass
from typing import Any, Final

import redis.asyncio
from django.conf import settings

from games.broadcast import channel_key, table_channel
from games.wire import encode

#: an entry that is not renewed for this long counts as gone.
ENTRY_SECONDS: Final = 30
RENEW_SECONDS: Final = 10


@dataclass(frozen=True, slots=True)
class Presence:
    """One connection's entry at a table; `seat` is None for a watcher."""

    table_id: str
    seat: int | None
    connection: str

    @property
    def _key(self) -> str:
        return channel_key(f"presence:{self.table_id}")

    @property
    def _member(self) -> str:
        return f"{'w' if self.seat is None else self.seat}:{self.connection}"

    async def renew(self, client: redis.asyncio.Redis) -> None:
        """Enter the connection or renew its entry, and tell the table who is there."""
        now = time.time()
        pipeline = client.pipeline(transaction=True)
        pipeline.zadd(self._key, {self._member: now + ENTRY_SECONDS})
        pipeline.expire(self._key, 2 * ENTRY_SECONDS)
        await self._tell(pipeline, now, client)

    async def leave(self, client: redis.asyncio.Redis) -> None:
        """Take the entry out and tell the table."""
        pipeline = client.pipeline(transaction=True)
        pipeline.zrem(self._key, self._member)
        await self._tell(pipeline, time.time(), client)

    async def _tell(
        self, pipeline: redis.asyncio.client.Pipeline, now: float, client: redis.asyncio.Redis
    ) -> None:
        pipeline.zremrangebyscore(self._key, "-inf", now)
        pipeline.zrange(self._key, 0, -1)
        members = (await pipeline.execute())[-1]
        frame = presence_frame([member.decode() for member in members])
        await client.publish(channel_key(table_channel(self.table_id)), encode(frame))


def presence_frame(members: list[str]) -> dict[str, Any]:
    """The frame that says which seats are connected and how many others watch."""
    seats = [member.partition(":")[0] for member in members]
    return {
        "type": "presence",
        "online": ["0" in seats, "1" in seats],
        "watchers": seats.count("w"),
    }


def presence_client() -> redis.asyncio.Redis:
    """A client for presence; short timeouts, because it must never hold up a table."""
    return redis.asyncio.Redis.from_url(
        settings.REDIS_URL, socket_timeout=2, socket_connect_timeout=2
    )
