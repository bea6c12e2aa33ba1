"""An account is deleted only while no credits of it are on their way."""

from django.db import migrations

from accounts.frozen_sql import frozen


class Migration(migrations.Migration):
    dependencies = [("ledger", "0002_promo"), ("accounts", "0004_deletions")]

    operations = [*frozen(__file__, "0003_deletions")]
