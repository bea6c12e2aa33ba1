"""A person's decisions in all of their matches, their lists, and notes on positions."""

import uuid

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('analysis', '0003_matches_beside_played'),
        ('games', '0002_answers_at_all_tables'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='DecidedMatch',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seat', models.PositiveSmallIntegerField()),
                ('opponent', models.CharField(blank=True, max_length=80)),
                ('source', models.CharField(max_length=12)),
                ('variant', models.CharField(max_length=20)),
                ('played_at', models.DateTimeField()),
                ('counted', models.PositiveIntegerField(default=0)),
                ('lost', models.FloatField(default=0.0)),
                ('imported', models.OneToOneField(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='analysis.importedmatch')),
                ('match', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='games.match')),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('report', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='analysis.report')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('person', 'match'), name='decided_match_once_a_person'), models.CheckConstraint(condition=models.Q(models.Q(('imported__isnull', True), ('match__isnull', False)), models.Q(('imported__isnull', False), ('match__isnull', True)), _connector='OR'), name='decided_match_of_one_kind')],
            },
        ),
        migrations.CreateModel(
            name='DecisionList',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=60)),
                ('for_exercises', models.BooleanField(default=False)),
                ('share_key', models.UUIDField(null=True, unique=True)),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('removed_at', models.DateTimeField(null=True)),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(condition=models.Q(('removed_at__isnull', True)), fields=('person', 'for_exercises', 'name'), name='decision_list_once_a_name')],
            },
        ),
        migrations.CreateModel(
            name='ListedDecision',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('theme', models.CharField(max_length=12)),
                ('sound', models.BooleanField(default=False)),
                ('mirrored', models.BooleanField(default=False)),
                ('added_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('decision', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='analysis.decisionrow')),
                ('list', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='entries', to='analysis.decisionlist')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('list', 'decision'), name='listed_decision_once')],
            },
        ),
        migrations.CreateModel(
            name='MyDecision',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('theme', models.CharField(max_length=12)),
                ('kind', models.CharField(max_length=8)),
                ('phase', models.CharField(max_length=8)),
                ('score', models.CharField(max_length=8)),
                ('size', models.PositiveSmallIntegerField()),
                ('loss', models.FloatField()),
                ('counted', models.BooleanField()),
                ('own_away', models.PositiveSmallIntegerField()),
                ('opponent_away', models.PositiveSmallIntegerField()),
                ('crawford', models.BooleanField()),
                ('roll', models.PositiveSmallIntegerField(null=True)),
                ('seconds', models.PositiveSmallIntegerField(null=True)),
                ('agrees', models.BooleanField(default=True)),
                ('in_set', models.BooleanField(default=False)),
                ('askable', models.BooleanField()),
                ('cell', models.IntegerField()),
                ('position', models.BigIntegerField()),
                ('decision', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='analysis.decisionrow')),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='decisions', to='analysis.decidedmatch')),
                ('person', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['person', '-loss', 'id'], name='my_decision_by_loss')],
                'constraints': [models.UniqueConstraint(fields=('match', 'decision'), name='my_decision_once')],
            },
        ),
        migrations.CreateModel(
            name='PositionNote',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.BigIntegerField()),
                ('xgid', models.CharField(max_length=80)),
                ('text', models.CharField(max_length=500)),
                ('changed_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('person', 'position'), name='note_once_a_position')],
            },
        ),
    ]
