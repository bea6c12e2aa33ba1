"""A case about credits given away rests on the screening of a match of those it accuses."""

from django.db import migrations

from accounts.frozen_sql import frozen


class Migration(migrations.Migration):
    dependencies = [("fairplay", "0007_conduct")]

    operations = frozen(__file__, "0008_openings")
