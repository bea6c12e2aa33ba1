"""Transfers of tournaments are justified by tournaments."""

from django.db import migrations

from accounts.frozen_sql import frozen


class Migration(migrations.Migration):
    dependencies = [("games", "0008_bars"), ("ledger", "0006_withdrawals")]

    operations = [*frozen(__file__, "0009_justified")]
