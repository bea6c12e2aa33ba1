"""Reports of matches, judged positions, exercises."""

import uuid

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
            name='PositionAnswer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('xgid', models.CharField(max_length=80)),
                ('depth', models.CharField(max_length=8)),
                ('engine', models.CharField(max_length=40)),
                ('version', models.CharField(max_length=40)),
                ('ply', models.PositiveSmallIntegerField()),
                ('line', models.JSONField()),
                ('seconds', models.FloatField()),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('xgid', 'depth', 'engine', 'version'), name='answer_once_a_version')],
            },
        ),
        migrations.CreateModel(
            name='Question',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('xgid', models.CharField(blank=True, max_length=80)),
                ('depth', models.CharField(blank=True, max_length=8)),
                ('file', models.BinaryField(null=True)),
                ('urgency', models.PositiveSmallIntegerField()),
                ('asked_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('tries', models.PositiveSmallIntegerField(default=0)),
                ('taken_at', models.DateTimeField(null=True)),
                ('failure', models.CharField(blank=True, max_length=200)),
                ('found', models.JSONField(null=True)),
                ('done_at', models.DateTimeField(null=True)),
                ('answer', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='analysis.positionanswer')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('done_at__isnull', True)), fields=['urgency', 'asked_at'], name='analysis_question_open'), models.Index(fields=['asked_at'], name='analysis_question_age')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('done_at__isnull', True), models.Q(('xgid', ''), _negated=True)), fields=('xgid', 'depth'), name='question_open_once')],
            },
        ),
        migrations.CreateModel(
            name='Exercise',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('xgid', models.CharField(max_length=80)),
                ('kind', models.CharField(max_length=8)),
                ('theme', models.CharField(max_length=12)),
                ('difficulty', models.PositiveSmallIntegerField()),
                ('source', models.CharField(max_length=12)),
                ('number', models.PositiveSmallIntegerField(null=True)),
                ('engine', models.CharField(max_length=40)),
                ('version', models.CharField(max_length=40)),
                ('ply', models.PositiveSmallIntegerField()),
                ('line', models.JSONField()),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('xgid', 'engine', 'version'), name='exercise_once_a_version'), models.CheckConstraint(condition=models.Q(('difficulty__in', (1, 2, 3))), name='exercise_has_a_difficulty')],
            },
        ),
        migrations.CreateModel(
            name='Rollout',
            fields=[
                ('question', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='rollout', serialize=False, to='analysis.question')),
                ('wanted', models.PositiveSmallIntegerField(default=0)),
                ('blocks', models.JSONField(default=list)),
                ('line', models.JSONField(null=True)),
                ('seconds', models.FloatField(default=0.0)),
            ],
        ),
        migrations.CreateModel(
            name='Report',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('engine', models.CharField(max_length=40)),
                ('version', models.CharField(max_length=40)),
                ('depth', models.CharField(max_length=8)),
                ('figures', models.JSONField()),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='games.match')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('match', 'engine', 'version', 'depth'), name='report_once_a_version')],
            },
        ),
        migrations.CreateModel(
            name='DecisionRow',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game', models.PositiveSmallIntegerField()),
                ('number', models.PositiveSmallIntegerField()),
                ('seat', models.PositiveSmallIntegerField()),
                ('kind', models.CharField(max_length=8)),
                ('counted', models.BooleanField()),
                ('loss', models.FloatField(null=True)),
                ('luck', models.FloatField(null=True)),
                ('ply', models.PositiveSmallIntegerField()),
                ('line', models.JSONField()),
                ('report', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='rows', to='analysis.report')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('report', 'game', 'number'), name='decision_once_a_report'), models.CheckConstraint(condition=models.Q(('seat__in', (0, 1))), name='decision_has_a_seat')],
            },
        ),
        migrations.CreateModel(
            name='ThemeSum',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seat', models.PositiveSmallIntegerField()),
                ('theme', models.CharField(max_length=12)),
                ('counted', models.PositiveIntegerField()),
                ('lost', models.FloatField()),
                ('counted_lost', models.FloatField()),
                ('squares', models.FloatField()),
                ('gift', models.FloatField()),
                ('in_points', models.BooleanField()),
                ('report', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='sums', to='analysis.report')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('report', 'seat', 'theme'), name='theme_sum_once_a_seat'), models.CheckConstraint(condition=models.Q(('seat__in', (0, 1))), name='theme_sum_has_a_seat')],
            },
        ),
        migrations.CreateModel(
            name='ErrorExercise',
            fields=[
                ('decision', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='+', serialize=False, to='analysis.decisionrow')),
                ('seat', models.PositiveSmallIntegerField()),
                ('theme', models.CharField(max_length=12)),
                ('loss', models.FloatField()),
                ('report', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='analysis.report')),
            ],
            options={
                'indexes': [models.Index(fields=['theme', '-decision'], name='error_exercise_by_theme')],
                'constraints': [models.CheckConstraint(condition=models.Q(('seat__in', (0, 1))), name='error_exercise_has_a_seat')],
            },
        ),
        migrations.CreateModel(
            name='ExerciseTry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField(null=True)),
                ('answer', models.CharField(max_length=80)),
                ('loss', models.FloatField()),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('decision', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='analysis.decisionrow')),
                ('exercise', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='analysis.exercise')),
                ('person', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['person', 'at'], name='exercise_try_of_person'), models.Index(condition=models.Q(('day__isnull', False)), fields=['day'], name='exercise_try_of_day')],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('decision__isnull', True), ('exercise__isnull', False)), models.Q(('decision__isnull', False), ('exercise__isnull', True)), _connector='OR'), name='exercise_try_of_one_thing'), models.UniqueConstraint(fields=('person', 'day'), name='exercise_try_once_a_day')],
            },
        ),
        migrations.CreateModel(
            name='Job',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('depth', models.CharField(max_length=8)),
                ('queued_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('tries', models.PositiveSmallIntegerField(default=0)),
                ('failure', models.CharField(blank=True, max_length=200)),
                ('done_at', models.DateTimeField(blank=True, null=True)),
                ('asked_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='games.match')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('done_at__isnull', True)), fields=['queued_at'], name='analysis_job_open')],
                'constraints': [models.UniqueConstraint(fields=('match', 'depth'), name='job_once_a_depth')],
            },
        ),
        migrations.CreateModel(
            name='Opinion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('engine', models.CharField(max_length=40)),
                ('version', models.CharField(max_length=40)),
                ('ply', models.PositiveSmallIntegerField()),
                ('best', models.CharField(max_length=80)),
                ('loss', models.FloatField()),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('decision', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='opinions', to='analysis.decisionrow')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('decision', 'engine', 'version'), name='opinion_once_a_version')],
            },
        ),
        *sql_of(__file__, "rows"),
    ]
