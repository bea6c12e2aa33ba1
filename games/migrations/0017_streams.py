"""What the books seal of the games."""

from django.db import migrations

from accounts.frozen_sql import frozen


class Migration(migrations.Migration):
    dependencies = [("games", "0016_watched"), ("ledger", "0016_streams")]

    operations = [*frozen(__file__, "0017_streams")]
