"""Ratings and the log that they follow from."""

from decimal import Decimal

import django.db.models.deletion
import django.db.models.expressions
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

from kit.migration_sql import sql_of


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('kit', '0001_initial'),
        ('accounts', '__first__'),
    ]

    operations = [
        migrations.CreateModel(
            name='RankMark',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('pool', models.CharField(max_length=40)),
                ('elo', models.DecimalField(decimal_places=4, max_digits=9)),
                ('above', models.PositiveIntegerField()),
                ('through', models.PositiveIntegerField()),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('pool', 'elo'), name='rank_mark_once')],
            },
        ),
        migrations.CreateModel(
            name='Rating',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('pool', models.CharField(max_length=40)),
                ('elo', models.DecimalField(decimal_places=4, default=Decimal('1500.0000'), max_digits=9)),
                ('experience', models.PositiveIntegerField(default=0)),
                ('games', models.PositiveIntegerField(default=0, help_text='Rated matches that were not voided.')),
                ('changes', models.PositiveIntegerField(default=0, help_text='Length of the chain of changes.')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='ratings', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(models.F('pool'), models.OrderBy(models.F('elo'), descending=True), models.OrderBy(models.F('user'), descending=True), condition=models.Q(('games__gt', 0)), name='rating_ranking')],
                'constraints': [models.UniqueConstraint(fields=('user', 'pool'), name='rating_once_per_pool')],
            },
        ),
        migrations.CreateModel(
            name='RatingChange',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reference', models.CharField(help_text='What was rated: match:<uuid>.', max_length=100)),
                ('kind', models.CharField(choices=[('result', 'result'), ('void', 'void')], max_length=10)),
                ('pool', models.CharField(max_length=40)),
                ('won', models.BooleanField()),
                ('n', models.PositiveIntegerField()),
                ('before', models.DecimalField(decimal_places=4, max_digits=9)),
                ('after', models.DecimalField(decimal_places=4, max_digits=9)),
                ('experience_before', models.PositiveIntegerField()),
                ('experience_after', models.PositiveIntegerField()),
                ('sequence', models.PositiveIntegerField()),
                ('created', models.DateTimeField(default=django.utils.timezone.now)),
                ('opponent', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('user', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='rating_changes', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['created'], name='rating_change_created')],
                'constraints': [models.UniqueConstraint(fields=('reference', 'user', 'kind'), name='rating_change_once'), models.UniqueConstraint(fields=('reference', 'kind', 'won'), name='rating_change_one_winner_one_loser'), models.UniqueConstraint(fields=('user', 'pool', 'sequence'), name='rating_change_chain'), models.CheckConstraint(condition=models.Q(('kind__in', ['result', 'void'])), name='rating_change_kind'), models.CheckConstraint(condition=models.Q(('user', models.F('opponent')), _negated=True), name='rating_change_two_players'), models.CheckConstraint(condition=models.Q(('n__gte', 1)), name='rating_change_worth'), models.CheckConstraint(condition=models.Q(('sequence__gte', 1)), name='rating_change_sequence_from_1'), models.CheckConstraint(condition=models.Q(models.Q(('experience_after', django.db.models.expressions.CombinedExpression(models.F('experience_before'), '+', models.F('n'))), ('kind', 'result')), models.Q(('experience_after', django.db.models.expressions.CombinedExpression(models.F('experience_before'), '-', models.F('n'))), ('kind', 'void')), _connector='OR'), name='rating_change_experience'), models.CheckConstraint(condition=models.Q(models.Q(('after__gte', models.F('before')), ('kind', 'result'), ('won', True)), models.Q(('after__gte', models.F('before')), ('kind', 'void'), ('won', False)), models.Q(('after__lte', models.F('before')), ('kind', 'result'), ('won', False)), models.Q(('after__lte', models.F('before')), ('kind', 'void'), ('won', True)), _connector='OR'), name='rating_change_direction')],
            },
        ),
        *sql_of(__file__, "changes"),
    ]
