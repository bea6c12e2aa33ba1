"""Payouts are taken before they are paid; promotional credits are played for before they leave."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

from ledger.migrations._frozen import frozen


class Migration(migrations.Migration):
    dependencies = [
        ("ledger", "0010_changes"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="PromoCredit",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "account_id",
                        "account_version",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("account_version", models.BigIntegerField()),
                ("amount_cents", models.BigIntegerField()),
                (
                    "account",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="ledger.account",
                    ),
                ),
                (
                    "transfer",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="ledger.transfer",
                    ),
                ),
            ],
            options={
                "db_table": "ledger_promo",
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("amount_cents__gt", 0)), name="promo_brings_credits"
                    )
                ],
            },
        ),
        migrations.RemoveConstraint(
            model_name="payout",
            name="payout_is_one",
        ),
        migrations.RemoveConstraint(
            model_name="payout",
            name="payout_closed_by_somebody",
        ),
        migrations.RemoveConstraint(
            model_name="payout",
            name="payout_cancelled_by_the_player_alone",
        ),
        migrations.RemoveConstraint(
            model_name="payout",
            name="payout_four_eyes",
        ),
        migrations.RemoveConstraint(
            model_name="payout",
            name="payout_large_waits",
        ),
        migrations.RemoveIndex(
            model_name="payout",
            name="payout_open",
        ),
        migrations.AddField(
            model_name="payout",
            name="cancel_asked_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="payout",
            name="claimed_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="payout",
            name="claimed_by",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="payout",
            name="large_from_cents",
            field=models.BigIntegerField(default=0),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="payout",
            name="wait_hours",
            field=models.IntegerField(default=0),
            preserve_default=False,
        ),
        migrations.AlterField(
            model_name="payout",
            name="not_before",
            field=models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
        ),
        migrations.AlterField(
            model_name="payout",
            name="state",
            field=models.CharField(
                choices=[
                    ("requested", "requested"),
                    ("approved", "approved"),
                    ("paying", "being paid"),
                    ("paid", "paid"),
                    ("declined", "declined"),
                    ("cancelled", "cancelled"),
                    ("failed", "failed"),
                ],
                default="requested",
                max_length=10,
            ),
        ),
        migrations.AlterField(
            model_name="payoutstep",
            name="state",
            field=models.CharField(
                choices=[
                    ("requested", "requested"),
                    ("approved", "approved"),
                    ("paying", "being paid"),
                    ("paid", "paid"),
                    ("declined", "declined"),
                    ("cancelled", "cancelled"),
                    ("failed", "failed"),
                ],
                max_length=10,
            ),
        ),
        frozen("0011_payout_rows"),
        migrations.AddIndex(
            model_name="payout",
            index=models.Index(
                condition=models.Q(("state__in", ("requested", "approved", "paying"))),
                fields=["not_before"],
                name="payout_open",
            ),
        ),
        migrations.AddIndex(
            model_name="payout",
            index=models.Index(fields=["user", "requested_at"], name="payout_of_day"),
        ),
        migrations.AddConstraint(
            model_name="payout",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("amount_cents__gt", 0),
                    (
                        "state__in",
                        [
                            "requested",
                            "approved",
                            "paying",
                            "paid",
                            "declined",
                            "cancelled",
                            "failed",
                        ],
                    ),
                ),
                name="payout_is_one",
            ),
        ),
        migrations.AddConstraint(
            model_name="payout",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("closed_at", None),
                        ("closed_by", None),
                        ("state__in", ("requested", "approved", "paying")),
                    ),
                    models.Q(
                        models.Q(("state__in", ("requested", "approved", "paying")), _negated=True),
                        ("closed_at__isnull", False),
                        ("closed_by__isnull", False),
                    ),
                    _connector="OR",
                ),
                name="payout_closed_by_somebody",
            ),
        ),
        migrations.AddConstraint(
            model_name="payout",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("claimed_at", None), ("claimed_by", None)),
                    models.Q(
                        ("approved_by__isnull", False),
                        ("claimed_at__isnull", False),
                        ("claimed_by__isnull", False),
                    ),
                    _connector="OR",
                ),
                name="payout_claim_whole",
            ),
        ),
        migrations.AddConstraint(
            model_name="payout",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("state__in", ["paying", "paid", "failed"]), _negated=True),
                    ("claimed_by__isnull", False),
                    _connector="OR",
                ),
                name="payout_taken_before_it_is_paid",
            ),
        ),
        migrations.AddConstraint(
            model_name="payout",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("claimed_by", None),
                    models.Q(
                        models.Q(("claimed_by", models.F("user")), _negated=True),
                        models.Q(
                            ("state", "paying"),
                            models.Q(
                                ("closed_by", models.F("claimed_by")),
                                ("state__in", ["paid", "failed", "cancelled"]),
                            ),
                            _connector="OR",
                        ),
                    ),
                    _connector="OR",
                ),
                name="payout_ended_by_the_one_who_took_it",
            ),
        ),
        migrations.AddConstraint(
            model_name="payout",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("cancel_asked_at", None), ("approved_by__isnull", False), _connector="OR"
                ),
                name="payout_cancel_asked_after_approval",
            ),
        ),
        migrations.AddConstraint(
            model_name="payout",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("closed_by", None),
                    models.Q(("closed_by", models.F("user")), ("state", "cancelled")),
                    models.Q(
                        models.Q(("closed_by", models.F("user")), _negated=True),
                        models.Q(
                            models.Q(("state", "cancelled"), _negated=True),
                            ("cancel_asked_at__isnull", False),
                            _connector="OR",
                        ),
                    ),
                    _connector="OR",
                ),
                name="payout_cancelled_as_the_player_wished",
            ),
        ),
        migrations.AddConstraint(
            model_name="payout",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("four_eyes", True), ("state__in", ["paying", "paid"]), _negated=True),
                    models.Q(("claimed_by", models.F("approved_by")), _negated=True),
                    _connector="OR",
                ),
                name="payout_four_eyes",
            ),
        ),
        migrations.AddConstraint(
            model_name="payout",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("state__in", ["paying", "paid"]), _negated=True),
                    ("claimed_at__gte", models.F("not_before")),
                    _connector="OR",
                ),
                name="payout_large_waits",
            ),
        ),
        frozen("0011_promo"),
        frozen("0011_posting"),
        frozen("0011_payouts"),
        frozen("0011_taken"),
    ]
