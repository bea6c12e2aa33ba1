"""Locked credits are added up in one query, and not at all where a wallet holds more than they are."""

from django.db import migrations

from accounts.frozen_sql import frozen


class Migration(migrations.Migration):
    dependencies = [("ledger", "0001_initial")]

    operations = [*frozen(__file__, "0002_promo")]
