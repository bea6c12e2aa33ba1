"""An account with credits that could be paid out becomes no bot's, whoever writes it."""

from django.db import migrations

from accounts.frozen_sql import frozen


class Migration(migrations.Migration):
    dependencies = [("ledger", "0012_guarding")]

    operations = [*frozen(__file__, "0013_bots")]
