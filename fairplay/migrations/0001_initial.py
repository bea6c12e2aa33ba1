"""Cases, opinions, appeals, reports, conduct."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

from kit.migration_sql import sql_of


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('accounts', '__first__'),
        ('games', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='Case',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('dump', "Losing on purpose (dumping)"), ('engine', "Use of an engine"), ('evasion', 'A second account'), ('conduct', 'Conduct at the table')], max_length=10)),
                ('state', models.CharField(default='open', max_length=10)),
                ('priority', models.PositiveSmallIntegerField(default=1)),
                ('opened_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('evidence', models.JSONField(default=list)),
                ('held_until', models.DateTimeField(blank=True, null=True)),
                ('waits_until', models.DateTimeField(blank=True, null=True)),
                ('decided_at', models.DateTimeField(blank=True, null=True)),
                ('closed_at', models.DateTimeField(blank=True, null=True)),
                ('sanction', models.CharField(default='none', max_length=10)),
                ('refund', models.BooleanField(default=False)),
                ('appealed', models.BooleanField(default=False)),
                ('opened_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'permissions': [('decide_case', 'May give opinions about fair play and hear appeals'), ('refund_case', 'May give back what the victims of a case lost')],
                'indexes': [models.Index(condition=models.Q(('closed_at__isnull', True)), fields=['-priority', 'opened_at'], name='case_queue'), models.Index(fields=['waits_until'], name='case_by_deadline')],
                'constraints': [models.CheckConstraint(condition=models.Q(('state__in', ['open', 'decided', 'appealed', 'confirmed', 'cleared', 'lapsed']), ('sanction__in', ['none', 'warning', 'no_stakes', 'no_rated', 'closed'])), name='case_has_a_known_state'), models.CheckConstraint(condition=models.Q(models.Q(('closed_at__isnull', False), ('state__in', ['cleared', 'confirmed', 'lapsed'])), models.Q(models.Q(('state__in', ['cleared', 'confirmed', 'lapsed']), _negated=True), ('closed_at__isnull', True)), _connector='OR'), name='case_over_is_closed')],
            },
        ),
        migrations.CreateModel(
            name='CaseMatch',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('refunded_at', models.DateTimeField(blank=True, null=True)),
                ('case', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='matches', to='fairplay.case')),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='fairplay_cases', to='games.match')),
                ('refunded_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('case', 'match'), name='match_once_a_case'), models.CheckConstraint(condition=models.Q(('refunded_at__isnull', True), ('refunded_by__isnull', False), _connector='OR'), name='refund_is_somebodys')],
            },
        ),
        migrations.CreateModel(
            name='Complaint',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reason', models.CharField(choices=[('dump', "Losing on purpose (dumping)"), ('engine', "Use of an engine"), ('evasion', 'A second account'), ('conduct', 'Conduct at the table')], max_length=10)),
                ('words', models.TextField(blank=True, max_length=1000)),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('outcome', models.CharField(blank=True, choices=[('confirmed', 'confirmed'), ('cleared', 'nothing found'), ('lapsed', 'not decided in time')], max_length=10)),
                ('decided_at', models.DateTimeField(blank=True, null=True)),
                ('accused', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('case', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='complaints', to='fairplay.case')),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='games.match')),
                ('reporter', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['accused', '-made_at'], name='complaint_by_accused'), models.Index(fields=['reporter', '-made_at'], name='complaint_by_reporter')],
                'constraints': [models.UniqueConstraint(fields=('reporter', 'match'), name='complaint_once_a_match'), models.CheckConstraint(condition=models.Q(('reporter', models.F('accused')), _negated=True), name='complaint_about_another')],
            },
        ),
        migrations.CreateModel(
            name='Conduct',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('fault', models.CharField(blank=True, max_length=10)),
                ('at', models.DateTimeField()),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='games.match')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['user', '-at'], name='conduct_by_player'), models.Index(fields=['at'], name='conduct_by_age')],
                'constraints': [models.UniqueConstraint(fields=('user', 'match'), name='conduct_once_a_match')],
            },
        ),
        migrations.CreateModel(
            name='Opinion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('sanction', models.CharField(max_length=10)),
                ('refund', models.BooleanField(default=False)),
                ('for_them', models.TextField(max_length=2000)),
                ('reasons', models.TextField(max_length=2000)),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('case', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='opinions', to='fairplay.case')),
                ('reviewer', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(condition=models.Q(('number__gt', 0)), fields=('case', 'number'), name='opinion_once_a_number'), models.UniqueConstraint(fields=('case', 'reviewer'), name='opinion_once_a_reviewer'), models.CheckConstraint(condition=models.Q(('number__in', [0, 1, 2, 3]), ('sanction__in', ['none', 'warning', 'no_stakes', 'no_rated', 'closed'])), name='opinion_is_one_of_three'), models.CheckConstraint(condition=models.Q(models.Q(('for_them', ''), _negated=True), models.Q(('reasons', ''), _negated=True)), name='opinion_has_reasons')],
            },
        ),
        migrations.CreateModel(
            name='Party',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('accused', 'under suspicion'), ('affected', 'affected')], max_length=8)),
                ('case', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='parties', to='fairplay.case')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='fairplay_parties', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('case', 'user'), name='party_once_a_case')],
            },
        ),
        migrations.CreateModel(
            name='Pause',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('step', models.PositiveSmallIntegerField()),
                ('faults', models.PositiveSmallIntegerField()),
                ('matches', models.PositiveSmallIntegerField()),
                ('placed_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('ends_at', models.DateTimeField()),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['user', '-placed_at'], name='pause_by_player')],
            },
        ),
        migrations.CreateModel(
            name='Screening',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reference', models.CharField(max_length=100)),
                ('stage', models.CharField(choices=[('known', 'when the match ended'), ('analysed', 'with the analysis')], max_length=8)),
                ('level', models.CharField(choices=[('clear', 'nothing found'), ('watch', 'to be watched'), ('hold', 'held')], max_length=8)),
                ('score', models.FloatField()),
                ('reasons', models.JSONField(default=list)),
                ('facts', models.JSONField(default=dict)),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={
                'indexes': [models.Index(fields=['made_at'], name='screening_by_age')],
                'constraints': [models.UniqueConstraint(fields=('reference', 'stage'), name='screening_once_a_stage')],
            },
        ),
        migrations.CreateModel(
            name='Statement',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.TextField(max_length=4000)),
                ('is_appeal', models.BooleanField(default=False)),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('case', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='statements', to='fairplay.case')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(condition=models.Q(('is_appeal', True)), fields=('case',), name='one_appeal_a_case')],
            },
        ),
        migrations.CreateModel(
            name='Wait',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reference', models.CharField(max_length=100)),
                ('since', models.DateTimeField(default=django.utils.timezone.now)),
                ('until', models.DateTimeField()),
                ('over_at', models.DateTimeField(blank=True, null=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('over_at__isnull', True)), fields=['until'], name='wait_in_force'), models.Index(fields=['since'], name='wait_by_age')],
                'constraints': [models.UniqueConstraint(fields=('reference', 'user'), name='wait_once_a_gain')],
            },
        ),
        *sql_of(__file__, "cases", "clearances", "guards"),
    ]
