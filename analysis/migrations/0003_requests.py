"""A job for each depth of a match, and who asked for it."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0007_learning"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("analysis", "0002_questions"),
    ]

    operations = [
        migrations.AlterField(
            model_name="job",
            name="match",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="+", to="games.match"
            ),
        ),
        migrations.AddField(
            model_name="job",
            name="depth",
            field=models.CharField(default="full", max_length=8),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="job",
            name="asked_by",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddConstraint(
            model_name="job",
            constraint=models.UniqueConstraint(fields=("match", "depth"), name="job_once_a_depth"),
        ),
    ]
