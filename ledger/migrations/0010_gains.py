"""A clearance is of one player's gain, and members of a chouette have played against its box alone."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

from accounts.frozen_sql import frozen

_ASIDE = """
    ALTER TABLE ledger_clearance RENAME CONSTRAINT ledger_clearance_pkey TO ledger_clearance_before_pkey;
    ALTER TABLE ledger_clearance RENAME TO ledger_clearance_before;
"""
_TAKEN_OVER = """
    INSERT INTO ledger_clearance (reference, user_id, cleared_at)
    SELECT DISTINCT c.reference, a.owner_id, c.cleared_at
    FROM ledger_clearance_before c JOIN ledger_transfer t ON t.reference = c.reference
    JOIN ledger_entry e ON e.transfer_id = t.id
    JOIN ledger_account a ON a.id = e.account_id AND a.kind = 'wallet';
    DROP TABLE ledger_clearance_before;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("ledger", "0009_house"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RunSQL(
            _ASIDE, migrations.RunSQL.noop, state_operations=[migrations.DeleteModel("Clearance")]
        ),
        migrations.CreateModel(
            name="Clearance",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "reference", "user_id", blank=True, editable=False, primary_key=True,
                        serialize=False,
                    ),
                ),
                ("reference", models.CharField(max_length=200)),
                (
                    "cleared_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
                (
                    "user",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        *frozen(__file__, "0010_holds", "0010_promo"),
        migrations.RunSQL(_TAKEN_OVER, migrations.RunSQL.noop),
    ]  # fmt: skip
