"""The clients of Valkey for an address of any kind, and the settings of libraries that use it."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final
from urllib.parse import quote

import redis
import redis.asyncio

from kit.valkey.address import AddressError, cluster_of, sentinels_of
from kit.valkey.cluster import ClusterCache, async_cluster_client, cluster_client
from kit.valkey.primary import AsyncPrimaryPool, PrimaryPool

#: short, because nothing may wait for Valkey for long.
TIMES: Final[dict[str, Any]] = {"socket_timeout": 2, "socket_connect_timeout": 2}

#: a worker gives up a primary that says nothing after some fifteen seconds.
BROKER_TIMES: Final[dict[str, Any]] = {
    "socket_timeout": 5,
    "socket_connect_timeout": 2,
    "health_check_interval": 5,
}


def client(address: str) -> redis.Redis:
    """The client of this process: a page that opened a connection would wait for it.

    Its pipelines may concern keys of any servers, so they are no transactions. Raises
    `redis.RedisError` where it first has to find a cluster and does not.
    """
    if cluster_of(address) is None:
        return _client(address)
    return cluster_client(address)  # type: ignore[return-value]  # it has the same commands


@cache
def _client(address: str) -> redis.Redis:
    if sentinels_of(address) is None:
        return redis.Redis.from_url(address, **TIMES)
    return redis.Redis(connection_pool=PrimaryPool.from_url(address, **TIMES))


def async_client(address: str) -> redis.asyncio.Redis:
    """A client for the running event loop; its pipelines are no transactions either."""
    if cluster_of(address) is not None:
        return async_cluster_client(address)  # type: ignore[return-value]  # it has the same commands
    if sentinels_of(address) is None:
        return redis.asyncio.Redis.from_url(address, **TIMES)
    return redis.asyncio.Redis(connection_pool=AsyncPrimaryPool.from_url(address, **TIMES))


def publish(address: str, channel: str, text: str) -> None:
    """Publish once; in a cluster to those who subscribe at the server of the channel.

    Raises `redis.RedisError`.
    """
    if cluster_of(address) is None:
        _client(address).publish(channel, text)
    else:
        cluster_client(address).spublish(channel, text)


def servers_about(address: str, section: str) -> list[dict[str, Any]]:
    """A section of INFO of each server that takes writes. Raises `redis.RedisError`."""
    if cluster_of(address) is None:
        return [_client(address).info(section)]
    found = cluster_client(address).info(section, target_nodes=redis.RedisCluster.PRIMARIES)
    return list(found.values())


# --- settings of libraries ------------------------------------------------------------------------


def cache_settings(address: str) -> dict[str, Any]:
    """The entry of Django's `CACHES`."""
    if cluster_of(address) is not None:
        backend = f"{ClusterCache.__module__}.{ClusterCache.__name__}"
        return {"BACKEND": backend, "LOCATION": [address]}
    options: dict[str, Any] = {"socket_timeout": TIMES["socket_timeout"]}
    if sentinels_of(address) is not None:
        pool = f"{PrimaryPool.__module__}.{PrimaryPool.__name__}"
        options = {**TIMES, "pool_class": pool}
    return {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": [address],  # a text would be divided at commas
        "OPTIONS": options,
    }


@dataclass(frozen=True, slots=True)
class Broker:
    """The settings of Celery for its broker."""

    url: str
    transport_options: Mapping[str, Any]
    use_ssl: Mapping[str, Any] | None


def broker_settings(address: str) -> Broker:
    """The broker at an address: Celery has forms of its own for Unix sockets and sentinels.

    Raises `AddressError` for a cluster: the queues and what is not yet acknowledged are several
    keys in one transaction, which no cluster has.
    """
    if cluster_of(address) is not None:
        raise AddressError("must name one server or sentinels: tasks cannot wait in a cluster.")
    told = sentinels_of(address)
    if told is None:
        url = address.replace("unix://", "redis+socket://").replace("?db=", "?virtual_host=")
        return Broker(url, {}, None)
    user, password = (quote(told.server.get(key, ""), safe="") for key in ("username", "password"))
    login = f"{user}:{password}@" if password else ""
    urls = [
        f"sentinel://{login}{_bracketed(host)}:{port}/{told.server['db']}"
        for host, port in told.hosts
    ]
    options = {"master_name": told.name, "sentinel_kwargs": dict(told.sentinel), **BROKER_TIMES}
    ssl = {name: value for name, value in told.server.items() if name.startswith("ssl_")}
    # Celery takes an empty dictionary for no TLS.
    use_ssl = {"ssl_cert_reqs": "required", **ssl} if "ssl" in told.server else None
    return Broker(";".join(urls), options, use_ssl)


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
