"""Both reviewers of a verdict answer for it when it takes effect."""

from django.db import migrations

from accounts.frozen_sql import frozen


class Migration(migrations.Migration):
    dependencies = [("accounts", "0012_two_people"), ("fairplay", "0002_gains")]

    operations = [*frozen(__file__, "0003_judges")]
