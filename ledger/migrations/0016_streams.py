"""A stream of seals is described by the app that owns its table."""

from django.db import migrations, models

from accounts.frozen_sql import frozen


class Migration(migrations.Migration):
    dependencies = [("ledger", "0015_proved_exclusions")]

    operations = [
        migrations.RemoveConstraint("seal", "seal_stream_known"),
        migrations.AddConstraint(
            "seal",
            models.CheckConstraint(
                condition=models.Q(stream__regex="^[a-z]+$"), name="seal_names_a_stream"
            ),
        ),
        *frozen(__file__, "0016_streams"),
    ]
