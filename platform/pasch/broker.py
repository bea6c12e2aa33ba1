"""Celery's way to Valkey, steady when Valkey goes away in the middle of a task.

Kombu closes its connection when the broker is gone, and then tries to return the messages of tasks
that still run. Without a connection this fails with an `AttributeError`, which Celery takes for a
bug and ends the worker. Here the same moment is a lost connection, which both survive: Celery
connects again, and a message that was lost is only a wake-up.

A message that cannot be acknowledged keeps its place among those a worker may have at once. Celery
only notes that, and a worker of one process would wait for ever. Here, too, it connects again.
"""

from typing import Any

from kombu.transport import TRANSPORT_ALIASES
from kombu.transport import redis as kombu_redis
from redis.exceptions import ConnectionError as NoValkey
from redis.exceptions import TimeoutError as LateValkey

from kit.valkey.primary import PrimaryConnection, TlsPrimaryConnection


class _Steady:
    """Raises the error for a lost connection when the channel's own has been closed."""

    connection: Any

    def _connparams(self, asynchronous: bool = False) -> dict[str, Any]:
        """Where to connect."""
        if getattr(self.connection, "client", None) is None:
            raise NoValkey("The connection to the broker is closed.")
        parameters: dict[str, Any] = super()._connparams(  # type: ignore[misc]  # not in the stubs
            asynchronous=asynchronous
        )
        return parameters

    def basic_ack(self, delivery_tag: str, multiple: bool = False) -> None:
        """Acknowledge a message; the one error that Celery does not only note if that fails."""
        try:
            super().basic_ack(delivery_tag, multiple=multiple)  # type: ignore[misc]  # a mixin
        except (NoValkey, LateValkey) as error:
            raise BrokenPipeError(str(error)) from error


class SteadyChannel(_Steady, kombu_redis.Channel):
    """A channel to one server."""


class SteadySentinelChannel(_Steady, kombu_redis.SentinelChannel):
    """A channel to the primary that sentinels name."""

    connection_class = PrimaryConnection
    connection_class_ssl = TlsPrimaryConnection


class SteadyTransport(kombu_redis.Transport):
    """Kombu's transport for Redis and Valkey with such channels."""

    Channel = SteadyChannel


class SteadySentinelTransport(kombu_redis.SentinelTransport):
    """The same where sentinels name the primary."""

    Channel = SteadySentinelChannel


def steady() -> None:
    """Use it for every connection of this process to a broker."""
    for scheme in ("redis", "rediss"):
        TRANSPORT_ALIASES[scheme] = f"{__name__}:{SteadyTransport.__name__}"
    TRANSPORT_ALIASES["sentinel"] = f"{__name__}:{SteadySentinelTransport.__name__}"
