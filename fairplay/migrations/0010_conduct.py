"""Conduct at a match that is voided after its end stays as it was."""

from django.db import migrations

from accounts.frozen_sql import frozen


class Migration(migrations.Migration):
    dependencies = [("fairplay", "0009_clearances")]

    operations = [*frozen(__file__, "0010_conduct")]
