"""Reports of clubs, and what moderators took away from one."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="club",
            name="unnamed",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.CreateModel(
            name="ClubRemoval",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(blank=True, max_length=40)),
                ("name_key", models.CharField(blank=True, max_length=160)),
                ("about", models.TextField(blank=True, max_length=1000)),
                ("taken_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("given_back_at", models.DateTimeField(blank=True, null=True)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="removals",
                        to="tournaments.club",
                    ),
                ),
                (
                    "taken_by",
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
                        condition=models.Q(("given_back_at__isnull", True), ("name__gt", "")),
                        fields=["name_key"],
                        name="club_name_withdrawn",
                    )
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("name__gt", ""), ("about__gt", ""), _connector="OR"),
                        name="club_removal_of_something",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ClubReport",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=40)),
                ("about", models.TextField(blank=True, max_length=1000)),
                ("reason", models.CharField(max_length=16)),
                ("words", models.CharField(blank=True, max_length=300)),
                ("made_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("outcome", models.CharField(blank=True, max_length=16)),
                ("closed_at", models.DateTimeField(blank=True, null=True)),
                (
                    "closed_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="reports",
                        to="tournaments.club",
                    ),
                ),
                (
                    "reporter",
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
                        condition=models.Q(("outcome", "")),
                        fields=["made_at"],
                        name="club_report_open_by_age",
                    ),
                    models.Index(fields=["reporter", "-made_at"], name="club_report_by_reporter"),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("outcome", "")),
                        fields=("club", "reporter"),
                        name="club_report_open_once",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("closed_at", None), ("closed_by", None), ("outcome", "")),
                            models.Q(
                                ("closed_at__isnull", False),
                                ("closed_by__isnull", False),
                                ("outcome__gt", ""),
                            ),
                            _connector="OR",
                        ),
                        name="club_report_closed_by_somebody",
                    ),
                ],
            },
        ),
    ]
