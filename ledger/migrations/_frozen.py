"""SQL as a migration ran it. A file below `sql/` here is never edited once it is committed.

The text in force now stands in `ledger/sql/`; a change there comes with a migration that carries
its own copy (tests/ledger/test_versioned_sql.py compares the two).
"""

from pathlib import Path

from django.db.migrations import RunSQL

_SQL = Path(__file__).parent / "sql"


def frozen(name: str) -> RunSQL:
    """Run the file `sql/<name>.sql` of this folder; there is no way back."""
    return RunSQL((_SQL / f"{name}.sql").read_text(encoding="utf-8"), RunSQL.noop)


def watched(table: str, key: str = "id", *columns: str) -> RunSQL:
    """Log every change of a table's rows from now on, or of these columns of them (change_watch).

    The rows that are there are logged as they are.
    """
    named = "".join(f", '{name}'" for name in columns)
    return RunSQL(
        f"SELECT change_watch('{table}', '{key}'{f', ARRAY[{named[2:]}]' if named else ''})",
        RunSQL.noop,
    )
