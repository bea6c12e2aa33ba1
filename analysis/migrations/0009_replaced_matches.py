"""The shorter matches that a longer file replaced are kept, so that undoing brings them back."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('analysis', '0008_choices_of_rollouts'),
    ]

    operations = [
        migrations.AddField(
            model_name='importedmatch',
            name='replaced_by',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='replaced', to='analysis.importedmatch'),
        ),
    ]
