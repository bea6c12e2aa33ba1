"""People: names, logins, roles, mail that goes out."""

import secrets

import django.contrib.auth.models
import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.db.models.deletion
import django.db.models.functions.datetime
import django.db.models.functions.text
import django.utils.timezone
from django.conf import settings
from django.contrib.postgres.operations import TrigramExtension
from django.db import migrations, models

from kit.migration_sql import sql_of


def salt_make(apps, schema_editor):
    """Make the salt of the mailboxes; it is never replaced."""
    apps.get_model("accounts", "MailboxSalt").objects.create(pk=1, value=secrets.token_bytes(32))


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        TrigramExtension(),
        migrations.CreateModel(
            name='User',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
                ('first_name', models.CharField(blank=True, max_length=150, verbose_name='first name')),
                ('last_name', models.CharField(blank=True, max_length=150, verbose_name='last name')),
                ('email', models.EmailField(blank=True, max_length=254, verbose_name='email address')),
                ('is_staff', models.BooleanField(default=False, help_text='Designates whether the user can log into this admin site.', verbose_name='staff status')),
                ('is_active', models.BooleanField(default=True, help_text='Designates whether this user should be treated as active. Unselect this instead of deleting accounts.', verbose_name='active')),
                ('date_joined', models.DateTimeField(default=django.utils.timezone.now, verbose_name='date joined')),
                ('username', models.CharField(error_messages={'unique': 'This name is taken.'}, help_text=(
                    "Visible to everyone. Letters and digits, with - _ . in between."
                ), max_length=24, unique=True, verbose_name='name')),
                ('name_key', models.CharField(editable=False, max_length=96, unique=True)),
                ('is_bot', models.BooleanField(default=False, help_text='Played by a program; everybody is told.', verbose_name='bot')),
                ('is_guest', models.BooleanField(default=False, help_text='Practises without an account.', verbose_name='guest')),
                ('language', models.CharField(blank=True, choices=[('de', 'Deutsch'), ('en', 'English')], default='', help_text='Empty: the language of the browser.', max_length=5, verbose_name='language')),
                ('theme', models.CharField(blank=True, choices=[('device', 'As on this device'), ('ahorn', 'Light'), ('nussbaum', 'Dark'), ('kontrast', 'High contrast')], default='', max_length=20, verbose_name='theme')),
                ('preferences', models.JSONField(blank=True, default=dict, help_text='What was chosen of accounts/preferences.py, besides language and theme.', verbose_name='preferences')),
                ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
            ],
            options={
                'verbose_name': 'user',
                'verbose_name_plural': 'users',
                'permissions': [('give_role', 'May give roles to others and take them')],
                'abstract': False,
                'indexes': [models.Index(condition=models.Q(('is_active', True), ('is_guest', True)), fields=['last_login'], name='guest_by_age'), models.Index(django.contrib.postgres.indexes.OpClass(django.db.models.functions.text.Upper('username'), 'text_pattern_ops'), name='user_by_name'), django.contrib.postgres.indexes.GinIndex(django.contrib.postgres.indexes.OpClass(django.db.models.functions.text.Upper('username'), 'gin_trgm_ops'), name='user_by_part_of_name'), models.Index(fields=['email'], name='user_by_address'), models.Index(django.contrib.postgres.indexes.OpClass(django.db.models.functions.text.Upper('email'), 'text_pattern_ops'), name='user_by_any_address'), django.contrib.postgres.indexes.GinIndex(django.contrib.postgres.indexes.OpClass(django.db.models.functions.text.Upper('email'), 'gin_trgm_ops'), name='user_by_part_of_address')],
                'constraints': [models.UniqueConstraint(django.db.models.functions.text.Lower('username'), name='user_name_in_any_case'), models.CheckConstraint(condition=models.Q(('is_guest', False), models.Q(('email', ''), ('is_bot', False), ('is_staff', False), ('is_superuser', False)), _connector='OR'), name='guest_is_nobody_else')],
            },
            managers=[
                ('objects', django.contrib.auth.models.UserManager()),
            ],
        ),
        migrations.CreateModel(
            name='CalendarFeed',
            fields=[
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='+', serialize=False, to=settings.AUTH_USER_MODEL)),
                ('serial', models.BigIntegerField()),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
            ],
        ),
        migrations.CreateModel(
            name='AccountDeletion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('asked_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('due_at', models.DateTimeField()),
                ('given_up_cents', models.BigIntegerField(default=0)),
                ('held_by', models.CharField(blank=True, default='', max_length=20)),
                ('outcome', models.CharField(blank=True, choices=[('', 'waiting'), ('kept', 'kept'), ('stopped', 'stopped'), ('done', 'done')], default='', max_length=10)),
                ('ended_at', models.DateTimeField(null=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='deletions', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('outcome', '')), fields=['due_at'], name='deletion_due')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('outcome__in', ['', 'done'])), fields=('user',), name='deletion_once'), models.CheckConstraint(condition=models.Q(('due_at__gt', models.F('asked_at')), ('given_up_cents__gte', 0), ('outcome__in', ['', 'kept', 'stopped', 'done'])), name='deletion_is_one'), models.CheckConstraint(condition=models.Q(models.Q(('ended_at', None), ('outcome', '')), models.Q(models.Q(('outcome', ''), _negated=True), ('ended_at__isnull', False)), _connector='OR'), name='deletion_ends_once')],
            },
        ),
        migrations.CreateModel(
            name='Acquaintance',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('confirmed_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('confirmed_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('one', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('other', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('one__lt', models.F('other'))), name='acquaintance_of_two'), models.UniqueConstraint(condition=models.Q(('ended_at__isnull', True)), fields=('one', 'other'), name='acquaintance_once')],
            },
        ),
        migrations.CreateModel(
            name='ApiToken',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('digest', models.CharField(editable=False, max_length=64, unique=True)),
                ('start', models.CharField(editable=False, max_length=16)),
                ('name', models.CharField(blank=True, default='', max_length=40)),
                ('scopes', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(choices=[('read', 'Read: tables, matches, challenges, tournaments and analyses'), ('play', 'Play: give commands at a table and talk there'), ('tables', 'Tables: open, join and close them, challenge and be challenged, enter tournaments'), ('wallet', 'Wallet: read the balance and the entries')], max_length=10), size=None)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('used_at', models.DateTimeField(null=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='api_tokens', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('scopes__contained_by', ['read', 'play', 'tables', 'wallet']), ('scopes__len__gt', 0)), name='token_has_scopes')],
            },
        ),
        migrations.CreateModel(
            name='IdentityChange',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reason', models.CharField(max_length=500)),
                ('asked_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('effective_from', models.DateTimeField()),
                ('confirmed_at', models.DateTimeField(null=True)),
                ('effective_at', models.DateTimeField(null=True)),
                ('ended_at', models.DateTimeField(null=True)),
                ('end_reason', models.CharField(blank=True, default='', max_length=500)),
                ('kind', models.CharField(choices=[('address', 'Set another mail address'), ('verify', 'Mark the mail address as verified'), ('no_address', 'Remove the mail address'), ('factors', 'Remove the second factors'), ('name', 'Change the name'), ('bot', "Convert to a bot account"), ('no_bot', "Make it a person's account again"), ('close', 'Close the account'), ('reopen', 'Open the account again')], max_length=12)),
                ('value', models.CharField(blank=True, default='', max_length=254)),
                ('asked_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('confirmed_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('ended_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'permissions': (('decide_identity', 'May change addresses, second factors and names'),),
                'abstract': False,
                'constraints': [models.CheckConstraint(condition=models.Q(('asked_by', None), models.Q(('asked_by', models.F('person')), _negated=True), _connector='OR'), name='identitychange_not_oneself'), models.CheckConstraint(condition=models.Q(models.Q(('confirmed_at', None), ('confirmed_by', None)), models.Q(('asked_by__isnull', False), ('confirmed_at__isnull', False), ('confirmed_by__isnull', False), models.Q(('confirmed_by', models.F('asked_by')), _negated=True), models.Q(('confirmed_by', models.F('person')), _negated=True)), _connector='OR'), name='identitychange_second_person'), models.CheckConstraint(condition=models.Q(('effective_at', None), ('confirmed_by__isnull', False), ('effective_at__gte', models.F('effective_from')), _connector='OR'), name='identitychange_not_before'), models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='identitychange_says_why'), models.CheckConstraint(condition=models.Q(('asked_by__isnull', False), ('kind__in', ['address', 'verify', 'no_address', 'factors', 'name', 'bot', 'no_bot', 'close', 'reopen'])), name='identitychange_is_one'), models.CheckConstraint(condition=models.Q(('effective_at', None), ('ended_at', None), _connector='OR'), name='identitychange_done_or_stopped'), models.UniqueConstraint(condition=models.Q(('effective_at', None), ('ended_at', None)), fields=('person', 'kind'), name='identitychange_waits_once')],
            },
        ),
        migrations.CreateModel(
            name='LoginMark',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('browser', 'the same browser'), ('network', 'the same network')], max_length=8)),
                ('key', models.CharField(max_length=64)),
                ('first_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('last_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('user', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='login_marks', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['key', 'kind'], name='login_mark_by_key'), models.Index(fields=['last_at'], name='login_mark_by_age')],
                'constraints': [models.UniqueConstraint(fields=('user', 'kind', 'key'), name='login_mark_once')],
            },
        ),
        migrations.CreateModel(
            name='Mailbox',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(editable=False, max_length=64)),
                ('named_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('proved_at', models.DateTimeField(null=True)),
                ('user', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='mailboxes', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['key'], name='mailbox_by_key')],
                'constraints': [models.UniqueConstraint(fields=('user', 'key'), name='mailbox_once')],
            },
        ),
        migrations.CreateModel(
            name='MailboxSalt',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('value', models.BinaryField(max_length=32)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('pk', 1)), name='mailbox_one_salt')],
            },
        ),
        migrations.CreateModel(
            name='OutgoingMail',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('to', models.CharField(max_length=254)),
                ('subject', models.CharField(max_length=200)),
                ('body', models.TextField()),
                ('about', models.CharField(blank=True, default='', max_length=100)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('attempts', models.PositiveIntegerField(default=0)),
                ('next_try_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('last_error', models.CharField(blank=True, default='', max_length=500)),
                ('sent_at', models.DateTimeField(null=True)),
            ],
            options={
                'permissions': (('retry_mail', 'May try an undelivered mail again'),),
                'indexes': [models.Index(condition=models.Q(('sent_at', None)), fields=['next_try_at', 'id'], name='mail_waiting')],
                'constraints': [models.CheckConstraint(condition=models.Q(('to', ''), _negated=True), name='mail_goes_somewhere'), models.CheckConstraint(condition=models.Q(('sent_at', None), ('body', ''), _connector='OR'), name='mail_sent_keeps_no_text')],
            },
        ),
        migrations.CreateModel(
            name='PastName',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=24)),
                ('key', models.CharField(max_length=96)),
                ('own', models.BooleanField()),
                ('changed_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='past_names', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['key'], name='past_name_by_key'), models.Index(django.db.models.functions.text.Lower('name'), name='past_name_in_any_case')],
            },
        ),
        migrations.CreateModel(
            name='RoleGrant',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reason', models.CharField(max_length=500)),
                ('asked_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('effective_from', models.DateTimeField()),
                ('confirmed_at', models.DateTimeField(null=True)),
                ('effective_at', models.DateTimeField(null=True)),
                ('ended_at', models.DateTimeField(null=True)),
                ('end_reason', models.CharField(blank=True, default='', max_length=500)),
                ('role', models.CharField(max_length=20)),
                ('asked_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('confirmed_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('ended_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'abstract': False,
                'constraints': [models.CheckConstraint(condition=models.Q(('asked_by', None), models.Q(('asked_by', models.F('person')), _negated=True), _connector='OR'), name='rolegrant_not_oneself'), models.CheckConstraint(condition=models.Q(models.Q(('confirmed_at', None), ('confirmed_by', None)), models.Q(('asked_by__isnull', False), ('confirmed_at__isnull', False), ('confirmed_by__isnull', False), models.Q(('confirmed_by', models.F('asked_by')), _negated=True), models.Q(('confirmed_by', models.F('person')), _negated=True)), _connector='OR'), name='rolegrant_second_person'), models.CheckConstraint(condition=models.Q(('effective_at', None), ('confirmed_by__isnull', False), ('effective_at__gte', models.F('effective_from')), _connector='OR'), name='rolegrant_not_before'), models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='rolegrant_says_why'), models.CheckConstraint(condition=models.Q(('role__in', ('moderator', 'treasurer', 'administrator'))), name='rolegrant_is_one'), models.UniqueConstraint(condition=models.Q(('effective_at', None), ('ended_at', None)), fields=('person',), name='rolegrant_waits_once'), models.UniqueConstraint(condition=models.Q(('effective_at__isnull', False), ('ended_at', None)), fields=('person',), name='rolegrant_in_force_once')],
            },
        ),
        migrations.RunPython(salt_make, migrations.RunPython.noop),
        *sql_of(__file__, "decisions", "two_people"),
    ]
