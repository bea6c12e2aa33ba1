"""Chouettes: circles, games, rolls, shares."""

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
            name='Circle',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('terms', models.JSONField()),
                ('rate_cents', models.BigIntegerField(default=0)),
                ('limit_cents', models.BigIntegerField(default=0)),
                ('rake_bps', models.PositiveIntegerField(default=0)),
                ('state', models.JSONField()),
                ('pace', models.JSONField(default=dict)),
                ('seq', models.PositiveIntegerField(default=0)),
                ('wake_at', models.DateTimeField(blank=True, null=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('closed_at', models.DateTimeField(blank=True, null=True)),
                ('founder', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('wake_at__isnull', False)), fields=['wake_at'], name='circle_due'), models.Index(condition=models.Q(('closed_at__isnull', True)), fields=['created_at'], name='circle_open')],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('limit_cents', 0), ('rate_cents', 0)), models.Q(('limit_cents__gte', models.F('rate_cents')), ('rate_cents__gt', 0)), _connector='OR'), name='circle_limit_fits_rate'), models.CheckConstraint(condition=models.Q(('rake_bps__lte', 5000)), name='circle_rake_sound')],
            },
        ),
        migrations.CreateModel(
            name='CircleEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seq', models.PositiveIntegerField()),
                ('payload', models.JSONField()),
                ('stored_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('circle', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='events', to='chouette.circle')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('circle', 'seq'), name='circle_event_seq')],
            },
        ),
        migrations.CreateModel(
            name='Game',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('number', models.PositiveIntegerField()),
                ('rake_cents', models.BigIntegerField(blank=True, null=True)),
                ('started_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('voided', models.BooleanField(db_default=False, default=False)),
                ('terms', models.TextField()),
                ('house_tip', models.BinaryField()),
                ('house_secret', models.BinaryField()),
                ('sides', models.JSONField()),
                ('next_roll', models.PositiveIntegerField(default=0)),
                ('open_hash', models.BinaryField(null=True)),
                ('signature', models.BinaryField(null=True)),
                ('box', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('captain', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('circle', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='games', to='chouette.circle')),
                ('log_entry', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='chouette_game', to='games.dicelogentry')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('ended_at__isnull', True)), fields=['circle'], name='chouette_game_running')],
                'constraints': [models.UniqueConstraint(fields=('circle', 'number'), name='chouette_game_number'), models.CheckConstraint(condition=models.Q(models.Q(('ended_at__isnull', True), ('rake_cents__isnull', True)), models.Q(('ended_at__isnull', False), ('rake_cents__gte', 0)), _connector='OR'), name='chouette_game_ends_with_rake'), models.CheckConstraint(condition=models.Q(('box', models.F('captain')), _negated=True), name='chouette_game_two_sides'), models.CheckConstraint(condition=models.Q(models.Q(('log_entry__isnull', True), ('next_roll', 0), ('open_hash__isnull', True)), models.Q(('log_entry__isnull', False), ('open_hash__isnull', False)), _connector='OR'), name='chouette_game_logged_before_rolls')],
            },
        ),
        migrations.CreateModel(
            name='Place',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('is_bot', models.BooleanField(default=False)),
                ('sat_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('stood_up_at', models.DateTimeField(blank=True, null=True)),
                ('circle', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='places', to='chouette.circle')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='chouette_places', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(condition=models.Q(('is_bot', False), ('stood_up_at__isnull', True)), fields=('user',), name='place_one_table_at_a_time'), models.UniqueConstraint(condition=models.Q(('stood_up_at__isnull', True)), fields=('circle', 'user'), name='place_once_at_a_table')],
            },
        ),
        migrations.CreateModel(
            name='Roll',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('n', models.PositiveIntegerField()),
                ('kind', models.PositiveSmallIntegerField()),
                ('flags', models.PositiveSmallIntegerField()),
                ('house', models.BinaryField()),
                ('white', models.BinaryField()),
                ('black', models.BinaryField()),
                ('dice', models.JSONField()),
                ('seq', models.PositiveIntegerField()),
                ('rolled_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='rolls', to='chouette.game')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('game', 'n'), name='chouette_roll_number_once')],
            },
        ),
        migrations.CreateModel(
            name='Share',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('stake_cents', models.BigIntegerField()),
                ('paid_cents', models.BigIntegerField(blank=True, null=True)),
                ('box_points', models.IntegerField(blank=True, null=True)),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='shares', to='chouette.game')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='chouette_shares', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('game', 'user'), name='share_once_a_player'), models.CheckConstraint(condition=models.Q(('stake_cents__gte', 0), models.Q(('paid_cents__isnull', True), ('paid_cents__gte', 0), _connector='OR')), name='share_not_negative')],
            },
        ),
        *sql_of(__file__, "chouette", "guards"),
    ]
