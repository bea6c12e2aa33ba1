"""Guards of rows that decide about people: rules for columns, reasons, and keys of several columns."""

from django.db import migrations

from accounts.frozen_sql import frozen


class Migration(migrations.Migration):
    dependencies = [("ledger", "0011_two_people")]

    operations = frozen(__file__, "0012_watched", "0012_guarding")
