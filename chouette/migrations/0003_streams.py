"""The books seal every event and every roll of a chouette."""

from django.db import migrations

from accounts.frozen_sql import frozen


class Migration(migrations.Migration):
    dependencies = [("chouette", "0002_log"), ("ledger", "0011_two_people")]

    operations = [*frozen(__file__, "0003_streams")]
