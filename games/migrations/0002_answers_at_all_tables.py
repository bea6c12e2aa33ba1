"""Answers to commands at chouettes and tournaments stand beside those at tables."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.AlterField(
                    model_name='commandrecord',
                    name='table',
                    field=models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='games.table'),
                ),
            ],
            state_operations=[
                migrations.RemoveConstraint(model_name='commandrecord', name='command_id_a_player_and_table'),
                migrations.RemoveIndex(model_name='commandrecord', name='command_refused'),
                migrations.RemoveField(model_name='commandrecord', name='table'),
                migrations.AddField(model_name='commandrecord', name='table_id', field=models.UUIDField()),
                migrations.AddIndex(
                    model_name='commandrecord',
                    index=models.Index(condition=models.Q(('refusal__isnull', False)), fields=['table_id', 'user', 'id'], name='command_refused'),
                ),
                migrations.AddConstraint(
                    model_name='commandrecord',
                    constraint=models.UniqueConstraint(fields=('table_id', 'user', 'command_id'), name='command_id_a_player_and_table'),
                ),
            ],
        ),
    ]
