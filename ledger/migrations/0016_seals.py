"""Sealing does not wait for VACUUM."""

from django.db import migrations

from accounts.frozen_sql import frozen


class Migration(migrations.Migration):
    dependencies = [("ledger", "0015_people")]

    operations = [*frozen(__file__, "0016_seals")]
