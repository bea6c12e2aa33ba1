"""Clubs, their members, decisions about names and the call of a pairing are guarded."""

from django.db import migrations

from accounts.frozen_sql import frozen


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0007_guards"), ("ledger", "0015_people")]

    operations = [*frozen(__file__, "0008_clubs", "0008_called")]
