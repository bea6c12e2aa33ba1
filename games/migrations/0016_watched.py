"""Every version of a match and of the prices is logged by the books (ledger/sql/watched.sql)."""

from django.db import migrations


def _watched(table: str, key: str) -> migrations.RunSQL:
    return migrations.RunSQL(
        f"SELECT change_watch('{table}', '{key}')",
        f"DROP TRIGGER change_noted ON {table}",
    )


class Migration(migrations.Migration):
    dependencies = [("games", "0015_match_rated"), ("ledger", "0010_changes")]

    operations = [_watched("games_match", "id"), _watched("games_houseprices", "number")]
