"""What the books seal of the ratings."""

from django.db import migrations

from accounts.frozen_sql import frozen


class Migration(migrations.Migration):
    dependencies = [("ratings", "0002_append_only")]

    operations = [*frozen(__file__, "0003_streams")]
