"""Prizes for the winners of the consolation and of the last chance."""

import django.contrib.postgres.fields
from django.conf import settings
from django.db import migrations, models

from accounts.frozen_sql import frozen


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0003_titles"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="sides_bps",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.PositiveIntegerField(), db_default=[], default=list, size=None
            ),
        ),
        migrations.AddConstraint(
            model_name="tournament",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("sides_bps", []),
                    models.Q(
                        ("fee_cents__gt", 0),
                        ("satellite_of__isnull", True),
                        ("sides_bps__len", 2),
                        ("terms__format", "consolation"),
                    ),
                    _connector="OR",
                ),
                name="tournament_sides_of_a_consolation",
            ),
        ),
        *frozen(__file__, "0004_sides"),
    ]
