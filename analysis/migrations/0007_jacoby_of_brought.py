"""The same plays with the Jacoby rule and without it are two transcripts."""

from django.db import migrations, models
from django.db.models.fields.json import KeyTransform


class Migration(migrations.Migration):

    dependencies = [
        ('analysis', '0006_rollouts_of_jobs'),
    ]

    operations = [
        migrations.AddField(
            model_name='importedmatch',
            name='jacoby_assumed',
            field=models.BooleanField(default=False),
        ),
        migrations.AddConstraint(
            model_name='transcript',
            constraint=models.UniqueConstraint(
                models.F('digest'),
                KeyTransform('jacoby', KeyTransform('rules', 'record')),
                name='transcript_once_a_rule',
            ),
        ),
        migrations.AlterField(
            model_name='transcript',
            name='digest',
            field=models.CharField(max_length=64),
        ),
    ]
