"""Triggers and functions of the books. The SQL lies in ledger/sql, one file per subject."""

from pathlib import Path

from django.db import migrations

SQL = Path(__file__).parents[1] / "sql"


class Migration(migrations.Migration):
    dependencies = [("ledger", "0001_books")]

    operations = [
        migrations.RunSQL((SQL / name).read_text(encoding="utf-8"), migrations.RunSQL.noop)
        for name in ("guards.sql", "posting.sql", "seals.sql", "rights.sql")
    ]
