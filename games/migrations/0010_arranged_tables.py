"""Tables at which both players were seated."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0009_tournaments"),
    ]

    operations = [
        migrations.AddField(
            model_name="table",
            name="arranged",
            field=models.BooleanField(db_default=False, default=False, editable=False),
        ),
    ]
