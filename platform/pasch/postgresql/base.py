"""Django's PostgreSQL backend with a pool that distinguishes a busy server from one that is away.

A pool waits for a connection in either case. Waiting for a busy server is right; waiting for one
that is away makes every page late. So after a short wait the server is pinged, which needs no
connection. After a failed ping everything fails at once for a second, then one thread pings again.
"""

import logging
import threading
import time
from typing import Any, Final

import psycopg
from django.db.backends.postgresql import base
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.pq import Ping
from psycopg_pool import PoolTimeout

from pasch.observability.away import POSTGRESQL, is_back, to_be_said

#: how long a connection of a busy server is waited for
WAIT_SECONDS: Final = 10
#: the pause between two pings of a server that does not answer
PAUSE_SECONDS: Final = 1.0

logger = logging.getLogger("pasch.postgresql")


class Door:
    """Whether the server answers, as far as this process has tried."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._away_since: float | None = None
        self._ask_at = 0.0

    def pass_or_fail(self, conninfo: str) -> None:
        """Return unless the server is away; then raise `OperationalError` without waiting."""
        if self._away_since is None:
            return
        with self._lock:
            now = time.monotonic()
            asks = now >= self._ask_at
            if asks:  # the others go on failing meanwhile
                self._ask_at = now + PAUSE_SECONDS
        if not asks:
            raise psycopg.OperationalError("PostgreSQL does not answer.")
        self.ask(conninfo)

    def ask(self, conninfo: str) -> None:
        """Check that the server takes connections; raise `OperationalError` if not."""
        answer = _ping(conninfo)
        with self._lock:
            if answer == Ping.OK:
                since, self._away_since = self._away_since, None
            else:
                since = self._away_since = self._away_since or time.monotonic()
                self._ask_at = time.monotonic() + PAUSE_SECONDS
        if answer != Ping.OK:
            if to_be_said(POSTGRESQL):
                logger.error("PostgreSQL does not answer; pages say so until it does")
            raise psycopg.OperationalError("PostgreSQL does not answer.")
        if since is not None:
            is_back(POSTGRESQL)
            logger.warning("PostgreSQL answers again, after %.0f s", time.monotonic() - since)


def _ping(conninfo: str) -> Ping:
    """Whether a server takes connections.

    libpq's own ping holds the GIL until it returns, so a server that is silent would stop all
    threads for `connect_timeout`. It is used only after the server has refused a connection, to
    distinguish a busy server from one that starts or stops.
    """
    try:
        psycopg.connect(conninfo).close()
    except psycopg.errors.ConnectionTimeout:
        return Ping.NO_RESPONSE
    except psycopg.OperationalError:
        if "," in str(conninfo_to_dict(conninfo).get("host")):
            return Ping.NO_RESPONSE  # one of several may be silent
        return Ping(psycopg.pq.PGconn.ping(conninfo.encode()))
    return Ping.OK


_doors: dict[str, Door] = {}


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection that is refused at once while the server is known to be away."""

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """Take a connection out of the pool, or make one where there is no pool."""
        if not self.pool:
            return super().get_new_connection(conn_params)
        door = _doors.setdefault(self.alias, Door())
        conninfo = _conninfo(conn_params)
        door.pass_or_fail(conninfo)
        ends = time.monotonic() + WAIT_SECONDS
        while True:
            try:
                return super().get_new_connection(conn_params)
            except PoolTimeout:
                door.ask(conninfo)
                if time.monotonic() > ends:
                    raise


def _conninfo(conn_params: dict[str, Any]) -> str:
    """The part of Django's parameters with the server's address."""
    ours = ("context", "cursor_factory", "prepare_threshold", "server_side_binding")
    return make_conninfo(**{name: each for name, each in conn_params.items() if name not in ours})
