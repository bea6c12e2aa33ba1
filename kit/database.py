"""The database beside the ORM: its clock, locks by name, cursors that only read, own threads."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import Final, ParamSpec, TypeVar

from asgiref.sync import SyncToAsync
from django.db import close_old_connections, connection, connections, router
from django.db.backends.utils import CursorWrapper
from django.db.models import Model


def database_now_ms() -> int:
    """The database's clock: the one authority for every deadline, in milliseconds since 1970."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint")
        return int(cursor.fetchone()[0])


def moment(ms: int) -> datetime:
    """Milliseconds since 1970 as an aware time."""
    return datetime.fromtimestamp(ms / 1000, tz=UTC)


def read_cursor(model: type[Model]) -> CursorWrapper:
    """A cursor at the database that the router names for reading this model.

    Queries of the ORM go there by themselves. Only for what changes and locks nothing.
    """
    return connections[router.db_for_read(model)].cursor()


def name_lock(name: str) -> None:
    """Wait for the lock of this name and hold it to the end of the transaction."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [name])


def name_lock_try(name: str) -> bool:
    """Hold the lock of this name to the end of the transaction; return False if another has it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(hashtextextended(%s, 0))", [name])
        return bool(cursor.fetchone()[0])


P = ParamSpec("P")
R = TypeVar("R")

THREADS: Final = 8

_threads = ThreadPoolExecutor(max_workers=THREADS, thread_name_prefix="table")


async def in_thread(work: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
    """Run `work` in one of the threads; each keeps its database connection."""

    def run() -> R:
        connection.close_at = None  # not back into the pool after each command
        close_old_connections()
        return work(*args, **kwargs)

    return await SyncToAsync(run, thread_sensitive=False, executor=_threads)()
