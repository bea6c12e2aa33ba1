"""Rows made older, or otherwise, than the guards of the database allow: the one way for tests."""

from typing import Any

from django.db import connection
from django.db.models import Model, QuerySet


def rows_age(rows: QuerySet[Any], **values: Any) -> int:
    """Update rows as if they had been so from the beginning: their last logged version follows."""
    table = rows.model._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
        try:
            changed = rows.update(**values)
            cursor.execute(
                "UPDATE ledger_change c SET content = now.content FROM pg_trigger g"
                " CROSS JOIN LATERAL change_rows(%s) now CROSS JOIN LATERAL (SELECT max(v.id) AS id"
                " FROM ledger_change v WHERE v.table_name = %s AND v.row_key = now.row_key) last"
                " WHERE g.tgname = 'change_noted' AND g.tgrelid = %s::regclass AND c.id = last.id"
                " AND c.content IS DISTINCT FROM now.content",
                [table, table, table],
            )
        finally:
            cursor.execute("SET session_replication_role = origin")
    return changed


def row_made(row: Model) -> None:
    """Store a row that nothing justifies; it is not in the log."""
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
        try:
            row.save(force_insert=True)
        finally:
            cursor.execute("SET session_replication_role = origin")
