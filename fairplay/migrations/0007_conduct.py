"""Conduct says of both players how their match ended."""

from django.db import migrations

from accounts.frozen_sql import frozen


class Migration(migrations.Migration):
    dependencies = [("fairplay", "0006_prolonged")]

    operations = frozen(__file__, "0007_conduct")
