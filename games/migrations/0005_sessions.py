"""The games of an ended session, and how many of them are rated."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0004_refused_commands")]

    operations = [
        migrations.AddField(
            "match",
            "games",
            models.JSONField(default=list, db_default=models.Value([], models.JSONField())),
        ),
        migrations.AddField(
            "match", "rated_games", models.PositiveIntegerField(null=True, blank=True)
        ),
        migrations.RunSQL("SELECT change_take('games_match')", migrations.RunSQL.noop),
    ]
