"""No stake of a bot, a guest or a closed account; a self-exclusion follows the mailbox."""

from django.db import migrations

from ledger.migrations._frozen import frozen


class Migration(migrations.Migration):
    dependencies = [("ledger", "0007_step_mails"), ("accounts", "0007_mailboxes")]

    operations = [frozen("0008_people_at_stakes")]
