"""Credits that the house adds to an escrow."""

from django.db import migrations, models

from accounts.frozen_sql import frozen

KINDS = [
    "welcome", "voucher", "grant", "purchase", "chargeback", "stake", "result", "tie",
    "adjudicate", "void", "withdraw", "add", "payout_request", "payout_paid", "payout_return",
    "adjust", "correct", "reverse",
]  # fmt: skip
RULED = ["add", "payout_paid", "adjust", "correct", "reverse"]


class Migration(migrations.Migration):
    dependencies = [("ledger", "0006_withdrawals")]

    operations = [
        migrations.RemoveConstraint(model_name="transfer", name="transfer_kind_known"),
        migrations.AddConstraint(
            model_name="transfer",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", KINDS)), name="transfer_kind_known"
            ),
        ),
        migrations.RemoveConstraint(
            model_name="transfer", name="transfer_by_hand_names_who_and_why"
        ),
        migrations.AddConstraint(
            model_name="transfer",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("kind__in", RULED), _negated=True),
                    models.Q(("actor__isnull", False), models.Q(("memo", ""), _negated=True)),
                    _connector="OR",
                ),
                name="transfer_by_hand_names_who_and_why",
            ),
        ),
        *frozen(__file__, "0007_posting", "0007_justified"),
    ]
