"""Two people decide by one rule, and a payout whose approval no longer stands goes back."""

from django.db import migrations

from accounts.frozen_sql import frozen


class Migration(migrations.Migration):
    dependencies = [("accounts", "0012_two_people"), ("ledger", "0010_gains")]

    operations = [
        migrations.RemoveConstraint("payoutstep", "payout_step_once"),
        migrations.RemoveConstraint("payout", "payout_cancel_asked_after_approval"),
        *frozen(__file__, "0011_two_people"),
    ]
