"""Emptying a database of a few rows should not cost forty new files a time.

TRUNCATE gives every table and index a new file, a third of a second for ours; deleting the few
rows that a test left takes a hundredth of that. Guards that refuse DELETE, and foreign keys, are
passed over as only a superuser can; where the tests may not do that, TRUNCATE does the work.

After a flush Django creates roles and permissions again, app by app, in a tenth of a second. They
are kept instead, and created again only after a test that changed them. The list of the tables is
cached as well: after the migrations it is the same for every test.
"""

import threading
from typing import Any

from django.core.management.color import Style
from django.db.backends.postgresql.introspection import (
    DatabaseIntrospection as PostgresIntrospection,
)
from django.db.backends.postgresql.operations import DatabaseOperations as PostgresOperations

from pasch.postgresql import base

#: rows that belong to the schema: made after migrations, the same for every test.
KEPT = {
    "django_content_type",
    "auth_permission",
    "auth_group",
    "auth_group_permissions",
}
#: the content of the kept rows, without their ids
KEPT_STATE = """
SELECT md5(string_agg(line, E'\n' ORDER BY line)) FROM (
    SELECT app_label || '.' || model FROM django_content_type
    UNION ALL SELECT codename || ' ' || name FROM auth_permission
    UNION ALL SELECT name FROM auth_group
    UNION ALL SELECT g.name || ' may ' || p.codename
    FROM auth_group_permissions AS gp
    JOIN auth_group AS g ON g.id = gp.group_id JOIN auth_permission AS p ON p.id = gp.permission_id
) AS kept (line)
"""


def _part(table: str, untouched: bool) -> str:
    """The condition that keeps the versions of the kept rows in the log of changes."""
    if not untouched or table != "ledger_change":
        return ""
    kept = ", ".join(f"'{name}'" for name in sorted(KEPT))
    return f" WHERE table_name NOT IN ({kept})"


class DatabaseOperations(PostgresOperations):
    """PostgreSQL's operations with a quicker way to empty everything."""

    #: the state of the kept rows after the migrations; None until `remember_kept`
    kept_state: str | None = None

    def remember_kept(self) -> None:
        """Remember the rows that the migrations made as the kept rows."""
        DatabaseOperations.kept_state = self._kept_state()

    def sql_flush(
        self,
        style: Style,
        tables: list[str],
        *,
        reset_sequences: bool = False,
        allow_cascade: bool = False,
    ) -> list[str]:
        """The statements that empty every table; none if the tables are empty already.

        Django sends `post_migrate` only after statements, so nothing else is done while the kept
        rows are unchanged.
        """
        if reset_sequences or not self._may_pass_over_guards():
            return super().sql_flush(
                style, tables, reset_sequences=reset_sequences, allow_cascade=allow_cascade
            )
        untouched = self.kept_state is not None and self._kept_state() == self.kept_state
        filled = self._filled([table for table in tables if not (untouched and table in KEPT)])
        statements = [
            "SET session_replication_role = replica",
            *(f"DELETE FROM {self.quote_name(table)}{_part(table, untouched)}" for table in filled),
            "RESET session_replication_role",
        ]
        if not untouched:
            return statements
        self.execute_sql_flush(statements)
        return []

    def _kept_state(self) -> str:
        with self.connection.cursor() as cursor:
            cursor.execute(KEPT_STATE)
            return str(cursor.fetchone()[0])

    def _may_pass_over_guards(self) -> bool:
        with self.connection.cursor() as cursor:
            cursor.execute("SELECT current_setting('is_superuser')")
            return cursor.fetchone() == ("on",)

    def _filled(self, tables: list[str]) -> list[str]:
        """Those of the tables that have any row, with one query."""
        if not tables:
            return []
        parts = [
            f"SELECT '{table}' WHERE EXISTS (SELECT FROM {self.quote_name(table)})"
            for table in tables
        ]
        with self.connection.cursor() as cursor:
            cursor.execute(" UNION ALL ".join(parts))
            return [row[0] for row in cursor.fetchall()]


class DatabaseIntrospection(PostgresIntrospection):
    """PostgreSQL's tables, looked up once after the migrations."""

    def __init__(self, connection: Any) -> None:
        super().__init__(connection)
        self.known_names: dict[tuple[bool, bool], list[str]] = {}

    def django_table_names(
        self, only_existing: bool = False, include_views: bool = True
    ) -> list[str]:
        """The tables of all models."""
        if DatabaseOperations.kept_state is None:
            return super().django_table_names(only_existing, include_views)
        asked = (only_existing, include_views)
        if asked not in self.known_names:
            self.known_names[asked] = super().django_table_names(only_existing, include_views)
        return list(self.known_names[asked])


#: the thread, pool and connection of each one that a pool has handed out, by the id of the last
_handed_out: dict[int, tuple[threading.Thread, Any, Any]] = {}


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection whose operations and tables are the ones above."""

    ops_class = DatabaseOperations
    introspection_class = DatabaseIntrospection

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """A connection, noted together with its thread."""
        connection = super().get_new_connection(conn_params)
        if self.pool:
            _handed_out[id(connection)] = (threading.current_thread(), self.pool, connection)
        return connection

    def _close(self) -> None:
        _handed_out.pop(id(self.connection), None)
        super()._close()


def connections_give_back() -> None:
    """Give the pool the connections of threads that have ended without closing theirs.

    The threads of the web server close theirs after each request or keep them as long as the
    process lives. Those of a test end with it, and without this the pool of the worker would be
    smaller from then on.
    """
    for key, (thread, pool, connection) in list(_handed_out.items()):
        if not thread.is_alive():
            del _handed_out[key]
            pool.putconn(connection)
