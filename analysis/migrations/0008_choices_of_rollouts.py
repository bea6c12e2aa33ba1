"""The choices of the person who asks for a rollout."""

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):

    dependencies = [
        ('analysis', '0007_jacoby_of_brought'),
    ]

    operations = [
        migrations.AddField(
            model_name='positionanswer',
            name='choices',
            field=models.CharField(blank=True, default='', max_length=160),
        ),
        migrations.AddField(
            model_name='question',
            name='choices',
            field=models.CharField(blank=True, default='', max_length=160),
        ),
        migrations.RemoveConstraint(model_name='positionanswer', name='answer_once_a_version'),
        migrations.AddConstraint(
            model_name='positionanswer',
            constraint=models.UniqueConstraint(
                fields=('xgid', 'depth', 'choices', 'engine', 'version'),
                name='answer_once_a_version',
            ),
        ),
        migrations.RemoveConstraint(model_name='question', name='question_open_once'),
        migrations.AddConstraint(
            model_name='question',
            constraint=models.UniqueConstraint(
                condition=Q(('done_at__isnull', True), Q(('xgid', ''), _negated=True)),
                fields=('xgid', 'depth', 'choices'),
                name='question_open_once',
            ),
        ),
    ]
