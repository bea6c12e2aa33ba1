"""SQL as a migration ran it: what an app's migrations run stands in `migrations/sql/`, frozen.

The text in force now stands in `sql/` of the app. A change there comes with a migration that
carries its own copy, which is never edited once it is committed (tests/platform/test_guards.py
compares what both lead to).
"""

from pathlib import Path

from django.db.migrations import RunSQL


def frozen(migration: str, *names: str) -> list[RunSQL]:
    """Run `sql/<name>.sql` beside a migration's own file; there is no way back."""
    folder = Path(migration).with_name("sql")
    texts = [(folder / f"{name}.sql").read_text(encoding="utf-8") for name in names]
    return [RunSQL(text, RunSQL.noop) for text in texts]
