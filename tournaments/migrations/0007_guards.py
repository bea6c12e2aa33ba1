"""Events are sealed, and what is written beside them is watched."""

from django.db import migrations

from accounts.frozen_sql import frozen


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0006_journal"), ("ledger", "0011_two_people")]

    operations = [*frozen(__file__, "0007_streams", "0007_watched")]
