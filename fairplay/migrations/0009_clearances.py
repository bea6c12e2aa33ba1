"""A gain is cleared after its result was screened."""

from django.db import migrations

from accounts.frozen_sql import frozen


class Migration(migrations.Migration):
    dependencies = [("fairplay", "0008_openings"), ("ledger", "0015_people")]

    operations = [*frozen(__file__, "0009_clearances")]
