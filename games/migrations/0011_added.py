"""Nothing is added to the escrow of a match."""

from django.db import migrations

from accounts.frozen_sql import frozen


class Migration(migrations.Migration):
    dependencies = [("games", "0010_arranged_tables"), ("ledger", "0007_added")]

    operations = [*frozen(__file__, "0011_justified")]
