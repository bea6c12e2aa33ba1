"""A match from elsewhere that was taken out can be taken back."""

import django.db.models.manager
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('analysis', '0004_decisions'),
    ]

    operations = [
        migrations.AlterModelManagers(
            name='importedmatch',
            managers=[
                ('everything', django.db.models.manager.Manager()),
            ],
        ),
        migrations.AddField(
            model_name='importedmatch',
            name='removed_at',
            field=models.DateTimeField(null=True),
        ),
    ]
