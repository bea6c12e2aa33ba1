"""Connections to the primary that sentinels name, which find the new one after a failover.

Every new connection asks the sentinels for the primary, and every pool asks them again and again.
"""

import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final, Self

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
from redis.retry import Retry
from redis.sentinel import (
    Sentinel,
    SentinelConnectionPool,
    SentinelManagedConnection,
    SentinelManagedSSLConnection,
)

from kit.valkey.address import AddressError, Sentinels, sentinels_of

#: errors of a primary that was replaced.
WRITES_NO_MORE: Final = ("NOREPLICAS", "UNBLOCKED")

#: how old the answer of the sentinels may be.
ASK_EVERY_SECONDS: Final = 2.0


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
