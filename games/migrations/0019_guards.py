"""The database writes outages; complaints about talk and what follows from them are guarded."""

from django.db import migrations

from accounts.frozen_sql import frozen


class Migration(migrations.Migration):
    dependencies = [("games", "0018_log_of_all_dice"), ("ledger", "0015_people")]

    operations = [*frozen(__file__, "0019_guards", "0019_rights")]
