"""Reports of the names of tournaments, and names that moderators took away."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

from accounts.frozen_sql import frozen


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0002_club_words"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AlterField(
            model_name="tournament",
            name="name",
            field=models.CharField(blank=True, max_length=60),
        ),
        migrations.CreateModel(
            name="TournamentRemoval",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name_key", models.CharField(blank=True, max_length=160)),
                ("taken_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("given_back_at", models.DateTimeField(blank=True, null=True)),
                ("name", models.CharField(max_length=60)),
                (
                    "taken_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="removals",
                        to="tournaments.tournament",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("given_back_at__isnull", True)),
                        fields=["name_key"],
                        name="tournament_name_withdrawn",
                    )
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("name__gt", "")), name="tournament_removal_of_something"
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("given_back_at__isnull", True)),
                        fields=("tournament",),
                        name="tournament_name_taken_once",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="TournamentReport",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("reason", models.CharField(max_length=16)),
                ("words", models.CharField(blank=True, max_length=300)),
                ("made_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("outcome", models.CharField(blank=True, max_length=16)),
                ("closed_at", models.DateTimeField(blank=True, null=True)),
                ("name", models.CharField(max_length=60)),
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
                    "reporter",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="reports",
                        to="tournaments.tournament",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("outcome", "")),
                        fields=["made_at"],
                        name="tournament_report_open_by_age",
                    ),
                    models.Index(
                        fields=["reporter", "-made_at"], name="tournament_report_by_reporter"
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("outcome", "")),
                        fields=("tournament", "reporter"),
                        name="tournament_report_open_once",
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
                        name="tournament_report_closed_by_somebody",
                    ),
                ],
            },
        ),
        *frozen(__file__, "0003_titles"),
    ]
