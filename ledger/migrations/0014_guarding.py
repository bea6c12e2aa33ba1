"""Guards of rows without a log, and references of tests that name nothing."""

from django.db import migrations

from accounts.frozen_sql import frozen


class Migration(migrations.Migration):
    dependencies = [("ledger", "0013_bots")]

    operations = frozen(__file__, "0014_guarding")
