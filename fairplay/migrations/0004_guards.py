"""Opinions stand behind the journal, and the journal behind opinions."""

from django.db import migrations

from accounts.frozen_sql import frozen


class Migration(migrations.Migration):
    dependencies = [("fairplay", "0003_judges"), ("ledger", "0012_guarding")]

    operations = frozen(__file__, "0004_guards")
