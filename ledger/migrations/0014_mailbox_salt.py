"""The salt of the mailboxes is never replaced: no self-exclusion would find its mailbox."""

from django.db import migrations

from ledger.migrations._frozen import frozen


class Migration(migrations.Migration):
    dependencies = [("ledger", "0013_vouchers")]

    operations = [frozen("0014_mailbox_salt")]
