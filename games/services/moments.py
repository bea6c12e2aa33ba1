"""Moments: the database's clock, and milliseconds as an aware time."""

from datetime import UTC, datetime

from django.db import connection


def database_now_ms() -> int:
    """The database's clock: the one authority for every deadline, in milliseconds since 1970."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint")
        return int(cursor.fetchone()[0])


def moment(ms: int) -> datetime:
    """Milliseconds since 1970 as an aware time."""
    return datetime.fromtimestamp(ms / 1000, tz=UTC)
