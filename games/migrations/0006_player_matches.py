"""What each finished match adds to the statistics of its two players."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0005_sessions"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="PlayerMatch",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("seat", models.PositiveSmallIntegerField()),
                ("is_open", models.BooleanField()),
                ("ended_at", models.DateTimeField()),
                ("single_won", models.PositiveIntegerField(default=0)),
                ("gammon_won", models.PositiveIntegerField(default=0)),
                ("backgammon_won", models.PositiveIntegerField(default=0)),
                ("single_lost", models.PositiveIntegerField(default=0)),
                ("gammon_lost", models.PositiveIntegerField(default=0)),
                ("backgammon_lost", models.PositiveIntegerField(default=0)),
                ("doubled", models.PositiveIntegerField(default=0)),
                ("taken", models.PositiveIntegerField(default=0)),
                ("dropped", models.PositiveIntegerField(default=0)),
                (
                    "match",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="sides",
                        to="games.match",
                    ),
                ),
                (
                    "opponent",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["player", "-ended_at", "-id"], name="side_by_player"),
                    models.Index(
                        fields=["player", "opponent", "-ended_at", "-id"], name="side_by_opponent"
                    ),
                    models.Index(fields=["ended_at"], name="side_by_end"),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("match", "seat"), name="side_once_a_match"),
                    models.CheckConstraint(
                        condition=models.Q(("seat__in", (0, 1))), name="side_is_a_seat"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("player", models.F("opponent")), _negated=True),
                        name="side_has_an_opponent",
                    ),
                ],
            },
        ),
    ]
