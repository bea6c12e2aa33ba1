"""Matches from elsewhere, and reports of them."""

import uuid

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

from kit.migration_sql import sql_of


class Migration(migrations.Migration):

    dependencies = [
        ('analysis', '0001_initial'),
        ('games', '0002_answers_at_all_tables'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Transcript',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('digest', models.CharField(max_length=64, unique=True)),
                ('variant', models.CharField(max_length=20)),
                ('length', models.PositiveSmallIntegerField()),
                ('score_0', models.PositiveIntegerField()),
                ('score_1', models.PositiveIntegerField()),
                ('record', models.JSONField()),
                ('stored_at', models.DateTimeField(default=django.utils.timezone.now)),
            ],
        ),
        migrations.AddField(
            model_name='job',
            name='seconds',
            field=models.FloatField(default=0.0),
        ),
        migrations.AlterField(
            model_name='job',
            name='match',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='games.match'),
        ),
        migrations.AlterField(
            model_name='report',
            name='match',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='games.match'),
        ),
        migrations.CreateModel(
            name='Import',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=200)),
                ('files_announced', models.PositiveIntegerField()),
                ('begun_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('sent_at', models.DateTimeField(null=True)),
                ('undone_at', models.DateTimeField(null=True)),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['person', '-begun_at'], name='import_of_person')],
            },
        ),
        migrations.CreateModel(
            name='ImportedFile',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('path', models.CharField(max_length=300)),
                ('digest', models.CharField(max_length=64)),
                ('size_bytes', models.PositiveIntegerField()),
                ('content', models.BinaryField(null=True)),
                ('tries', models.PositiveSmallIntegerField(default=0)),
                ('taken_at', models.DateTimeField(null=True)),
                ('read_at', models.DateTimeField(null=True)),
                ('found', models.JSONField(null=True)),
                ('upload', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='files', to='analysis.import')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('read_at__isnull', True)), fields=['id'], name='imported_file_unread')],
                'constraints': [models.UniqueConstraint(fields=('upload', 'path', 'digest'), name='imported_file_once_an_import')],
            },
        ),
        migrations.CreateModel(
            name='NameInFiles',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=80)),
                ('source', models.CharField(blank=True, max_length=12)),
                ('is_mine', models.BooleanField()),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('person', 'source', 'name'), name='name_in_files_once_a_source')],
            },
        ),
        migrations.CreateModel(
            name='ImportedMatch',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('name_0', models.CharField(max_length=80)),
                ('name_1', models.CharField(max_length=80)),
                ('seat', models.PositiveSmallIntegerField(null=True)),
                ('source', models.CharField(blank=True, max_length=12)),
                ('event', models.CharField(blank=True, max_length=120)),
                ('played_on', models.DateField(null=True)),
                ('in_part', models.BooleanField(default=False)),
                ('share_key', models.UUIDField(null=True, unique=True)),
                ('added_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('file', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='matches', to='analysis.importedfile')),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('transcript', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='analysis.transcript')),
            ],
            options={
                'indexes': [models.Index(fields=['person', '-played_on'], name='imported_match_of_person')],
                'constraints': [models.UniqueConstraint(fields=('person', 'transcript'), name='imported_match_once_a_person'), models.CheckConstraint(condition=models.Q(('seat__isnull', True), ('seat__in', (0, 1)), _connector='OR'), name='imported_match_seat')],
            },
        ),
        migrations.AddField(
            model_name='job',
            name='transcript',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='analysis.transcript'),
        ),
        migrations.AddField(
            model_name='report',
            name='transcript',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='analysis.transcript'),
        ),
        migrations.AddConstraint(
            model_name='job',
            constraint=models.UniqueConstraint(fields=('transcript', 'depth'), name='job_once_a_transcript_depth'),
        ),
        migrations.AddConstraint(
            model_name='job',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('match__isnull', False), ('transcript__isnull', True)), models.Q(('match__isnull', True), ('transcript__isnull', False)), _connector='OR'), name='job_of_one_match'),
        ),
        migrations.AddConstraint(
            model_name='report',
            constraint=models.UniqueConstraint(fields=('transcript', 'engine', 'version', 'depth'), name='report_once_a_transcript_version'),
        ),
        migrations.AddConstraint(
            model_name='report',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('match__isnull', False), ('transcript__isnull', True)), models.Q(('match__isnull', True), ('transcript__isnull', False)), _connector='OR'), name='report_of_one_match'),
        ),
        *sql_of(__file__, "transcripts"),
    ]
