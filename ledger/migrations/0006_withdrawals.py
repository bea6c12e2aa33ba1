"""Stakes that are booked alone and can be taken back alone."""

from django.db import migrations, models

from accounts.frozen_sql import frozen

KINDS = [
    "welcome", "voucher", "grant", "purchase", "chargeback", "stake", "result", "tie",
    "adjudicate", "void", "withdraw", "payout_request", "payout_paid", "payout_return", "adjust",
    "correct", "reverse",
]  # fmt: skip


class Migration(migrations.Migration):
    dependencies = [("ledger", "0005_holds")]

    operations = [
        migrations.RemoveConstraint(model_name="transfer", name="transfer_kind_known"),
        migrations.AddConstraint(
            model_name="transfer",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", KINDS)), name="transfer_kind_known"
            ),
        ),
        *frozen(
            __file__, "0006_posting", "0006_limits", "0006_promo", "0006_holds", "0006_justified"
        ),
    ]
