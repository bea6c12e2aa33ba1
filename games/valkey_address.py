"""The address of Valkey: one server, or sentinels that name the primary of several.

`redis://`, `rediss://` and `unix://` are read by redis-py. Sentinels are written as

    redis+sentinel://[user:password@]host[:26379][,host[:26379]…]/NAME[/DATABASE][?options]

with the user and the password of the servers, the NAME that the sentinels use for them, and as
options `sentinel_username`, `sentinel_password` and, after `rediss+sentinel://` (TLS for servers
and sentinels), those in `TLS_OPTIONS`, as in redis-py. Every new connection asks the sentinels
for the primary, so after a failover all connections find the new one.
"""

import re
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, Self
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

import redis
import redis.asyncio
from redis.asyncio.retry import Retry as AsyncRetry
from redis.asyncio.sentinel import Sentinel as AsyncSentinel
from redis.asyncio.sentinel import SentinelConnectionPool as AsyncSentinelPool
from redis.asyncio.sentinel import SentinelManagedConnection as AsyncSentinelManagedConnection
from redis.asyncio.sentinel import (
    SentinelManagedSSLConnection as AsyncSentinelManagedSSLConnection,
)
from redis.backoff import NoBackoff
from redis.connection import parse_url
from redis.retry import Retry
from redis.sentinel import (
    Sentinel,
    SentinelConnectionPool,
    SentinelManagedConnection,
    SentinelManagedSSLConnection,
)

SENTINEL_PORT: Final = 26379

#: how long one sentinel may take before the next one is asked.
SENTINEL_SECONDS: Final = 0.5

TLS_OPTIONS: Final = {
    f"ssl_{name}" for name in ("ca_certs", "cert_reqs", "certfile", "check_hostname", "keyfile")
}

#: errors of a primary that was replaced.
WRITES_NO_MORE: Final = ("NOREPLICAS", "UNBLOCKED")

#: how old the answer of the sentinels may be.
ASK_EVERY_SECONDS: Final = 2.0

#: short, because nothing may wait for Valkey for long.
TIMES: Final[dict[str, Any]] = {"socket_timeout": 2, "socket_connect_timeout": 2}

#: a worker gives up a primary that says nothing after some fifteen seconds.
BROKER_TIMES: Final[dict[str, Any]] = {
    "socket_timeout": 5,
    "socket_connect_timeout": 2,
    "health_check_interval": 5,
}

FORMS: Final = "redis://, rediss:// or unix://, or sentinels as redis+sentinel://host,host/NAME"

_SENTINELS: Final = re.compile(
    r"redis(?P<tls>s?)\+sentinel://(?:(?P<user>[^@:/?#]*)(?::(?P<password>[^@/?#]*))?@)?"
    r"(?P<hosts>[^@/?#]+)/(?P<name>[^/?#]+)(?:/(?P<db>[0-9]{1,4}))?/?(?:\?(?P<query>[^#]*))?"
)


class AddressError(ValueError):
    """An address that nothing reads; the text leaves the address out, which may have a password."""


@dataclass(frozen=True, slots=True)
class Sentinels:
    """Where the sentinels are, and how to log in to them and to the servers that they watch."""

    hosts: tuple[tuple[str, int], ...]
    name: str
    server: Mapping[str, Any]
    """Options of redis-py for a connection to a server."""
    sentinel: Mapping[str, Any]
    """Options of redis-py for a client of a sentinel."""


# --- reading --------------------------------------------------------------------------------------


def check(address: str) -> None:
    """Raise `AddressError` for an address that is neither one server nor sentinels."""
    if sentinels_of(address) is None and not _is_one_server(address):
        raise AddressError(f"must name one server as {FORMS}; Cluster is not supported.")


@cache
def sentinels_of(address: str) -> Sentinels | None:
    """The sentinels that an address names; None for an address of another kind.

    Raises `AddressError`.
    """
    if "+sentinel:" not in address and not address.startswith("sentinel:"):
        return None
    found = _SENTINELS.fullmatch(address)
    if found is None:
        raise AddressError("must name sentinels as redis+sentinel://host:26379,host:26379/NAME.")
    query = dict(parse_qsl(found["query"] or ""))
    login = {key: query.pop(f"sentinel_{key}", None) for key in ("username", "password")}
    server = {"db": int(found["db"] or 0), **_tls(found["tls"], query)}
    server |= _known(
        username=unquote(found["user"] or ""), password=unquote(found["password"] or "")
    )
    times = {"socket_timeout": SENTINEL_SECONDS, "socket_connect_timeout": SENTINEL_SECONDS}
    return Sentinels(
        hosts=tuple(_host_and_port(host) for host in found["hosts"].split(",")),
        name=unquote(found["name"]),
        server=server,
        sentinel={**times, **_tls(found["tls"], query), **_known(**login)},
    )


def _known(**options: str | None) -> dict[str, str]:
    return {name: value for name, value in options.items() if value}


def _tls(is_on: str, query: Mapping[str, str]) -> dict[str, Any]:
    if (not is_on and query) or not set(query) <= TLS_OPTIONS:
        raise AddressError("has options that sentinels do not have, or ssl_… without rediss+.")
    if query.get("ssl_cert_reqs", "required") not in ("required", "optional", "none"):
        raise AddressError("has ssl_cert_reqs with a value other than required, optional and none.")
    read = parse_url(f"redis://h?{urlencode(query)}")
    return {**{name: read[name] for name in query}, **({"ssl": True} if is_on else {})}


def _host_and_port(text: str) -> tuple[str, int]:
    try:
        parts = urlsplit(f"redis://{text}")
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    if not host or port == 0:
        raise AddressError("names a sentinel that is no host, or no host with a port.")
    return host, port or SENTINEL_PORT


def _is_one_server(address: str) -> bool:
    try:
        parts = urlsplit(address)
        port_is_valid = parts.port != 0
    except ValueError:  # a port that is no number, or half a bracket
        return False
    if parts.scheme == "unix":
        return bool(parts.path)
    host = parts.hostname or ""
    return parts.scheme in ("redis", "rediss") and host != "" and "," not in host and port_is_valid


# --- clients --------------------------------------------------------------------------------------


class _NoOldPrimary:
    """Gives a connection up when its server writes no more: redis-py does so for READONLY alone.

    An old primary without replicas refuses what it should write until the sentinels have made a
    replica of it, and a command that waits there is cut off. A connection that was given up asks
    the sentinels again; redis-py's own goes back to where it was if a command comes before that.
    """

    def send_packed_command(self, *arguments: Any, **options: Any) -> Any:
        """Send to the primary as it is now."""
        if self._sock is None:  # type: ignore[attr-defined]  # a mixin
            self.connect()  # type: ignore[attr-defined]  # a mixin
        return super().send_packed_command(*arguments, **options)  # type: ignore[misc]  # a mixin

    def read_response(self, *arguments: Any, **options: Any) -> Any:
        """The next reply; a lost connection where the server is no longer the primary."""
        try:
            return super().read_response(*arguments, **options)  # type: ignore[misc]  # a mixin
        except redis.ResponseError as error:
            if str(error).startswith(WRITES_NO_MORE):
                self.disconnect()  # type: ignore[attr-defined]  # a mixin
                raise redis.ConnectionError(str(error)) from error
            raise


class PrimaryConnection(_NoOldPrimary, SentinelManagedConnection):
    """A connection to the primary."""


class TlsPrimaryConnection(_NoOldPrimary, SentinelManagedSSLConnection):
    """A connection to the primary with TLS."""


class _AsyncNoOldPrimary:
    async def send_packed_command(self, *arguments: Any, **options: Any) -> Any:
        """Send to the primary as it is now."""
        if not self.is_connected:  # type: ignore[attr-defined]  # a mixin
            await self.connect()  # type: ignore[attr-defined]  # a mixin
        return await super().send_packed_command(*arguments, **options)  # type: ignore[misc]  # a mixin

    async def read_response(self, *arguments: Any, **options: Any) -> Any:
        """The next reply; a lost connection where the server is no longer the primary."""
        try:
            return await super().read_response(*arguments, **options)  # type: ignore[misc]  # a mixin
        except redis.ResponseError as error:
            if str(error).startswith(WRITES_NO_MORE):
                await self.disconnect()  # type: ignore[attr-defined]  # a mixin
                raise redis.ConnectionError(str(error)) from error
            raise


class _AsyncConnection(_AsyncNoOldPrimary, AsyncSentinelManagedConnection):
    pass


class _AsyncTlsConnection(_AsyncNoOldPrimary, AsyncSentinelManagedSSLConnection):
    pass


class PrimaryPool(SentinelConnectionPool):
    """Connections to the primary that the sentinels name; also for Django's cache.

    It asks them every few seconds: after a failover on command the old primary goes on for a while.
    """

    asked_at = float("-inf")

    @classmethod
    def from_url(cls, url: str, **options: Any) -> Self:
        """The pool of an address with sentinels. Raises `AddressError`."""
        told = _sentinels(url)
        once = {"retry": Retry(NoBackoff(), 0)}
        asked = Sentinel(told.hosts, sentinel_kwargs={**told.sentinel, **once})
        kinds = PrimaryConnection, TlsPrimaryConnection
        return cls(told.name, asked, **_options(told, kinds, options))

    def get_connection(self, *arguments: Any, **options: Any) -> Any:
        """A connection to the primary as it was named a moment ago."""
        if time.monotonic() - self.asked_at > ASK_EVERY_SECONDS:
            self.asked_at = time.monotonic()
            with suppress(redis.RedisError):  # nothing is known: the connections stay
                self.get_master_address()
        return super().get_connection(*arguments, **options)


class AsyncPrimaryPool(AsyncSentinelPool):
    """The same for one event loop."""

    asked_at = float("-inf")

    @classmethod
    def from_url(cls, url: str, **options: Any) -> Self:
        """The pool of an address with sentinels. Raises `AddressError`."""
        told = _sentinels(url)
        kinds = _AsyncConnection, _AsyncTlsConnection
        return cls(told.name, _async_sentinel(told), **_options(told, kinds, options))

    async def get_connection(self, *arguments: Any, **options: Any) -> Any:
        """A connection to the primary as it was named a moment ago."""
        if time.monotonic() - self.asked_at > ASK_EVERY_SECONDS:
            self.asked_at = time.monotonic()
            with suppress(redis.RedisError):
                await self.get_master_address()
        return await super().get_connection(*arguments, **options)


def _options(
    told: Sentinels, kinds: tuple[type, type], options: Mapping[str, Any]
) -> dict[str, Any]:
    """The options of a pool; the kinds are without TLS and with it."""
    chosen = {**told.server, **options}
    return {**chosen, "connection_class": kinds[chosen.pop("ssl", False)]}


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


async def primary(told: Sentinels) -> tuple[str, int]:
    """Host and port of the server that is the primary now.

    Raises `redis.RedisError` if no sentinel answers, or none has a primary.
    """
    async with _async_sentinel(told) as asked:
        host, port = await asked.discover_master(told.name)
        return host, port


def _async_sentinel(told: Sentinels) -> AsyncSentinel:
    once = {"retry": AsyncRetry(NoBackoff(), 0)}
    return AsyncSentinel(told.hosts, sentinel_kwargs={**told.sentinel, **once})


def _sentinels(address: str) -> Sentinels:
    told = sentinels_of(address)
    if told is None:
        raise AddressError("names one server and no sentinels.")
    return told


# --- settings of libraries ------------------------------------------------------------------------


def cache_settings(address: str) -> dict[str, Any]:
    """The entry of Django's `CACHES`."""
    options: dict[str, Any] = {"socket_timeout": TIMES["socket_timeout"]}
    if sentinels_of(address) is not None:
        options = {**TIMES, "pool_class": f"{__name__}.{PrimaryPool.__name__}"}
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
