"""The rows that justify welcome credits and what the owner orders, and the rule that asks for them.

Welcome credits given before get their row here. Grants and purchases were never made by the
application, so those of a house that has some are for its owner to warrant; until then the audit
names them.
"""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

import ledger.models.credits
from ledger.migrations._frozen import frozen

WELCOMES = """
INSERT INTO ledger_welcome (user_id, amount_cents, given_at)
SELECT a.owner_id, e.amount_cents, t.created_at
FROM ledger_transfer t
JOIN ledger_entry e ON e.transfer_id = t.id
JOIN ledger_account a ON a.id = e.account_id AND a.kind = 'wallet'
WHERE t.kind = 'welcome' AND t.key = 'promo:welcome:' || a.owner_id
"""


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0005_guests"),
        ("ledger", "0008_people_at_stakes"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Welcome",
            fields=[
                (
                    "user",
                    models.OneToOneField(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("amount_cents", models.BigIntegerField()),
                (
                    "given_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("amount_cents__gt", 0)),
                        name="welcome_is_worth_something",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Warrant",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.CharField(max_length=200, unique=True)),
                ("kind", models.CharField(max_length=20)),
                ("amount_cents", models.BigIntegerField(null=True)),
                ("reason", models.CharField(max_length=500)),
                (
                    "made_by_role",
                    models.CharField(db_default=ledger.models.credits.SessionUser(), max_length=63),
                ),
                (
                    "made_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
                (
                    "actor",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("kind__in", ("grant", "purchase", "chargeback", "reverse")),
                            models.Q(("reason", ""), _negated=True),
                        ),
                        name="warrant_says_why",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("amount_cents", None), ("kind", "reverse"), ("user", None)),
                            models.Q(
                                models.Q(("kind", "reverse"), _negated=True),
                                ("amount_cents__isnull", False),
                                ("user__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="warrant_is_whole",
                    ),
                ],
            },
        ),
        frozen("0009_justified"),
        migrations.RunSQL(WELCOMES, migrations.RunSQL.noop),
    ]
