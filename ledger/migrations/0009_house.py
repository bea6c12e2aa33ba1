"""The rule that two people decide what moves credits or liability in the settings of the house."""

from django.db import migrations

from accounts.frozen_sql import frozen


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0009_house"),
        ("ledger", "0008_unchecked"),
    ]

    operations = frozen(__file__, "0009_house", "0009_watching")
