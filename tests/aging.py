"""Rows made older, or otherwise, than the guards of the database allow: the one way for tests."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection
from django.db.backends.utils import CursorWrapper
from django.db.models import Model, QuerySet


@contextmanager
def guards_off() -> Iterator[CursorWrapper]:
    """Changes that only the owner of the database can make, past every trigger."""
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
        try:
            yield cursor
        finally:
            cursor.execute("SET session_replication_role = origin")


def rows_age(rows: QuerySet[Any], **values: Any) -> int:
    """Update rows as if they had been so from the beginning: their last logged version follows."""
    table = rows.model._meta.db_table
    with guards_off() as cursor:
        changed = rows.update(**values)
        cursor.execute(
            "UPDATE ledger_change c SET content = now.content FROM pg_trigger g"
            " CROSS JOIN LATERAL change_rows(%s) now CROSS JOIN LATERAL (SELECT max(v.id) AS id"
            " FROM ledger_change v WHERE v.table_name = %s AND v.row_key = now.row_key) last"
            " WHERE g.tgname = 'change_noted' AND g.tgrelid = %s::regclass AND c.id = last.id"
            " AND c.content IS DISTINCT FROM now.content",
            [table, table, table],
        )
    return changed


def row_made(row: Model) -> None:
    """Store a row that nothing justifies; it is not in the log."""
    with guards_off():
        row.save(force_insert=True)
