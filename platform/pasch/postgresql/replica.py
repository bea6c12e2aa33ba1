"""Reading from a standby: what pages may show a moment late, and nothing else.

`DATABASE_REPLICA_URL` names the standby. Inside `reading()` the queries of the apps in `APPS` go
there; the books, the sessions, everything inside a transaction and every change go to the primary,
as all queries do outside. A standby that does not answer or is more than `LAG_SECONDS_MAX` behind
is left alone. Without `DATABASE_REPLICA_URL` every query goes to the primary.
"""

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final

from django.db import DEFAULT_DB_ALIAS, Error, connections
from django.db.models import Model
from psycopg_pool import PoolTimeout

from pasch.observability.asking import Unanswered, asked
from pasch.postgresql.address import REPLICA

#: the apps whose tables are read there; not the books, sessions or second factors
APPS: Final = frozenset({"accounts", "analysis", "games", "house", "kit", "ratings"})
LAG_SECONDS_MAX: Final = 10
SKEW_SECONDS_MAX: Final = 2
#: between two looks at how far behind it is, and between two tries of one that does not answer
LOOK_SECONDS: Final = 1.0
AWAY_SECONDS: Final = 5.0
#: A look has a limit, because a server that hangs never answers.
ANSWER_SECONDS: Final = 1.0
SEEN_SECONDS_MAX: Final = LOOK_SECONDS + 2 * ANSWER_SECONDS
#: The primary writes a heartbeat every few seconds, so an old last one means a late standby. After
#: a failover the address may lead to a primary, which is never behind.
LAG: Final = """
    SELECT CASE WHEN NOT pg_is_in_recovery() THEN 0 ELSE coalesce(
        extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp()), 'infinity'
    ) END
"""

_reads: ContextVar[bool] = ContextVar("reads_from_a_replica", default=False)
logger = logging.getLogger("pasch.postgresql")


class Router:
    """Django's router: the replica for reading inside `reading()`, else the primary."""

    def db_for_read(self, model: type[Model], **hints: Any) -> str:
        """The alias of the database that answers queries about this model."""
        if not _reads.get() or model._meta.app_label not in APPS:
            return DEFAULT_DB_ALIAS
        return DEFAULT_DB_ALIAS if connections[DEFAULT_DB_ALIAS].in_atomic_block else REPLICA

    def db_for_write(self, model: type[Model], **hints: Any) -> str:
        """The primary."""
        return DEFAULT_DB_ALIAS

    def allow_relation(self, one: Model, other: Model, **hints: Any) -> bool:
        """Both are the same database."""
        return True

    def allow_migrate(self, db: str, app_label: str, **hints: Any) -> bool:
        """Migrations reach a replica by themselves."""
        return db == DEFAULT_DB_ALIAS


@contextmanager
def reading() -> Iterator[None]:
    """Queries of this thread may go to the replica; ask `replica.is_usable()` before."""
    token = _reads.set(True)
    try:
        yield
    finally:
        _reads.reset(token)


class Replica:
    """The state of the replica, as far as this process has tried."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._look_at = 0.0
        self._seen_at = 0.0
        self._usable = False
        self.lag_seconds: float | None = None
        """How far it was behind at the last look; None if it did not answer."""

    @property
    def is_configured(self) -> bool:
        """Whether the house has one."""
        return REPLICA in connections.settings

    def is_usable(self) -> bool:
        """Whether it answers and is not far behind; one thread a second looks.

        The others take what was seen last while it looks, unless nobody looked for a while.
        """
        if not self.is_configured:
            return False
        with self._lock:
            now = time.monotonic()
            looks = now >= self._look_at
            if looks:
                self._look_at = now + AWAY_SECONDS
        if looks:
            self._look()
        return self._usable and time.monotonic() - self._seen_at <= SEEN_SECONDS_MAX

    def follows(self) -> bool:
        """Whether the server of this thread's own connection is close enough to be read now.

        The address may lead to several servers, and the look may have met another one.
        """
        return _is_close(_lag_seconds())

    def failed(self, error: Error) -> None:
        """Note that a query failed; a connection that is gone means that the replica is.

        That all connections are in use means nothing of the kind.
        """
        if isinstance(error.__cause__, PoolTimeout):
            return
        connection = connections[REPLICA]
        if connection.connection is None or not connection.is_usable():
            connection.close()
            self._note(None)

    def _look(self) -> None:
        answer = asked({"replica": _lag_seconds}, seconds=ANSWER_SECONDS)["replica"]
        self._note(None if isinstance(answer, Unanswered) else answer)

    def _note(self, lag_seconds: float | None) -> None:
        usable = lag_seconds is not None and _is_close(lag_seconds)
        with self._lock:
            changed, self._usable = usable != self._usable, usable
            self.lag_seconds, self._seen_at = lag_seconds, time.monotonic()
            pause = AWAY_SECONDS if lag_seconds is None else LOOK_SECONDS
            self._look_at = self._seen_at + pause
        if changed and usable:
            logger.info("the replica follows; pages that may be a moment old are read there")
        elif changed and lag_seconds is None:
            logger.warning("the replica does not answer; every page is read at the primary")
        elif changed:
            logger.warning(
                "the replica is %.0f s behind; it is left alone until it follows", lag_seconds
            )


def _is_close(lag_seconds: float) -> bool:
    """Whether this is close enough; a clock that is behind hides how late its server is."""
    return -SKEW_SECONDS_MAX <= lag_seconds <= LAG_SECONDS_MAX


def _lag_seconds() -> float:
    with connections[REPLICA].cursor() as cursor:
        cursor.execute(LAG)
        return float(cursor.fetchone()[0])


replica: Final = Replica()
