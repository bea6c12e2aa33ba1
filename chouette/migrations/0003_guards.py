"""Events and rolls are sealed; what is written beside them follows from them and is watched."""

from django.db import migrations

from accounts.frozen_sql import frozen


class Migration(migrations.Migration):
    dependencies = [("chouette", "0002_log"), ("ledger", "0011_two_people")]

    operations = [*frozen(__file__, "0003_streams", "0003_guards")]
