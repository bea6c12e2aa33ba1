"""Credits won from locked credits are locked with their winner."""

from django.db import migrations

from ledger.migrations._frozen import frozen


class Migration(migrations.Migration):
    dependencies = [("ledger", "0011_payout_states")]

    operations = [frozen("0012_promo_passed")]
