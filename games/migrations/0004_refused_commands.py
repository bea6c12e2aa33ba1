"""Refused commands are remembered by their ids, like accepted ones."""

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0003_match_stakes"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="commandrecord",
            name="refusal",
            field=models.JSONField(blank=True, default=None, null=True),
        ),
        migrations.AddIndex(
            model_name="commandrecord",
            index=models.Index(
                condition=models.Q(("refusal__isnull", False)),
                fields=["table", "user", "id"],
                name="command_refused",
            ),
        ),
    ]
