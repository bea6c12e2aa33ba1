"""Winnings that nobody has checked are found from the newest entry back, not among all of a wallet."""

from django.db import migrations

from accounts.frozen_sql import frozen


class Migration(migrations.Migration):
    dependencies = [("ledger", "0007_added")]

    operations = [*frozen(__file__, "0008_unchecked")]
