"""What a job about rollouts has played so far."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('analysis', '0005_removed_matches'),
    ]

    operations = [
        migrations.AddField(
            model_name='job',
            name='blocks',
            field=models.JSONField(db_default={}, default=dict),
        ),
    ]
