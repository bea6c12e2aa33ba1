"""The streams of rows that are sealed, as the SQL of the apps (`streams.sql`) names them."""

from typing import NamedTuple

from django.db import connection


class Stream(NamedTuple):
    """One kind of rows: its table, its key, and its time column."""

    name: str
    table: str
    key: str
    stored: str


def streams() -> list[Stream]:
    """Every stream, by name."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT name, s.relation::text, s.key, s.stored"
            " FROM ledger_streams() name, ledger_stream_table(name) s ORDER BY name"
        )
        return [Stream(*row) for row in cursor.fetchall()]
