"""Who is looking at a table right now: kept in Valkey alone, with an end to every entry.

Presence is only shown. Nothing about credits, time or results depends on it, and Valkey may
forget it at any moment.
"""

import time
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

import redis
import redis.asyncio
from django.conf import settings

from games.broadcast import channel_key, table_channel
from games.wire import encode

#: an entry that is not renewed for this long counts as gone.
ENTRY_SECONDS: Final = 30
RENEW_SECONDS: Final = 10

#: the moment since which Valkey knows who is where; it is set anew after Valkey was emptied.
KNOWN_SINCE: Final = "presence:known-since"


@dataclass(frozen=True, slots=True)
class Presence:
    """One connection's entry at a table; `seat` is None for a watcher."""

    table_id: str
    seat: int | None
    connection: str

    @property
    def _key(self) -> str:
        return presence_key(self.table_id)

    @property
    def _member(self) -> str:
        return f"{'w' if self.seat is None else self.seat}:{self.connection}"

    async def renew(self, client: redis.asyncio.Redis) -> None:
        """Enter the connection or renew its entry, and tell the table who is there."""
        now = time.time()
        pipeline = client.pipeline(transaction=True)
        pipeline.set(channel_key(KNOWN_SINCE), now, nx=True)
        pipeline.zadd(self._key, {self._member: now + ENTRY_SECONDS})
        pipeline.expire(self._key, 2 * ENTRY_SECONDS)
        await self._tell(pipeline, now, client)

    async def leave(self, client: redis.asyncio.Redis) -> bool:
        """Take the entry out and tell the table; whether the seat is still there otherwise."""
        pipeline = client.pipeline(transaction=True)
        pipeline.zrem(self._key, self._member)
        members = await self._tell(pipeline, time.time(), client)
        return any(member.partition(":")[0] == str(self.seat) for member in members)

    async def _tell(
        self, pipeline: redis.asyncio.client.Pipeline, now: float, client: redis.asyncio.Redis
    ) -> list[str]:
        pipeline.zremrangebyscore(self._key, "-inf", now)
        pipeline.zrange(self._key, 0, -1)
        members = [member.decode() for member in (await pipeline.execute())[-1]]
        frame = encode(presence_frame(members))
        await client.publish(channel_key(table_channel(self.table_id)), frame)
        return members


def presence_key(table_id: object) -> str:
    """Where Valkey keeps who is at a table."""
    return channel_key(f"presence:{table_id}")


def seats_away(seats: list[tuple[UUID, int]]) -> list[tuple[UUID, int]]:
    """Those of these seats that nobody has renewed; none while Valkey may have forgotten them."""
    client = redis.Redis.from_url(settings.REDIS_URL, socket_timeout=2, socket_connect_timeout=2)
    now = time.time()
    with client, client.pipeline(transaction=False) as pipeline:
        pipeline.get(channel_key(KNOWN_SINCE))
        for table_id, _ in seats:
            pipeline.zrangebyscore(presence_key(table_id), now, "+inf")
        known_since, *members = pipeline.execute()
    if known_since is None or now - float(known_since) < ENTRY_SECONDS:
        return []
    return [
        (table_id, seat)
        for (table_id, seat), entries in zip(seats, members, strict=True)
        if not any(entry.startswith(b"%d:" % seat) for entry in entries)
    ]


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
