"""Requests of people to delete their account."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0003_past_names"),
    ]

    operations = [
        migrations.CreateModel(
            name="AccountDeletion",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "asked_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
                ("due_at", models.DateTimeField()),
                ("given_up_cents", models.BigIntegerField(default=0)),
                ("held_by", models.CharField(blank=True, default="", max_length=20)),
                (
                    "outcome",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("", "waiting"),
                            ("kept", "kept"),
                            ("stopped", "stopped"),
                            ("done", "done"),
                        ],
                        default="",
                        max_length=10,
                    ),
                ),
                ("ended_at", models.DateTimeField(null=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="deletions",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("outcome", "")), fields=["due_at"], name="deletion_due"
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("outcome__in", ["", "done"])),
                        fields=("user",),
                        name="deletion_once",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("due_at__gt", models.F("asked_at")),
                            ("given_up_cents__gte", 0),
                            ("outcome__in", ["", "kept", "stopped", "done"]),
                        ),
                        name="deletion_is_one",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("ended_at", None), ("outcome", "")),
                            models.Q(
                                models.Q(("outcome", ""), _negated=True),
                                ("ended_at__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="deletion_ends_once",
                    ),
                ],
            },
        ),
    ]
