"""The SQL of migrations: each function, trigger and grant stands once, in `migrations/sql/`.

`0001_initial` runs `NAME.sql`. A text that a release has run is never edited: a change is a whole
new text `NAME_0002.sql`, written to run over the former one (CREATE OR REPLACE, DROP IF EXISTS),
and a migration that runs it. The newest text of a name is in force.
"""

from pathlib import Path

from django.db.migrations import RunSQL


def sql_of(migration: str, *names: str) -> list[RunSQL]:
    """Run `sql/<name>.sql` next to a migration's own file; not reversible.

    Functions may name what a later text makes.
    """
    folder = Path(migration).with_name("sql")
    texts = [(folder / f"{name}.sql").read_text(encoding="utf-8") for name in names]
    return [RunSQL(text, RunSQL.noop) for text in ("SET LOCAL check_function_bodies = off", *texts)]
