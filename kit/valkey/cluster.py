"""Clients of a cluster, whose servers each have a part of the 16,384 slots that keys fall into.

redis-py finds the server of a key, follows slots that move and takes the new primary after a
failover. Its own errors for a cluster are no `redis.RedisError`; here they are lost connections,
which every caller expects.
"""

from bisect import bisect_left
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, Self, TypeAlias

import redis
import redis.asyncio
from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis.asyncio.cluster import ClusterNode as AsyncClusterNode
from redis.asyncio.retry import Retry as AsyncRetry
from redis.backoff import NoBackoff
from redis.cluster import ClusterNode, parse_cluster_slots
from redis.crc import REDIS_CLUSTER_HASH_SLOTS, key_slot
from redis.exceptions import RedisClusterException
from redis.retry import Retry

from kit.valkey.address import AddressError, Cluster, cluster_of

#: short, because nothing may wait for Valkey for long: each of its servers may take so long.
TIMES: Final[dict[str, Any]] = {"socket_timeout": 1, "socket_connect_timeout": 1}

#: so many times a command asks for the servers anew and is sent again.
TRIES: Final = 1

Place: TypeAlias = tuple[str, int]
"""Host and port of a server."""


@contextmanager
def _lost() -> Iterator[None]:
    """Raise the errors of a cluster as a lost connection."""
    try:
        yield
    except RedisClusterException as error:
        raise redis.ConnectionError(str(error)) from error


class ClusterClient(redis.RedisCluster):
    """A client of all servers for threads."""

    def execute_command(self, *arguments: Any, **options: Any) -> Any:
        """The answer to one command. Raises `redis.RedisError`."""
        with _lost():
            return super().execute_command(*arguments, **options)

    def pipeline(self, transaction: Any = None, shard_hint: Any = None) -> Any:
        """Commands for any servers in one go, in order for each server, never a transaction."""
        made = super().pipeline()
        execute = made.execute

        def executed(raise_on_error: bool = True) -> list[Any]:
            with _lost():
                answers: list[Any] = execute(raise_on_error)
            return answers

        made.execute = executed
        return made


class AsyncClusterClient(redis.asyncio.RedisCluster):
    """The same for one event loop."""

    async def execute_command(self, *arguments: Any, **options: Any) -> Any:
        """The answer to one command. Raises `redis.RedisError`."""
        with _lost():
            return await super().execute_command(*arguments, **options)

    def pipeline(self, transaction: Any = None, shard_hint: Any = None) -> Any:
        """Commands for any servers in one go, in order for each server, never a transaction."""
        return _AsyncPipeline(self)  # type: ignore[abstract]  # as redis-py does


class _AsyncPipeline(redis.asyncio.cluster.ClusterPipeline):
    async def initialize(self) -> Self:
        with _lost():
            await super().initialize()
        return self

    async def execute(self, *arguments: Any, **options: Any) -> list[Any]:
        with _lost():
            return await super().execute(*arguments, **options)


@cache
def cluster_client(address: str) -> ClusterClient:
    """The client of this process. Raises `redis.RedisError` where it cannot find the servers."""
    told = _cluster(address)
    nodes = [ClusterNode(host, port) for host, port in told.hosts]
    with _lost():
        return ClusterClient(
            startup_nodes=nodes, retry=Retry(NoBackoff(), TRIES), **told.server, **TIMES
        )


def async_cluster_client(address: str) -> AsyncClusterClient:
    """A client for the running event loop, which finds the servers when it is first used."""
    told = _cluster(address)
    nodes = [AsyncClusterNode(host, port) for host, port in told.hosts]
    return AsyncClusterClient(
        startup_nodes=nodes, retry=AsyncRetry(NoBackoff(), TRIES), **told.server, **TIMES
    )


def _cluster(address: str) -> Cluster:
    told = cluster_of(address)
    if told is None:
        raise AddressError("names no cluster.")
    return told


# --- where each slot is ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Slots:
    """The primary of every slot, as a cluster named them at one moment."""

    ends: tuple[int, ...]
    """The last slots of the parts, ascending."""
    places: tuple[Place, ...]
    """The primary of each part."""

    def place(self, key: bytes) -> Place:
        """The primary of a key or a channel."""
        return self.places[bisect_left(self.ends, key_slot(key))]


async def slots_asked(told: Cluster) -> Slots:
    """Where each slot is, from the first server that answers.

    Raises `redis.RedisError` or `OSError` if none does, or if a slot is nowhere.
    """
    error: Exception = redis.ConnectionError("the address names no server")
    for host, port in told.hosts:
        try:
            return await _slots_at(told, host, port)
        except (redis.RedisError, OSError) as found:
            error = found
    raise error


async def _slots_at(told: Cluster, host: str, port: int) -> Slots:
    once = AsyncRetry(NoBackoff(), 0)
    async with redis.asyncio.Redis(
        host=host, port=port, retry=once, **told.server, **TIMES
    ) as server:
        answer = await server.execute_command("CLUSTER SLOTS")
    parts = parse_cluster_slots(answer, current_host=host)
    begin, ends, places = 0, [], []
    for first, last in sorted(parts):
        if first != begin:
            break
        begin = last + 1
        ends.append(last)
        places.append(parts[first, last]["primary"])
    if begin != REDIS_CLUSTER_HASH_SLOTS:
        raise redis.ConnectionError(f"slot {begin} of the cluster is nowhere")
    return Slots(tuple(ends), tuple(places))


# --- Django's cache -------------------------------------------------------------------------------


class _CacheClient(RedisCacheClient):
    """Django's client, for the commands that concern one key."""

    def get_client(self, key: Any = None, *, write: bool = False) -> Any:
        return cluster_client(self._servers[0])  # type: ignore[attr-defined]  # not in the stubs

    def get_many(self, keys: Any) -> Any:
        return {key: value for key in keys if (value := self.get(key, None)) is not None}

    def set_many(self, data: Any, timeout: Any) -> None:
        for key, value in data.items():
            self.set(key, value, timeout)

    def delete_many(self, keys: Any) -> None:
        for key in keys:
            self.delete(key)


class ClusterCache(RedisCache):
    """Django's cache with every key at the server of its slot."""

    def __init__(self, server: Any, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = _CacheClient
