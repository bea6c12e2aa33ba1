"""The secret of a draw is encrypted until then, and guards check every event of the journal."""

from django.conf import settings
from django.db import migrations, models
from django.db.models import Q

from accounts.frozen_sql import frozen
from games.services.dice.keys import draw_hide


def secrets_hide(apps, schema_editor):
    """Encrypt every secret; those of tournaments without a draw are nowhere else then."""
    tournaments = apps.get_model("tournaments", "Tournament").objects
    for row in tournaments.only("pk", "secret", "drawn_at").iterator():
        secret = "" if row.drawn_at is None else row.secret
        hidden = draw_hide(row.pk, row.secret)
        tournaments.filter(pk=row.pk).update(hidden_secret=hidden, secret=secret)


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0005_invitations"),
        ("games", "0018_log_of_all_dice"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RunSQL("DROP TRIGGER tournament_guard ON tournaments_tournament", ""),
        migrations.AddField(
            model_name="tournament",
            name="hidden_secret",
            field=models.BinaryField(default=b""),
            preserve_default=False,
        ),
        migrations.AlterField(
            model_name="tournament",
            name="secret",
            field=models.CharField(blank=True, editable=False, max_length=64),
        ),
        migrations.RunPython(secrets_hide, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name="tournament",
            constraint=models.CheckConstraint(
                condition=Q(drawn_at__isnull=True, secret="")
                | Q(drawn_at__isnull=False) & ~Q(secret=""),
                name="tournament_secret_open_once_drawn",
            ),
        ),
        *frozen(__file__, "0006_journal"),
    ]
