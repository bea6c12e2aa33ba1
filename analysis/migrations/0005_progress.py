"""Sums of full reports by theme, and their errors as exercises."""

import django.db.models.deletion
from django.db import migrations, models

from accounts.frozen_sql import frozen


class Migration(migrations.Migration):
    dependencies = [
        ("analysis", "0004_exercises"),
    ]

    operations = [
        migrations.CreateModel(
            name="ErrorExercise",
            fields=[
                (
                    "decision",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="analysis.decisionrow",
                    ),
                ),
                ("seat", models.PositiveSmallIntegerField()),
                ("theme", models.CharField(max_length=12)),
                ("loss", models.FloatField()),
                (
                    "report",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="analysis.report",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["theme", "-decision"], name="error_exercise_by_theme")
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("seat__in", (0, 1))), name="error_exercise_has_a_seat"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ThemeSum",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("seat", models.PositiveSmallIntegerField()),
                ("theme", models.CharField(max_length=12)),
                ("counted", models.PositiveIntegerField()),
                ("lost", models.FloatField()),
                ("counted_lost", models.FloatField()),
                ("squares", models.FloatField()),
                ("gift", models.FloatField()),
                ("in_points", models.BooleanField()),
                (
                    "report",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="sums",
                        to="analysis.report",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("report", "seat", "theme"), name="theme_sum_once_a_seat"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("seat__in", (0, 1))), name="theme_sum_has_a_seat"
                    ),
                ],
            },
        ),
        *frozen(__file__, "0005_progress"),
    ]
