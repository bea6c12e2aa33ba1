"""Limits, payouts, vouchers and adjustments: what the database itself holds them to."""

from django.db import migrations

from ledger.migrations._frozen import frozen


class Migration(migrations.Migration):
    dependencies = [("ledger", "0003_desk")]

    operations = [frozen("0004_limits"), frozen("0004_payouts")]
