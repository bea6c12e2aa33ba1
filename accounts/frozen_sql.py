"""The SQL of migrations: an app's migrations run frozen copies in `migrations/sql/`.

The current text is in `sql/` of the app. A change there comes with a migration that
carries its own copy, which is never edited once it is committed (tests/platform/test_guards.py
compares what both lead to).
"""

from pathlib import Path

from django.db.migrations import RunSQL


def frozen(migration: str, *names: str) -> list[RunSQL]:
    """Run `sql/<name>.sql` next to a migration's own file; not reversible."""
    folder = Path(migration).with_name("sql")
    texts = [(folder / f"{name}.sql").read_text(encoding="utf-8") for name in names]
    return [RunSQL(text, RunSQL.noop) for text in texts]
