"""Every result in the books is screened, and a gain of a player may wait."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("fairplay", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveConstraint(model_name="screening", name="screening_once_a_stage"),
        migrations.AddField(
            model_name="screening",
            name="reference",
            field=models.CharField(max_length=100, null=True),
        ),
        migrations.RunSQL(
            "UPDATE fairplay_screening SET reference = 'match:' || match_id",
            migrations.RunSQL.noop,
        ),
        migrations.RunSQL("SET CONSTRAINTS ALL IMMEDIATE", migrations.RunSQL.noop),
        migrations.RemoveField(model_name="screening", name="match"),
        migrations.AlterField(
            model_name="screening",
            name="reference",
            field=models.CharField(max_length=100),
        ),
        migrations.AddConstraint(
            model_name="screening",
            constraint=models.UniqueConstraint(
                fields=("reference", "stage"), name="screening_once_a_stage"
            ),
        ),
        migrations.CreateModel(
            name="Wait",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("reference", models.CharField(max_length=100)),
                ("since", models.DateTimeField(default=django.utils.timezone.now)),
                ("until", models.DateTimeField()),
                ("over_at", models.DateTimeField(blank=True, null=True)),
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
                        condition=models.Q(("over_at__isnull", True)),
                        fields=["until"],
                        name="wait_in_force",
                    ),
                    models.Index(fields=["since"], name="wait_by_age"),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("reference", "user"), name="wait_once_a_gain")
                ],
            },
        ),
    ]
