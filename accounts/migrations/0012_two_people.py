"""One rule for every decision of two people, asked by services and triggers."""

from django.db import migrations

from accounts.frozen_sql import frozen


class Migration(migrations.Migration):
    dependencies = [("accounts", "0011_stuck")]

    operations = [*frozen(__file__, "0012_two_people")]
