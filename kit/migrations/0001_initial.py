"""The items that sweeps go round, and SQL for rows that stay."""

import django.utils.timezone
from django.db import migrations, models

from kit.migration_sql import sql_of


class Migration(migrations.Migration):

    initial = True

    operations = [
        migrations.CreateModel(
            name='Stuck',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('sweep', models.CharField(max_length=60)),
                ('item', models.CharField(max_length=100)),
                ('failures', models.PositiveIntegerField(default=1)),
                ('error', models.CharField(max_length=300)),
                ('since', models.DateTimeField(default=django.utils.timezone.now)),
                ('retry_at', models.DateTimeField()),
            ],
            options={
                'indexes': [models.Index(fields=['sweep', 'retry_at'], name='stuck_by_retry')],
                'constraints': [models.UniqueConstraint(fields=('sweep', 'item'), name='stuck_once_a_sweep')],
            },
        ),
        *sql_of(__file__, "rows_stay"),
    ]
