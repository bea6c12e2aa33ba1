"""Presence in the house: when each person was last seen, stored in Valkey only.

Pages and sockets record people. A person counts as gone only if they were recorded and have not
been seen for a while; after Valkey was emptied there are no records, and everybody gets the whole
time again.
"""

import time
from collections.abc import Collection, Iterable
from typing import Any, Final

import redis.asyncio
from django.conf import settings
from redis.exceptions import RedisError

from games.broadcast import channel_key
from games.valkey.clients import client

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
