"""Locked credits of a player are found without reading the presents of all others."""

from django.db import migrations

from accounts.frozen_sql import frozen


class Migration(migrations.Migration):
    dependencies = [("ledger", "0003_deletions")]

    operations = [*frozen(__file__, "0004_promo")]
