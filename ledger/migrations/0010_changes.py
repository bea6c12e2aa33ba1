"""The log of changes, and seals over everything that decides about credits.

What is there already is logged as it is now, so the first seals cover it.
"""

import django.db.models.functions.datetime
from django.db import migrations, models

import ledger.models.credits
from ledger.migrations._frozen import frozen, watched

WATCHED = (
    "ledger_payout",
    "ledger_payoutstep",
    "ledger_voucher",
    "ledger_adjustment",
    "ledger_proposal",
    "ledger_warrant",
    "ledger_playlimit",
    "ledger_playpause",
    "ledger_stakesstop",
    "auth_group",
    "auth_group_permissions",
    "accounts_rolegrant",
    "accounts_identitychange",
    "accounts_user_groups",
    "accounts_user_user_permissions",
)
PERSON = ("id", "username", "is_superuser", "is_staff", "is_active", "is_bot")


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0010_decision_guards"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("ledger", "0009_justified"),
    ]

    operations = [
        migrations.CreateModel(
            name="Change",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("table_name", models.CharField(max_length=63)),
                ("row_key", models.CharField(max_length=100)),
                ("content", models.JSONField(null=True)),
                (
                    "by_role",
                    models.CharField(db_default=ledger.models.credits.SessionUser(), max_length=63),
                ),
                (
                    "made_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["table_name", "row_key", "-id"], name="change_of_a_row"),
                    models.Index(fields=["made_at"], name="change_by_time"),
                ],
            },
        ),
        migrations.RemoveConstraint(
            model_name="seal",
            name="seal_stream_known",
        ),
        migrations.AddConstraint(
            model_name="seal",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "stream__in",
                        (
                            "transfer",
                            "journal",
                            "change",
                            "event",
                            "roll",
                            "opening",
                            "rating",
                            "audit",
                        ),
                    )
                ),
                name="seal_stream_known",
            ),
        ),
        frozen("0010_watched"),
        frozen("0010_seals"),
        *map(watched, WATCHED),
        watched("ledger_welcome", "user_id"),
        watched("accounts_user", "id", *PERSON),
    ]
