"""An exclusion with an address that was never proved binds nobody who proved it."""

from django.db import migrations

from ledger.migrations._frozen import frozen


class Migration(migrations.Migration):
    dependencies = [("ledger", "0014_mailbox_salt")]

    operations = [frozen("0015_proved_exclusions")]
