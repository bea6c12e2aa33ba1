"""The settings of the house: every change of them."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

from kit.migration_sql import sql_of


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='HouseChange',
            fields=[
                ('number', models.PositiveIntegerField(primary_key=True, serialize=False)),
                ('part', models.CharField(max_length=16)),
                ('content', models.JSONField()),
                ('proposal_id', models.BigIntegerField(null=True, unique=True)),
                ('reason', models.CharField(max_length=500)),
                ('made_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('changed_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('confirmed_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'permissions': [('decide_house', 'May change the settings of the house')],
                'default_permissions': (),
                'indexes': [models.Index(models.F('part'), models.OrderBy(models.F('number'), descending=True), name='house_change_newest')],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('confirmed_by', None), ('proposal_id', None)), models.Q(('changed_by__isnull', False), ('confirmed_by__isnull', False), ('proposal_id__isnull', False)), _connector='OR'), name='house_change_by_two_people'), models.CheckConstraint(condition=models.Q(('changed_by', models.F('confirmed_by')), _negated=True), name='house_change_different_people'), models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='house_change_says_why')],
            },
        ),
        *sql_of(__file__, "changes"),
    ]
