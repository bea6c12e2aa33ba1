"""Everything that decides about people in cases stands behind the journal, matches and opinions."""

from django.db import migrations

from accounts.frozen_sql import frozen


class Migration(migrations.Migration):
    dependencies = [
        ("fairplay", "0004_guards"),
        ("games", "0018_log_of_all_dice"),
        ("ledger", "0014_guarding"),
    ]

    operations = frozen(__file__, "0005_guards")
