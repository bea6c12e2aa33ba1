"""Holds on credits, and winnings that wait for a check before they are paid out."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

from accounts.frozen_sql import frozen


class Migration(migrations.Migration):
    dependencies = [
        ("ledger", "0004_promo"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Clearance",
            fields=[
                ("reference", models.CharField(max_length=200, primary_key=True, serialize=False)),
                (
                    "cleared_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Hold",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("reference", models.CharField(max_length=200)),
                ("amount_cents", models.BigIntegerField()),
                ("reason_class", models.CharField(max_length=20)),
                (
                    "placed_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
                ("ends_at", models.DateTimeField()),
                ("released_at", models.DateTimeField(blank=True, null=True)),
                ("release_reason", models.CharField(blank=True, max_length=100)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("released_at__isnull", True)),
                        fields=["user"],
                        name="hold_in_force",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("reference", "user"), name="hold_once_a_reference"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("amount_cents__gt", 0), ("ends_at__gt", models.F("placed_at"))
                        ),
                        name="hold_holds",
                    ),
                ],
            },
        ),
        *frozen(__file__, "0005_holds", "0005_promo", "0005_posting", "0005_watching"),
    ]
