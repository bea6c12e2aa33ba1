"""Limits, payouts, vouchers and adjustments: what the database itself holds them to."""

from pathlib import Path

from django.db import migrations

SQL = Path(__file__).parents[1] / "sql"


class Migration(migrations.Migration):
    dependencies = [("ledger", "0003_desk")]

    operations = [
        migrations.RunSQL((SQL / name).read_text(encoding="utf-8"), migrations.RunSQL.noop)
        for name in ("limits.sql", "payouts.sql")
    ]
