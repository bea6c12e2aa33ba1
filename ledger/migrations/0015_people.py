"""Flags of accounts, tokens and marks of logins are guarded."""

from django.db import migrations

from accounts.frozen_sql import frozen


class Migration(migrations.Migration):
    dependencies = [("ledger", "0014_guarding"), ("accounts", "0012_two_people")]

    operations = [*frozen(__file__, "0015_watched", "0015_people")]
