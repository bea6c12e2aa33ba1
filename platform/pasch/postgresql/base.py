"""Django's PostgreSQL backend with a pool that distinguishes a busy server from one that is away.

A pool waits for a connection in either case. Waiting for a busy server is right; waiting for one
that is away makes every page late. So after a short wait the servers are asked. If none of them
takes changes, everything fails at once for a second, then one thread asks again.

Behind a pooler of transactions, as PgBouncer, a connection has no session that lasts: no cursor is
kept open outside of a transaction.

A connection whose server has become read-only is dropped, and what a read-only server refuses is an
`OperationalError`, as while PostgreSQL is away.
"""

import logging
import threading
import time
from types import TracebackType
from typing import Any, Final

import psycopg
from django.conf import settings
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.postgresql import base
from django.db.utils import DatabaseErrorWrapper, OperationalError
from django.utils.functional import cached_property
from psycopg_pool import ConnectionPool, PoolTimeout

from games.services.trials import refusal_note
from pasch.observability.away import POSTGRESQL, besides, is_back, to_be_said
from pasch.postgresql.address import PRIMARY, REPLICA
from pasch.postgresql.primary import Seen, became_read_only, check, look

#: how long a connection of a busy server is waited for
WAIT_SECONDS: Final = 10
#: the pause between two looks at a server
PAUSE_SECONDS: Final = 1.0
ANSWERS_NOT: Final = "PostgreSQL does not answer."
READ_ONLY: Final = "PostgreSQL takes no changes: there is a standby, and no primary."

logger = logging.getLogger("pasch.postgresql")


class WriteAccess:
    """Whether a server takes changes, as far as this process has tried."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._away_since: float | None = None
        self._reason = ANSWERS_NOT
        self._ask_at = 0.0

    def pass_or_fail(self, parameters: dict[str, Any]) -> None:
        """Return unless the server is away; then raise `OperationalError` without waiting."""
        if self._away_since is not None:
            self.ask(parameters)

    def ask(self, parameters: dict[str, Any]) -> None:
        """Check that a server takes changes; raise `OperationalError` if none does.

        One thread asks, and its finding is everybody's for a second.
        """
        with self._lock:
            now = time.monotonic()
            asks = now >= self._ask_at
            if asks:
                self._ask_at = now + WAIT_SECONDS
        if asks:
            self._note(look(parameters))
        if self._away_since is not None:
            raise psycopg.OperationalError(self._reason)

    def _note(self, seen: Seen) -> None:
        away = seen in (Seen.NOTHING, Seen.READ_ONLY)
        with self._lock:
            since = self._away_since
            self._away_since = (since or time.monotonic()) if away else None
            self._reason = READ_ONLY if seen is Seen.READ_ONLY else ANSWERS_NOT
            self._ask_at = time.monotonic() + PAUSE_SECONDS
        if away and to_be_said(POSTGRESQL):
            reason = self._reason.rstrip(".") + besides(POSTGRESQL)
            logger.error("%s; pages say so until it does", reason)
        if not away and since is not None:
            is_back(POSTGRESQL)
            logger.warning("PostgreSQL answers again, after %.0f s", time.monotonic() - since)


_doors: dict[str, WriteAccess] = {}


class ErrorWrapper(DatabaseErrorWrapper):
    """Django's errors, where the refusal of a read-only server means that the primary is away."""

    wrapper: "DatabaseWrapper"

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Raise the error of Django that stands for one of psycopg's."""
        if isinstance(exc_value, psycopg.Error) and self.wrapper.alias != REPLICA:
            refusal_note(exc_value)
        if (
            isinstance(exc_value, psycopg.errors.ReadOnlySqlTransaction)
            and self.wrapper.has_read_only_server()
        ):
            self.wrapper.errors_occurred = True  # Django checks the connection before its next use
            raise OperationalError(*exc_value.args).with_traceback(traceback) from exc_value
        super().__exit__(exc_type, exc_value, traceback)


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection to a server that takes changes, refused at once while there is none."""

    #: when a connection of a pool that its thread keeps was looked at
    _looked_at = float("-inf")

    @property
    def pool(self) -> "ConnectionPool[Any] | None":
        """The pool of this process, if it has one; it drops connections to read-only servers."""
        pool: ConnectionPool[Any] | None = super().pool
        if pool is not None and self.wants_primary():
            pool._check = check  # Django passes psycopg's own, which asks a standby gladly
        return pool

    @cached_property
    def wrap_database_errors(self) -> DatabaseErrorWrapper:
        """Turns psycopg's errors into Django's."""
        return ErrorWrapper(self)

    def wants_primary(self) -> bool:
        """Whether the address asks for a server that takes changes."""
        return self.settings_dict["OPTIONS"].get("target_session_attrs") in PRIMARY

    def has_read_only_server(self) -> bool:
        """Whether the server refuses every change, after it refused one.

        Behind a pooler that is taken for granted: the server's own word does not come through.
        """
        if self.connection is None:
            return False
        return settings.DATABASE_POOLED or became_read_only(self.connection)

    def chunked_cursor(self) -> Any:
        """A cursor that fetches rows piece by piece; behind a pooler only inside a transaction."""
        if settings.DATABASE_POOLED and not self.in_atomic_block:
            return self.cursor()
        return super().chunked_cursor()

    def is_usable(self) -> bool:
        """Whether the connection works and its server still takes changes."""
        if not self.wants_primary():
            return bool(super().is_usable())
        if self.connection is None:
            return False
        try:
            check(self.connection)
        except psycopg.Error:
            return False
        return True

    def close_if_health_check_failed(self) -> None:
        """Drop a connection that no longer works or takes changes, if a look at it is due.

        Django takes each connection of a pool for one that was just handed out. The threads of the
        tables keep theirs, so they are looked at like any other: once a second, and never inside a
        transaction.
        """
        if self.in_atomic_block:  # what was done so far would be lost, and the rest stored alone
            return
        is_looked_at: bool = self.health_check_done  # type: ignore[attr-defined]  # not in the stubs
        if self.pool and not is_looked_at:
            now = time.monotonic()
            if now - self._looked_at < PAUSE_SECONDS:
                return
            self._looked_at = now
        BaseDatabaseWrapper.close_if_health_check_failed(self)

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """Take a connection out of the pool, or make one where there is no pool.

        A replica is not waited for: there is a primary (pasch/postgresql/replica.py).
        """
        if not self.pool or self.alias == REPLICA:
            return super().get_new_connection(conn_params)
        door = _doors.setdefault(self.alias, WriteAccess())
        parameters = _parameters(conn_params)
        door.pass_or_fail(parameters)
        ends = time.monotonic() + WAIT_SECONDS
        while True:
            try:
                return super().get_new_connection(conn_params)
            except PoolTimeout:
                door.ask(parameters)
                if time.monotonic() > ends:
                    raise


def _parameters(conn_params: dict[str, Any]) -> dict[str, Any]:
    """The part of Django's parameters with the server's address."""
    ours = ("context", "cursor_factory", "prepare_threshold", "server_side_binding")
    return {name: each for name, each in conn_params.items() if name not in ours}
