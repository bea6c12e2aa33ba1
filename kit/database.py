"""The database beside the ORM: its clock, its locks by name, and cursors that only read."""

from datetime import UTC, datetime

from django.db import connection, connections, router
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
