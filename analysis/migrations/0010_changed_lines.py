"""The lines of files with faults that their people have changed."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('analysis', '0009_replaced_matches'),
    ]

    operations = [
        migrations.AddField(
            model_name='importedfile',
            name='changes',
            field=models.JSONField(default=dict),
        ),
    ]
