"""Lists of a player's matches are read in their order, each seat by an index of its own."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


def player() -> models.Field:
    """The player of a seat; the indexes of the lists find them, too."""
    return models.ForeignKey(
        db_index=False,
        on_delete=django.db.models.deletion.PROTECT,
        related_name="+",
        to=settings.AUTH_USER_MODEL,
    )


class Migration(migrations.Migration):
    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("games", "0013_covered_indexes"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="match",
            index=models.Index(fields=["player_0", "-ended_at", "-id"], name="match_by_first"),
        ),
        migrations.AddIndex(
            model_name="match",
            index=models.Index(fields=["player_1", "-ended_at", "-id"], name="match_by_second"),
        ),
        migrations.AddIndex(
            model_name="match",
            index=models.Index(
                condition=models.Q(("ended_at__isnull", True)),
                fields=["-started_at", "-id"],
                name="match_running",
            ),
        ),
        migrations.AlterField(model_name="match", name="player_0", field=player()),
        migrations.AlterField(model_name="match", name="player_1", field=player()),
    ]
