"""Transfers of chouettes are justified by chouettes."""

from django.db import migrations

from accounts.frozen_sql import frozen


class Migration(migrations.Migration):
    dependencies = [("games", "0011_added")]

    operations = [*frozen(__file__, "0012_justified")]
