"""Tournaments, their journals, clubs."""

import uuid

import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.functions.text
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
            name='Club',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=40)),
                ('about', models.TextField(blank=True, max_length=1000)),
                ('is_open', models.BooleanField(default=True)),
                ('founded_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('unnamed', models.BooleanField(db_default=False, default=False)),
                ('founder', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(django.db.models.functions.text.Lower('name'), name='club_name_once')],
            },
        ),
        migrations.CreateModel(
            name='ClubInvitation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('refused_at', models.DateTimeField(blank=True, null=True)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tournaments.club')),
                ('inviter', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['inviter', 'made_at'], name='club_invitation_sent'), models.Index(fields=['person', 'made_at'], name='club_invitation_received')],
            },
        ),
        migrations.CreateModel(
            name='Membership',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('standing', models.CharField(choices=[('asked', 'has asked'), ('invited', 'is invited'), ('member', 'member'), ('director', 'director')], max_length=8)),
                ('since', models.DateTimeField(default=django.utils.timezone.now)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='memberships', to='tournaments.club')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='club_memberships', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['user', 'standing'], name='membership_of_person')],
                'constraints': [models.UniqueConstraint(fields=('club', 'user'), name='membership_once_a_club'), models.CheckConstraint(condition=models.Q(('standing__in', ['asked', 'invited', 'member', 'director'])), name='membership_standing_known')],
            },
        ),
        migrations.CreateModel(
            name='Tournament',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(blank=True, max_length=60)),
                ('members_only', models.BooleanField(db_default=False, default=False)),
                ('offer', models.CharField(blank=True, max_length=32)),
                ('terms', models.JSONField()),
                ('table_terms', models.JSONField()),
                ('fee_cents', models.BigIntegerField(default=0)),
                ('rake_bps', models.PositiveIntegerField(default=0)),
                ('shares_bps', django.contrib.postgres.fields.ArrayField(base_field=models.PositiveIntegerField(), default=list, size=None)),
                ('sides_bps', django.contrib.postgres.fields.ArrayField(base_field=models.PositiveIntegerField(), db_default=[], default=list, size=None)),
                ('added_cents', models.BigIntegerField(db_default=0, default=0)),
                ('starts_at', models.DateTimeField(blank=True, null=True)),
                ('commitment', models.CharField(max_length=64)),
                ('hidden_secret', models.BinaryField()),
                ('secret', models.CharField(blank=True, editable=False, max_length=64)),
                ('phase', models.CharField(default='registering', max_length=12)),
                ('seq', models.PositiveIntegerField(default=0)),
                ('state', models.JSONField()),
                ('rake_cents', models.BigIntegerField(blank=True, null=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('drawn_at', models.DateTimeField(blank=True, null=True)),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('cleared_at', models.DateTimeField(blank=True, null=True)),
                ('wake_at', models.DateTimeField(blank=True, null=True)),
                ('club', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='tournaments', to='tournaments.club')),
                ('founder', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('satellite_of', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='satellites', to='tournaments.tournament')),
            ],
            options={
                'permissions': [('hold_paid_tournament', 'May hold tournaments with an entry fee')],
                'indexes': [models.Index(condition=models.Q(('wake_at__isnull', False)), fields=['wake_at'], name='tournament_due'), models.Index(fields=['phase', 'starts_at'], name='tournament_calendar'), models.Index(fields=['-ended_at'], name='tournament_by_end')],
                'constraints': [models.CheckConstraint(condition=models.Q(('fee_cents__gte', 0), ('rake_bps__lte', 5000)), name='tournament_fee_sound'), models.CheckConstraint(condition=models.Q(('added_cents', 0), models.Q(('added_cents__gt', 0), ('fee_cents__gt', 0)), _connector='OR'), name='tournament_added_to_fees'), models.CheckConstraint(condition=models.Q(('sides_bps', []), models.Q(('fee_cents__gt', 0), ('satellite_of__isnull', True), ('sides_bps__len', 2), ('terms__format', 'consolation')), _connector='OR'), name='tournament_sides_of_a_consolation'), models.CheckConstraint(condition=models.Q(('satellite_of__isnull', True), ('fee_cents__gt', 0), _connector='OR'), name='tournament_satellite_has_a_fee'), models.CheckConstraint(condition=models.Q(('phase__in', ['registering', 'running', 'over', 'called_off'])), name='tournament_phase_known'), models.CheckConstraint(condition=models.Q(models.Q(('ended_at__isnull', False), ('phase__in', ['over', 'called_off'])), models.Q(('ended_at__isnull', True), ('phase__in', ['registering', 'running'])), _connector='OR'), name='tournament_over_has_end'), models.CheckConstraint(condition=models.Q(models.Q(('drawn_at__isnull', True), ('secret', '')), models.Q(('drawn_at__isnull', False), models.Q(('secret', ''), _negated=True)), _connector='OR'), name='tournament_secret_open_once_drawn'), models.CheckConstraint(condition=models.Q(('members_only', False), ('club__isnull', False), _connector='OR'), name='tournament_members_have_a_club'), models.UniqueConstraint(condition=models.Q(('phase', 'registering'), models.Q(('offer', ''), _negated=True)), fields=('offer',), name='tournament_offer_fills_once')],
            },
        ),
        migrations.CreateModel(
            name='WordsRemoval',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(blank=True, max_length=60)),
                ('name_key', models.CharField(blank=True, max_length=160)),
                ('about', models.TextField(blank=True, max_length=1000)),
                ('taken_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('given_back_at', models.DateTimeField(blank=True, null=True)),
                ('club', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='removals', to='tournaments.club')),
                ('taken_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('tournament', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='removals', to='tournaments.tournament')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('given_back_at__isnull', True), ('name__gt', '')), fields=['name_key'], name='words_name_withdrawn')],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('club', None), ('tournament__isnull', False)), models.Q(('club__isnull', False), ('tournament', None)), _connector='OR'), name='words_removal_of_one_subject'), models.CheckConstraint(condition=models.Q(('name__gt', ''), ('about__gt', ''), _connector='OR'), name='words_removal_of_something'), models.UniqueConstraint(condition=models.Q(('given_back_at__isnull', True)), fields=('tournament',), name='tournament_name_taken_once')],
            },
        ),
        migrations.CreateModel(
            name='Meeting',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('place', models.CharField(max_length=40)),
                ('called_at', models.DateTimeField()),
                ('due_at', models.DateTimeField()),
                ('ready_0', models.BooleanField(default=False)),
                ('ready_1', models.BooleanField(default=False)),
                ('decided_at', models.DateTimeField(blank=True, null=True)),
                ('undone', models.BooleanField(default=False)),
                ('match', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='tournament_meeting', to='games.match')),
                ('player_0', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('player_1', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('table', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='games.table')),
                ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='meetings', to='tournaments.tournament')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('decided_at__isnull', True), ('undone', False)), fields=['due_at'], name='meeting_waits'), models.Index(fields=['player_0', '-called_at'], name='meeting_of_first'), models.Index(fields=['player_1', '-called_at'], name='meeting_of_second')],
                'constraints': [models.UniqueConstraint(fields=('tournament', 'number'), name='meeting_number'), models.CheckConstraint(condition=models.Q(('player_0', models.F('player_1')), _negated=True), name='meeting_of_two_players')],
            },
        ),
        migrations.CreateModel(
            name='Entry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('part', models.CharField(max_length=64)),
                ('part_given_at', models.DateTimeField(blank=True, null=True)),
                ('entered_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('withdrawn_at', models.DateTimeField(blank=True, null=True)),
                ('gave_up_at', models.DateTimeField(blank=True, null=True)),
                ('first_place', models.PositiveIntegerField(blank=True, null=True)),
                ('last_place', models.PositiveIntegerField(blank=True, null=True)),
                ('prize_cents', models.BigIntegerField(blank=True, null=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='tournament_entries', to=settings.AUTH_USER_MODEL)),
                ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='entries', to='tournaments.tournament')),
                ('won_in', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='seats_won', to='tournaments.tournament')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('tournament', 'number'), name='entry_number'), models.UniqueConstraint(condition=models.Q(('withdrawn_at__isnull', True)), fields=('tournament', 'user'), name='entry_once_a_player'), models.CheckConstraint(condition=models.Q(('prize_cents__isnull', True), ('prize_cents__gte', 0), _connector='OR'), name='entry_prize_not_negative')],
            },
        ),
        migrations.CreateModel(
            name='TournamentEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seq', models.PositiveIntegerField()),
                ('payload', models.JSONField()),
                ('stored_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='events', to='tournaments.tournament')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('tournament', 'seq'), name='tournament_event_seq')],
            },
        ),
        *sql_of(__file__, "clubs", "journal", "tournaments"),
    ]
