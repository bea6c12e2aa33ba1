"""Bars on new tables."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

from accounts.frozen_sql import frozen


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0007_learning"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Bar",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("stakes", "games for credits"),
                            ("rated", "games for credits and rated games"),
                            ("lobby", "all games against others"),
                            ("meeting", "games for credits and rated games against one player"),
                        ],
                        max_length=8,
                    ),
                ),
                ("reference", models.CharField(max_length=100)),
                ("placed_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("ends_at", models.DateTimeField(blank=True, null=True)),
                ("lifted_at", models.DateTimeField(blank=True, null=True)),
                (
                    "other",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
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
                        condition=models.Q(("lifted_at__isnull", True)),
                        fields=["user"],
                        name="bar_in_force",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("reference", "user", "kind"), name="bar_once"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("kind__in", ["stakes", "rated", "lobby"]), ("other__isnull", True)
                            ),
                            models.Q(
                                ("kind", "meeting"),
                                ("other__gt", models.F("user")),
                                ("other__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="bar_is_one",
                    ),
                ],
            },
        ),
        *frozen(__file__, "0008_watched"),
    ]
