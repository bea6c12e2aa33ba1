"""The clients of Valkey for an address of any kind, and the settings of libraries that use it."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final
from urllib.parse import quote

import redis
import redis.asyncio

from kit.valkey.address import sentinels_of
from kit.valkey.primary import AsyncPrimaryPool, PrimaryPool

#: short, because nothing may wait for Valkey for long.
TIMES: Final[dict[str, Any]] = {"socket_timeout": 2, "socket_connect_timeout": 2}

#: a worker gives up a primary that says nothing after some fifteen seconds.
BROKER_TIMES: Final[dict[str, Any]] = {
    "socket_timeout": 5,
    "socket_connect_timeout": 2,
    "health_check_interval": 5,
}


@cache
def client(address: str) -> redis.Redis:
    """The client of this process: a page that opened a connection would wait for it."""
    if sentinels_of(address) is None:
        return redis.Redis.from_url(address, **TIMES)
    return redis.Redis(connection_pool=PrimaryPool.from_url(address, **TIMES))


def async_client(address: str) -> redis.asyncio.Redis:
    """A client for the running event loop."""
    if sentinels_of(address) is None:
        return redis.asyncio.Redis.from_url(address, **TIMES)
    return redis.asyncio.Redis(connection_pool=AsyncPrimaryPool.from_url(address, **TIMES))


# --- settings of libraries ------------------------------------------------------------------------


def cache_settings(address: str) -> dict[str, Any]:
    """The entry of Django's `CACHES`."""
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
    """The broker at an address: Celery has forms of its own for Unix sockets and sentinels."""
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
