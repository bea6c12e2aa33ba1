"""Tables, matches, events, dice, talk, challenges, prices."""

import uuid

import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.expressions
import django.db.models.functions.datetime
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

from kit.migration_sql import sql_of


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('kit', '0001_initial'),
        ('accounts', '0001_initial'),
        ('accounts', '__first__'),
        ('house', '0001_initial'),
        ('ledger', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='StoredDiceRoll',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('n', models.PositiveIntegerField()),
                ('kind', models.PositiveSmallIntegerField()),
                ('flags', models.PositiveSmallIntegerField()),
                ('house', models.BinaryField()),
                ('white', models.BinaryField()),
                ('black', models.BinaryField()),
                ('dice', models.JSONField()),
                ('seq', models.BigIntegerField()),
                ('rolled_at', models.DateTimeField()),
            ],
            options={
                'db_table': 'games_storedroll',
                'managed': False,
            },
        ),
        migrations.CreateModel(
            name='StoredEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seq', models.BigIntegerField()),
                ('type', models.CharField(max_length=32)),
                ('payload', models.JSONField()),
                ('stored_at', models.DateTimeField()),
            ],
            options={
                'db_table': 'games_storedevent',
                'managed': False,
            },
        ),
        migrations.CreateModel(
            name='Table',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('mode', models.CharField(max_length=16)),
                ('variant', models.CharField(max_length=24)),
                ('stake_cents', models.BigIntegerField()),
                ('phase', models.CharField(max_length=24)),
                ('seq', models.BigIntegerField()),
                ('state', models.JSONField()),
                ('people', models.JSONField(default=list)),
                ('fair', models.JSONField(blank=True, default=None, null=True)),
                ('code', models.CharField(blank=True, editable=False, max_length=8, null=True, unique=True)),
                ('strength_span', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('arranged', models.BooleanField(db_default=False, default=False, editable=False)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('changed_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('version', models.BigIntegerField(db_default=0, default=0, editable=False)),
                ('guest', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='tables_joined', to=settings.AUTH_USER_MODEL)),
                ('opener', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='tables_opened', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('phase', 'open')), fields=['created_at'], name='table_open_by_age'), models.Index(fields=['guest', '-changed_at'], name='table_by_guest'), models.Index(fields=['opener', '-changed_at'], name='table_by_opener')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('phase', 'open')), fields=('opener',), name='one_open_table_a_player'), models.CheckConstraint(condition=models.Q(('guest__isnull', True), models.Q(('guest', models.F('opener')), _negated=True), _connector='OR'), name='table_has_two_different_players'), models.CheckConstraint(condition=models.Q(('stake_cents__gte', 0)), name='table_stake_not_negative')],
            },
        ),
        migrations.CreateModel(
            name='ChatChoice',
            fields=[
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='+', serialize=False, to=settings.AUTH_USER_MODEL)),
                ('free_text', models.BooleanField(default=True)),
            ],
        ),
        migrations.CreateModel(
            name='DiceLuck',
            fields=[
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='+', serialize=False, to=settings.AUTH_USER_MODEL)),
                ('rolls', models.BigIntegerField()),
                ('pips', models.BigIntegerField()),
            ],
            options={
                'verbose_name_plural': 'dice luck',
            },
        ),
        migrations.CreateModel(
            name='Match',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('number', models.PositiveIntegerField()),
                ('mode', models.CharField(max_length=16)),
                ('variant', models.CharField(max_length=24)),
                ('stake_cents', models.BigIntegerField()),
                ('terms', models.JSONField(default=dict)),
                ('rated', models.BooleanField(db_default=True, default=True)),
                ('rated_games', models.PositiveIntegerField(blank=True, null=True)),
                ('winner_seat', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('ending', models.CharField(blank=True, max_length=24)),
                ('points', models.PositiveIntegerField(default=0)),
                ('score', models.JSONField(default=list)),
                ('games', models.JSONField(db_default=models.Value([], models.JSONField()), default=list)),
                ('rake_cents', models.BigIntegerField(blank=True, null=True)),
                ('paid_cents', models.JSONField(blank=True, null=True)),
                ('started_at', models.DateTimeField()),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('player_0', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('player_1', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('table', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='matches', to='games.table')),
            ],
            options={
                'permissions': [('decide_match', 'May void and adjudicate matches')],
                'indexes': [models.Index(fields=['ended_at'], name='match_by_end'), models.Index(fields=['player_0', '-ended_at', '-id'], name='match_by_first'), models.Index(fields=['player_1', '-ended_at', '-id'], name='match_by_second'), models.Index(condition=models.Q(('ended_at__isnull', True)), fields=['-started_at', '-id'], name='match_running')],
                'constraints': [models.UniqueConstraint(fields=('table', 'number'), name='match_number_a_table'), models.CheckConstraint(condition=models.Q(('player_0', models.F('player_1')), _negated=True), name='match_has_two_different_players'), models.CheckConstraint(condition=models.Q(('winner_seat__isnull', True), ('winner_seat__in', (0, 1)), _connector='OR'), name='match_winner_is_a_seat')],
            },
        ),
        migrations.CreateModel(
            name='GameDice',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('number', models.PositiveIntegerField()),
                ('mode', models.CharField(choices=[('L', 'chains'), ('K', 'seeds')], max_length=1)),
                ('terms', models.TextField()),
                ('house_tip', models.BinaryField()),
                ('house_secret', models.BinaryField()),
                ('sides', models.JSONField()),
                ('next_roll', models.PositiveIntegerField(default=0)),
                ('open_hash', models.BinaryField(null=True)),
                ('signature', models.BinaryField(null=True)),
                ('opened_at', models.DateTimeField(null=True)),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='games.table')),
                ('match', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='dice', to='games.match')),
            ],
            options={
                'verbose_name_plural': 'game dice',
                'constraints': [models.UniqueConstraint(fields=('match', 'number'), name='dice_once_a_game'), models.CheckConstraint(condition=models.Q(models.Q(('next_roll', 0), ('open_hash__isnull', True)), models.Q(('open_hash__isnull', False), ('opened_at__isnull', False), ('signature__isnull', False)), _connector='OR'), name='dice_open_before_they_roll')],
            },
        ),
        migrations.CreateModel(
            name='Heartbeat',
            fields=[
                ('role', models.CharField(max_length=16, primary_key=True, serialize=False)),
                ('beat_at', models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name='HouseBot',
            fields=[
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='+', serialize=False, to=settings.AUTH_USER_MODEL)),
                ('strength', models.CharField(max_length=16, unique=True)),
            ],
        ),
        migrations.CreateModel(
            name='BotTurn',
            fields=[
                ('table', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, serialize=False, to='games.table')),
                ('due_at', models.DateTimeField(db_index=True)),
            ],
        ),
        migrations.CreateModel(
            name='Deadline',
            fields=[
                ('table', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, serialize=False, to='games.table')),
                ('due_at', models.DateTimeField(db_index=True)),
            ],
        ),
        migrations.CreateModel(
            name='EventPack',
            fields=[
                ('table', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='+', serialize=False, to='games.table')),
                ('first_id', models.BigIntegerField()),
                ('last_id', models.BigIntegerField()),
                ('events', models.TextField()),
            ],
        ),
        migrations.CreateModel(
            name='Challenge',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('terms', models.JSONField()),
                ('state', models.CharField(choices=[('waiting', 'Waiting'), ('accepted', 'Accepted'), ('declined', 'Declined'), ('withdrawn', 'Withdrawn'), ('expired', 'Expired')], default='waiting', max_length=16)),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('expires_at', models.DateTimeField()),
                ('answered_at', models.DateTimeField(blank=True, null=True)),
                ('challenged', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('challenger', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('table', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='games.table')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('state', 'waiting')), fields=['challenged'], name='challenge_waiting_for'), models.Index(condition=models.Q(('state', 'waiting')), fields=['expires_at'], name='challenge_by_deadline')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('state', 'waiting')), fields=('challenger',), name='one_waiting_challenge_a_player'), models.CheckConstraint(condition=models.Q(('challenger', models.F('challenged')), _negated=True), name='nobody_challenges_himself'), models.CheckConstraint(condition=models.Q(models.Q(('state', 'accepted'), ('table__isnull', False)), models.Q(models.Q(('state', 'accepted'), _negated=True), ('table__isnull', True)), _connector='OR'), name='accepted_challenge_has_its_table')],
            },
        ),
        migrations.CreateModel(
            name='ChatMessage',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('room', models.CharField(blank=True, db_default='', default='', max_length=64)),
                ('client_id', models.CharField(max_length=64)),
                ('seat', models.PositiveSmallIntegerField(null=True)),
                ('audience', models.CharField(max_length=10)),
                ('readers', django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), blank=True, null=True, size=None)),
                ('phrase', models.CharField(blank=True, default='', max_length=16)),
                ('text', models.CharField(blank=True, default='', max_length=200)),
                ('said_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('author', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('table', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='chat', to='games.table')),
            ],
            options={
                'indexes': [models.Index(fields=['table', '-id'], name='message_by_table'), models.Index(condition=models.Q(('room__gt', '')), fields=['room', '-id'], name='message_by_room'), models.Index(fields=['author', '-said_at'], name='message_by_author'), models.Index(fields=['said_at'], name='message_by_age')],
                'constraints': [models.UniqueConstraint(fields=('author', 'client_id'), name='message_id_an_author'), models.CheckConstraint(condition=models.Q(models.Q(('phrase', ''), ('text__gt', '')), models.Q(('phrase__in', ('hello', 'good_luck', 'well_played', 'nice_roll', 'thanks', 'sorry', 'one_moment', 'must_go', 'good_game')), ('text', '')), _connector='OR'), name='message_is_phrase_or_text'), models.CheckConstraint(condition=models.Q(models.Q(('audience', 'everybody'), ('readers', None)), models.Q(('audience', 'watchers'), ('readers', None), ('seat', None)), models.Q(('audience', 'crew'), ('readers__isnull', False), ('room__gt', ''), ('seat', None)), _connector='OR'), name='message_audience'), models.CheckConstraint(condition=models.Q(models.Q(('room', ''), ('table__isnull', False)), models.Q(('room__gt', ''), ('table__isnull', True)), _connector='OR'), name='message_in_one_place')],
            },
        ),
        migrations.CreateModel(
            name='WordsReport',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=16)),
                ('subject', models.CharField(max_length=80)),
                ('said', models.CharField(max_length=200)),
                ('about', models.TextField(blank=True, default='', max_length=1000)),
                ('said_at', models.DateTimeField(null=True)),
                ('context', models.JSONField(default=list)),
                ('reason', models.CharField(max_length=16)),
                ('words', models.CharField(blank=True, default='', max_length=300)),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('outcome', models.CharField(blank=True, default='', max_length=16)),
                ('closed_at', models.DateTimeField(blank=True, null=True)),
                ('author', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('closed_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('message', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='games.chatmessage')),
                ('reporter', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'permissions': [('decide_wordsreport', 'May decide reports of words')],
                'indexes': [models.Index(condition=models.Q(('outcome', '')), fields=['made_at'], name='report_open_by_age'), models.Index(fields=['author', '-made_at'], name='report_by_author'), models.Index(fields=['reporter', '-made_at'], name='report_by_reporter'), models.Index(condition=models.Q(('kind', 'talk'), _negated=True), fields=['subject', '-made_at'], name='report_by_subject')],
                'constraints': [models.UniqueConstraint(fields=('reporter', 'message'), name='report_once'), models.UniqueConstraint(condition=models.Q(('outcome', ''), models.Q(('kind', 'talk'), _negated=True)), fields=('kind', 'subject', 'reporter'), name='report_open_once'), models.CheckConstraint(condition=models.Q(('reporter', models.F('author')), _negated=True), name='report_others'), models.CheckConstraint(condition=models.Q(('reason__in', ('insult', 'threat', 'spam', 'advice', 'cheating', 'other'))), name='report_reason'), models.CheckConstraint(condition=models.Q(models.Q(('kind', 'talk'), ('author__isnull', False), ('said_at__isnull', False)), models.Q(models.Q(('kind', 'talk'), _negated=True), ('author', None), ('message', None), ('said_at', None)), _connector='OR'), name='report_of_one_kind'), models.CheckConstraint(condition=models.Q(models.Q(('closed_at', None), ('closed_by', None), ('outcome', '')), models.Q(('closed_at__isnull', False), ('closed_by__isnull', False), ('outcome__gt', '')), _connector='OR'), name='report_closed_by_somebody')],
            },
        ),
        migrations.CreateModel(
            name='ChatMeasure',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('until', models.DateTimeField(blank=True, null=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('report', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='measure', to='games.wordsreport')),
            ],
            options={
                'indexes': [models.Index(fields=['user', '-made_at'], name='measure_by_user')],
            },
        ),
        migrations.CreateModel(
            name='CommandRecord',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('command_id', models.CharField(max_length=64)),
                ('seq', models.BigIntegerField()),
                ('refusal', models.JSONField(blank=True, default=None, null=True)),
                ('stored_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('table', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='games.table')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('refusal__isnull', False)), fields=['table', 'user', 'id'], name='command_refused')],
                'constraints': [models.UniqueConstraint(fields=('table', 'user', 'command_id'), name='command_id_a_player_and_table')],
            },
        ),
        migrations.CreateModel(
            name='DiceStatistics',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('until', models.DateTimeField()),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('rolls', models.BigIntegerField()),
                ('faces', models.JSONField()),
                ('cells', models.JSONField()),
                ('pairs', models.JSONField()),
                ('findings', models.JSONField()),
                ('players', models.JSONField()),
                ('alarm', models.BooleanField(default=False)),
            ],
            options={
                'verbose_name_plural': 'dice statistics',
                'indexes': [models.Index(fields=['-until'], name='dice_statistics_by_time')],
            },
        ),
        migrations.CreateModel(
            name='Favourite',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60)),
                ('wishes', models.JSONField()),
                ('saved_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('owner', 'name'), name='favourite_name_an_owner'), models.CheckConstraint(condition=models.Q(('name__gt', '')), name='favourite_has_a_name')],
            },
        ),
        migrations.CreateModel(
            name='RollPack',
            fields=[
                ('game', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='+', serialize=False, to='games.gamedice')),
                ('first_id', models.BigIntegerField()),
                ('last_id', models.BigIntegerField()),
                ('last_at', models.DateTimeField()),
                ('rolls', models.TextField()),
                ('house', models.BinaryField()),
                ('white', models.BinaryField()),
                ('black', models.BinaryField()),
            ],
            options={
                'indexes': [models.Index(fields=['last_at'], name='roll_pack_by_time')],
            },
        ),
        migrations.CreateModel(
            name='DiceRoll',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('n', models.PositiveIntegerField()),
                ('kind', models.PositiveSmallIntegerField()),
                ('flags', models.PositiveSmallIntegerField()),
                ('house', models.BinaryField()),
                ('white', models.BinaryField()),
                ('black', models.BinaryField()),
                ('dice', models.JSONField()),
                ('seq', models.BigIntegerField()),
                ('rolled_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('game', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='games.gamedice')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('game', 'n'), name='roll_number_once')],
            },
        ),
        migrations.CreateModel(
            name='DiceLogEntry',
            fields=[
                ('number', models.BigIntegerField(primary_key=True, serialize=False)),
                ('open_hash', models.BinaryField()),
                ('previous', models.BinaryField()),
                ('hash', models.BinaryField()),
                ('logged_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('game', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='log_entry', to='games.gamedice')),
            ],
            options={
                'verbose_name_plural': 'dice log',
                'indexes': [models.Index(fields=['logged_at'], name='dice_log_by_day')],
            },
        ),
        migrations.CreateModel(
            name='LearntStep',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('lesson', models.CharField(max_length=32)),
                ('step', models.CharField(max_length=32)),
                ('solved', models.BooleanField()),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('person', 'lesson', 'step'), name='learnt_step_a_person')],
            },
        ),
        migrations.CreateModel(
            name='Mute',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('muted', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('owner', 'muted'), name='mute_once'), models.CheckConstraint(condition=models.Q(('owner', models.F('muted')), _negated=True), name='mute_others')],
            },
        ),
        migrations.CreateModel(
            name='Outage',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(max_length=16)),
                ('began_at', models.DateTimeField()),
                ('ended_at', models.DateTimeField()),
                ('credited_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('role', 'began_at'), name='outage_once'), models.CheckConstraint(condition=models.Q(('ended_at__gt', models.F('began_at'))), name='outage_has_a_length')],
            },
        ),
        migrations.CreateModel(
            name='PlayerMatch',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seat', models.PositiveSmallIntegerField()),
                ('is_open', models.BooleanField()),
                ('ended_at', models.DateTimeField()),
                ('single_won', models.PositiveIntegerField(default=0)),
                ('gammon_won', models.PositiveIntegerField(default=0)),
                ('backgammon_won', models.PositiveIntegerField(default=0)),
                ('single_lost', models.PositiveIntegerField(default=0)),
                ('gammon_lost', models.PositiveIntegerField(default=0)),
                ('backgammon_lost', models.PositiveIntegerField(default=0)),
                ('doubled', models.PositiveIntegerField(default=0)),
                ('taken', models.PositiveIntegerField(default=0)),
                ('dropped', models.PositiveIntegerField(default=0)),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='sides', to='games.match')),
                ('opponent', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('player', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['player', '-ended_at', '-id'], name='side_by_player'), models.Index(fields=['player', 'opponent', '-ended_at', '-id'], name='side_by_opponent'), models.Index(fields=['ended_at'], name='side_by_end')],
                'constraints': [models.UniqueConstraint(fields=('match', 'seat'), name='side_once_a_match'), models.CheckConstraint(condition=models.Q(('seat__in', (0, 1))), name='side_is_a_seat'), models.CheckConstraint(condition=models.Q(('player', models.F('opponent')), _negated=True), name='side_has_an_opponent')],
            },
        ),
        migrations.CreateModel(
            name='TableEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seq', models.BigIntegerField()),
                ('type', models.CharField(max_length=32)),
                ('payload', models.JSONField()),
                ('stored_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('table', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='games.table')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('table', 'seq'), name='event_seq_a_table')],
            },
        ),
        migrations.CreateModel(
            name='Bar',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('stakes', 'games for credits'), ('rated', 'games for credits and rated games'), ('lobby', 'all games against others'), ('meeting', 'games for credits and rated games against one player')], max_length=8)),
                ('reference', models.CharField(max_length=100)),
                ('placed_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('ends_at', models.DateTimeField(blank=True, null=True)),
                ('lifted_at', models.DateTimeField(blank=True, null=True)),
                ('other', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('lifted_at__isnull', True)), fields=['user'], name='bar_in_force')],
                'constraints': [models.UniqueConstraint(fields=('reference', 'user', 'kind'), name='bar_once'), models.CheckConstraint(condition=models.Q(models.Q(('kind__in', ['stakes', 'rated', 'lobby']), ('other__isnull', True)), models.Q(('kind', 'meeting'), ('other__gt', models.F('user')), ('other__isnull', False)), _connector='OR'), name='bar_is_one')],
            },
        ),
        *sql_of(__file__, "dice", "tables", "guards", "justified", "packs", "prices", "roll_packs", "streams", "rights"),
    ]
