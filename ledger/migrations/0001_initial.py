"""The books: accounts, transfers, seals, the desk's decisions."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

from kit.migration_sql import sql_of


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('accounts', '0001_initial'),
        ('house', '0001_initial'),
        ('kit', '0001_initial'),
        ('accounts', '__first__'),
    ]

    operations = [
        migrations.CreateModel(
            name='Account',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=200)),
                ('kind', models.CharField(max_length=20)),
                ('bounded', models.BooleanField()),
                ('balance_cents', models.BigIntegerField(db_default=0)),
                ('version', models.BigIntegerField(db_default=0)),
                ('frozen', models.BooleanField(db_default=False)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('owner', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'permissions': [('freeze_account', 'May freeze and thaw wallets')],
                'constraints': [models.CheckConstraint(condition=models.Q(('kind__in', ('wallet', 'escrow', 'payout_hold', 'house_rake', 'promo_issue', 'cash_in', 'payout_paid', 'adjustment'))), name='account_kind_known'), models.CheckConstraint(condition=models.Q(models.Q(('bounded', True), ('kind__in', ['escrow', 'payout_hold', 'wallet'])), models.Q(models.Q(('kind__in', ['escrow', 'payout_hold', 'wallet']), _negated=True), ('bounded', False)), _connector='OR'), name='account_bounded_by_kind'), models.CheckConstraint(condition=models.Q(('bounded', False), ('balance_cents__gte', 0), _connector='OR'), name='account_never_below_zero'), models.CheckConstraint(condition=models.Q(('bounded', True), models.Q(('balance_cents', 0), ('version', 0)), _connector='OR'), name='account_unbounded_stores_nothing'), models.CheckConstraint(condition=models.Q(models.Q(('kind', 'wallet'), ('owner__isnull', False)), models.Q(models.Q(('kind', 'wallet'), _negated=True), ('owner', None)), _connector='OR'), name='account_wallet_has_owner'), models.UniqueConstraint(fields=('owner',), name='account_one_wallet_per_owner'), models.UniqueConstraint(fields=('key',), name='account_key_once')],
            },
        ),
        migrations.CreateModel(
            name='AuditRun',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('started_at', models.DateTimeField()),
                ('duration_ms', models.IntegerField()),
                ('finding_count', models.IntegerField()),
                ('report', models.JSONField()),
                ('since_at', models.DateTimeField(null=True)),
                ('sealed_to', models.BigIntegerField(default=0)),
            ],
            options={
                'indexes': [models.Index(fields=['-started_at'], name='audit_run_latest')],
            },
        ),
        migrations.CreateModel(
            name='Change',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('table_name', models.CharField(max_length=63)),
                ('row_key', models.CharField(max_length=100)),
                ('content', models.JSONField(null=True)),
                ('by_role', models.CharField(db_default=models.Func(output_field=models.CharField(), template='session_user'), max_length=63)),
                ('made_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
            options={
                'indexes': [models.Index(fields=['table_name', 'row_key', '-id'], name='change_of_a_row'), models.Index(fields=['made_at'], name='change_by_time')],
            },
        ),
        migrations.CreateModel(
            name='Clearance',
            fields=[
                ('pk', models.CompositePrimaryKey('reference', 'user_id', blank=True, editable=False, primary_key=True, serialize=False)),
                ('reference', models.CharField(max_length=200)),
                ('cleared_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('user', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Hold',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reference', models.CharField(max_length=200)),
                ('amount_cents', models.BigIntegerField()),
                ('reason_class', models.CharField(max_length=20)),
                ('placed_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('ends_at', models.DateTimeField()),
                ('released_at', models.DateTimeField(blank=True, null=True)),
                ('release_reason', models.CharField(blank=True, max_length=100)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('released_at__isnull', True)), fields=['user'], name='hold_in_force')],
                'constraints': [models.UniqueConstraint(fields=('reference', 'user'), name='hold_once_a_reference'), models.CheckConstraint(condition=models.Q(('amount_cents__gt', 0), ('ends_at__gt', models.F('placed_at'))), name='hold_holds')],
            },
        ),
        migrations.CreateModel(
            name='JournalEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('verb', models.CharField(max_length=60)),
                ('subject', models.CharField(max_length=200)),
                ('before', models.JSONField()),
                ('after', models.JSONField()),
                ('reason', models.CharField(max_length=500)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('actor', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name_plural': 'journal entries',
                'indexes': [models.Index(fields=['subject', 'id'], name='journal_of_a_subject')],
                'constraints': [models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='journal_says_why'), models.CheckConstraint(condition=models.Q(('verb__regex', '^[a-z]+(\\.[a-z_]+)+$')), name='journal_verb_has_an_area')],
            },
        ),
        migrations.CreateModel(
            name='Payout',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('client_key', models.CharField(max_length=100)),
                ('amount_cents', models.BigIntegerField()),
                ('destination', models.CharField(max_length=200)),
                ('note', models.CharField(blank=True, max_length=500)),
                ('four_eyes', models.BooleanField()),
                ('state', models.CharField(choices=[('requested', 'requested'), ('approved', 'approved'), ('paying', 'being paid'), ('paid', 'paid'), ('declined', 'declined'), ('cancelled', 'cancelled'), ('failed', 'failed')], default='requested', max_length=10)),
                ('requested_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('large_from_cents', models.BigIntegerField()),
                ('wait_hours', models.IntegerField()),
                ('not_before', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('approved_at', models.DateTimeField(null=True)),
                ('claimed_at', models.DateTimeField(null=True)),
                ('cancel_asked_at', models.DateTimeField(null=True)),
                ('closed_at', models.DateTimeField(null=True)),
                ('reason', models.CharField(blank=True, max_length=500)),
                ('receipt', models.CharField(blank=True, max_length=200)),
                ('approved_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('claimed_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('closed_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'permissions': [('decide_payout', 'May approve, decline and settle payouts')],
                'indexes': [models.Index(condition=models.Q(('state__in', ('requested', 'approved', 'paying'))), fields=['not_before'], name='payout_open'), models.Index(fields=['user', 'requested_at'], name='payout_of_day')],
                'constraints': [models.UniqueConstraint(fields=('user', 'client_key'), name='payout_asked_once'), models.CheckConstraint(condition=models.Q(('amount_cents__gt', 0), ('state__in', ['requested', 'approved', 'paying', 'paid', 'declined', 'cancelled', 'failed'])), name='payout_is_one'), models.CheckConstraint(condition=models.Q(models.Q(('approved_at', None), ('approved_by', None)), models.Q(('approved_at__isnull', False), ('approved_by__isnull', False)), _connector='OR'), name='payout_approval_whole'), models.CheckConstraint(condition=models.Q(models.Q(('closed_at', None), ('closed_by', None), ('state__in', ('requested', 'approved', 'paying'))), models.Q(models.Q(('state__in', ('requested', 'approved', 'paying')), _negated=True), ('closed_at__isnull', False), ('closed_by__isnull', False)), _connector='OR'), name='payout_closed_by_somebody'), models.CheckConstraint(condition=models.Q(('state__in', ['requested', 'declined', 'cancelled']), ('approved_by__isnull', False), _connector='OR'), name='payout_approved_first'), models.CheckConstraint(condition=models.Q(models.Q(('state', 'requested'), _negated=True), ('approved_by', None), _connector='OR'), name='payout_requested_is_not_approved'), models.CheckConstraint(condition=models.Q(('approved_by', None), models.Q(('approved_by', models.F('user')), _negated=True), _connector='OR'), name='payout_approver_is_not_the_player'), models.CheckConstraint(condition=models.Q(models.Q(('claimed_at', None), ('claimed_by', None)), models.Q(('approved_by__isnull', False), ('claimed_at__isnull', False), ('claimed_by__isnull', False)), _connector='OR'), name='payout_claim_whole'), models.CheckConstraint(condition=models.Q(models.Q(('state__in', ['paying', 'paid', 'failed']), _negated=True), ('claimed_by__isnull', False), _connector='OR'), name='payout_taken_before_it_is_paid'), models.CheckConstraint(condition=models.Q(('claimed_by', None), models.Q(models.Q(('claimed_by', models.F('user')), _negated=True), models.Q(('state', 'paying'), models.Q(('closed_by', models.F('claimed_by')), ('state__in', ['paid', 'failed', 'cancelled'])), _connector='OR')), _connector='OR'), name='payout_ended_by_the_one_who_took_it'), models.CheckConstraint(condition=models.Q(('closed_by', None), models.Q(('closed_by', models.F('user')), ('state', 'cancelled')), models.Q(models.Q(('closed_by', models.F('user')), _negated=True), models.Q(models.Q(('state', 'cancelled'), _negated=True), ('cancel_asked_at__isnull', False), _connector='OR')), _connector='OR'), name='payout_cancelled_as_the_player_wished'), models.CheckConstraint(condition=models.Q(models.Q(('four_eyes', True), ('state__in', ['paying', 'paid']), _negated=True), models.Q(('claimed_by', models.F('approved_by')), _negated=True), _connector='OR'), name='payout_four_eyes'), models.CheckConstraint(condition=models.Q(models.Q(('state__in', ['paying', 'paid']), _negated=True), ('claimed_at__gte', models.F('not_before')), _connector='OR'), name='payout_large_waits'), models.CheckConstraint(condition=models.Q(models.Q(('state__in', ['declined', 'failed']), _negated=True), models.Q(('reason', ''), _negated=True), _connector='OR'), name='payout_refusal_says_why')],
            },
        ),
        migrations.CreateModel(
            name='PayoutStep',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('state', models.CharField(choices=[('requested', 'requested'), ('approved', 'approved'), ('paying', 'being paid'), ('paid', 'paid'), ('declined', 'declined'), ('cancelled', 'cancelled'), ('failed', 'failed')], max_length=10)),
                ('reason', models.CharField(blank=True, max_length=500)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('actor', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('mail', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='accounts.outgoingmail')),
                ('payout', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='steps', to='ledger.payout')),
            ],
        ),
        migrations.CreateModel(
            name='PlayLimit',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('measure', models.CharField(choices=[('stake', 'credits staked'), ('loss', 'credits lost')], max_length=10)),
                ('period', models.CharField(choices=[('day', '24 hours'), ('week', '7 days'), ('month', 'one month')], max_length=10)),
                ('amount_cents', models.BigIntegerField()),
                ('next_amount_cents', models.BigIntegerField(null=True)),
                ('next_from', models.DateTimeField(null=True)),
                ('user', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('user', 'measure', 'period'), name='limit_one_each'), models.CheckConstraint(condition=models.Q(('amount_cents__gte', 0), ('measure__in', ['stake', 'loss']), ('period__in', ['day', 'week', 'month'])), name='limit_is_one'), models.CheckConstraint(condition=models.Q(('next_amount_cents', None), models.Q(('next_amount_cents__gt', models.F('amount_cents')), ('next_from__isnull', False)), _connector='OR'), name='limit_only_widens_later')],
            },
        ),
        migrations.CreateModel(
            name='PlayPause',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('break', 'break'), ('exclusion', 'self-exclusion')], max_length=10)),
                ('starts_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('ends_at', models.DateTimeField(null=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('kind__in', ['break', 'exclusion']), models.Q(('ends_at', None), ('ends_at__gt', models.F('starts_at')), _connector='OR')), name='pause_is_one')],
            },
        ),
        migrations.CreateModel(
            name='Proposal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=60)),
                ('subject', models.CharField(max_length=200)),
                ('key', models.CharField(blank=True, default='', max_length=100)),
                ('permission', models.CharField(max_length=100)),
                ('content', models.JSONField()),
                ('before', models.JSONField()),
                ('reason', models.CharField(max_length=500)),
                ('state', models.CharField(choices=[('waiting', 'waiting'), ('done', 'carried out'), ('refused', 'refused'), ('withdrawn', 'withdrawn'), ('lapsed', 'lapsed')], default='waiting', max_length=10)),
                ('proposed_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('decided_at', models.DateTimeField(null=True)),
                ('decision_reason', models.CharField(blank=True, max_length=500)),
                ('decided_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('proposed_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['subject', 'id'], name='proposal_of_a_subject')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('state', 'waiting')), fields=('kind', 'subject', 'key'), name='proposal_waits_once'), models.CheckConstraint(condition=models.Q(('kind__regex', '^[a-z]+(\\.[a-z_]+)+$'), ('permission__regex', '^[a-z]+\\.[a-z_]+$'), ('state__in', ['waiting', 'done', 'refused', 'withdrawn', 'lapsed']), models.Q(('subject', ''), _negated=True), models.Q(('reason', ''), _negated=True)), name='proposal_is_one'), models.CheckConstraint(condition=models.Q(models.Q(('decided_at', None), ('decided_by', None), ('state', 'waiting')), models.Q(('decided_at__isnull', False), ('decided_by', None), ('state', 'lapsed')), models.Q(('decided_at__isnull', False), ('decided_by__isnull', False), ('state__in', ['done', 'refused', 'withdrawn'])), _connector='OR'), name='proposal_decided_by_somebody'), models.CheckConstraint(condition=models.Q(('decided_by', None), models.Q(('decided_by', models.F('proposed_by')), ('state', 'withdrawn')), models.Q(('state__in', ['done', 'refused']), models.Q(('decided_by', models.F('proposed_by')), _negated=True)), _connector='OR'), name='proposal_second_person'), models.CheckConstraint(condition=models.Q(models.Q(('state', 'refused'), _negated=True), models.Q(('decision_reason', ''), _negated=True), _connector='OR'), name='proposal_refusal_says_why')],
            },
        ),
        migrations.CreateModel(
            name='Adjustment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('client_key', models.CharField(max_length=100)),
                ('amount_cents', models.BigIntegerField()),
                ('reason', models.CharField(max_length=500)),
                ('booked_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('confirmed_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('proposal', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ledger.proposal')),
                ('proposed_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'permissions': [('adjust_credits', 'May give and take credits')],
                'constraints': [models.UniqueConstraint(fields=('proposed_by', 'client_key'), name='adjustment_proposed_once'), models.CheckConstraint(condition=models.Q(models.Q(('amount_cents', 0), _negated=True), models.Q(('reason', ''), _negated=True), models.Q(('proposed_by', models.F('user')), _negated=True)), name='adjustment_is_one'), models.CheckConstraint(condition=models.Q(models.Q(('confirmed_by', None), ('proposal', None)), models.Q(('confirmed_by__isnull', False), ('proposal__isnull', False), models.Q(('confirmed_by', models.F('user')), _negated=True), models.Q(('confirmed_by', models.F('proposed_by')), _negated=True)), _connector='OR'), name='adjustment_four_eyes')],
            },
        ),
        migrations.CreateModel(
            name='Seal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('stream', models.CharField(max_length=20)),
                ('number', models.BigIntegerField()),
                ('from_id', models.BigIntegerField()),
                ('to_id', models.BigIntegerField()),
                ('row_count', models.BigIntegerField()),
                ('previous_root', models.BinaryField()),
                ('root', models.BinaryField()),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('to_id__gt', models.F('from_id'))), name='seal_covers_something'), models.CheckConstraint(condition=models.Q(('stream__regex', '^[a-z]+$')), name='seal_names_a_stream'), models.UniqueConstraint(fields=('stream', 'number'), name='seal_numbered_once'), models.UniqueConstraint(fields=('stream', 'from_id'), name='seal_never_forks')],
            },
        ),
        migrations.CreateModel(
            name='Snapshot',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('upto_transfer_id', models.BigIntegerField()),
                ('balance_cents', models.BigIntegerField()),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('account', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='snapshots', to='ledger.account')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('account', 'upto_transfer_id'), name='snapshot_once')],
            },
        ),
        migrations.CreateModel(
            name='StakesStop',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('scope', models.CharField(max_length=100, unique=True)),
                ('reason', models.CharField(max_length=500)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('actor', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'permissions': [('stop_stakes', 'May close tables for new stakes')],
            },
        ),
        migrations.CreateModel(
            name='Transfer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=200)),
                ('digest', models.BinaryField()),
                ('kind', models.CharField(max_length=20)),
                ('reference', models.CharField(max_length=200)),
                ('line_count', models.SmallIntegerField()),
                ('memo', models.CharField(db_default='', max_length=500)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('actor', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('approver', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('reverses', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='reversed_by', to='ledger.transfer')),
            ],
            options={
                'indexes': [models.Index(fields=['reference'], name='transfer_reference')],
                'constraints': [models.UniqueConstraint(fields=('key',), name='transfer_key_once'), models.CheckConstraint(condition=models.Q(('kind__in', ['welcome', 'voucher', 'grant', 'purchase', 'chargeback', 'stake', 'result', 'tie', 'adjudicate', 'void', 'withdraw', 'add', 'payout_request', 'payout_paid', 'payout_return', 'adjust', 'correct', 'reverse'])), name='transfer_kind_known'), models.CheckConstraint(condition=models.Q(('line_count__gte', 2), ('line_count__lte', 1000)), name='transfer_has_lines'), models.CheckConstraint(condition=models.Q(models.Q(('kind__in', ['add', 'payout_paid', 'adjust', 'correct', 'reverse']), _negated=True), models.Q(('actor__isnull', False), models.Q(('memo', ''), _negated=True)), _connector='OR'), name='transfer_by_hand_names_who_and_why'), models.CheckConstraint(condition=models.Q(('approver', None), models.Q(('actor__isnull', False), models.Q(('approver', models.F('actor')), _negated=True)), _connector='OR'), name='transfer_approver_is_another'), models.CheckConstraint(condition=models.Q(models.Q(('kind__in', ['correct', 'reverse']), ('reverses__isnull', False)), models.Q(models.Q(('kind__in', ['correct', 'reverse']), _negated=True), ('reverses', None)), _connector='OR'), name='transfer_mending_names_the_mended')],
            },
        ),
        migrations.CreateModel(
            name='PromoCredit',
            fields=[
                ('pk', models.CompositePrimaryKey('account_id', 'account_version', blank=True, editable=False, primary_key=True, serialize=False)),
                ('account_version', models.BigIntegerField()),
                ('amount_cents', models.BigIntegerField()),
                ('account', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ledger.account')),
                ('transfer', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ledger.transfer')),
            ],
            options={
                'db_table': 'ledger_promo',
                'constraints': [models.CheckConstraint(condition=models.Q(('amount_cents__gt', 0)), name='promo_brings_credits')],
            },
        ),
        migrations.CreateModel(
            name='Entry',
            fields=[
                ('pk', models.CompositePrimaryKey('transfer_id', 'line', blank=True, editable=False, primary_key=True, serialize=False)),
                ('line', models.SmallIntegerField()),
                ('amount_cents', models.BigIntegerField()),
                ('balance_after_cents', models.BigIntegerField(null=True)),
                ('account_version', models.BigIntegerField(null=True)),
                ('account', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='entries', to='ledger.account')),
                ('transfer', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='entries', to='ledger.transfer')),
            ],
            options={
                'verbose_name_plural': 'entries',
                'indexes': [models.Index(condition=models.Q(('account_version', None)), fields=['account', 'transfer'], include=('amount_cents',), name='entry_of_summed_accounts')],
                'constraints': [models.CheckConstraint(condition=models.Q(('amount_cents', 0), _negated=True), name='entry_moves_something'), models.CheckConstraint(condition=models.Q(models.Q(('account_version', None), ('balance_after_cents', None)), models.Q(('account_version__gte', 1), ('balance_after_cents__gte', 0)), _connector='OR'), name='entry_balance_with_version'), models.UniqueConstraint(fields=('account', 'account_version'), name='entry_gapless_account_history')],
            },
        ),
        migrations.CreateModel(
            name='Voucher',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code_digest', models.BinaryField(unique=True)),
                ('hint', models.CharField(max_length=4)),
                ('amount_cents', models.BigIntegerField()),
                ('note', models.CharField(max_length=200)),
                ('made_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('expires_at', models.DateTimeField(null=True)),
                ('alone', models.BooleanField()),
                ('confirmed_at', models.DateTimeField(null=True)),
                ('redeemed_at', models.DateTimeField(null=True)),
                ('revoked_at', models.DateTimeField(null=True)),
                ('confirmed_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('made_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('redeemed_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('revoked_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'permissions': [('make_voucher', 'May make and revoke vouchers')],
                'constraints': [models.CheckConstraint(condition=models.Q(('amount_cents__gt', 0)), name='voucher_is_worth_something'), models.CheckConstraint(condition=models.Q(models.Q(('redeemed_at', None), ('redeemed_by', None)), models.Q(('redeemed_at__isnull', False), ('redeemed_by__isnull', False), ('revoked_by', None)), _connector='OR'), name='voucher_redeemed_or_revoked'), models.CheckConstraint(condition=models.Q(('redeemed_by', None), models.Q(('redeemed_by', models.F('made_by')), _negated=True), _connector='OR'), name='voucher_not_for_its_maker'), models.CheckConstraint(condition=models.Q(models.Q(('confirmed_at', None), ('confirmed_by', None)), models.Q(('alone', False), ('confirmed_at__isnull', False), ('confirmed_by__isnull', False), models.Q(('confirmed_by', models.F('made_by')), _negated=True)), _connector='OR'), name='voucher_confirmed_by_another'), models.CheckConstraint(condition=models.Q(('redeemed_by', None), ('alone', True), ('confirmed_by__isnull', False), _connector='OR'), name='voucher_redeemed_if_confirmed'), models.CheckConstraint(condition=models.Q(('redeemed_by', None), ('confirmed_by', None), models.Q(('redeemed_by', models.F('confirmed_by')), _negated=True), _connector='OR'), name='voucher_not_for_its_confirmer')],
            },
        ),
        migrations.CreateModel(
            name='Warrant',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=200, unique=True)),
                ('kind', models.CharField(max_length=20)),
                ('amount_cents', models.BigIntegerField(null=True)),
                ('reason', models.CharField(max_length=500)),
                ('made_by_role', models.CharField(db_default=models.Func(output_field=models.CharField(), template='session_user'), max_length=63)),
                ('made_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('actor', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('user', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('kind__in', ('grant', 'purchase', 'chargeback', 'reverse')), models.Q(('reason', ''), _negated=True)), name='warrant_says_why'), models.CheckConstraint(condition=models.Q(models.Q(('amount_cents', None), ('kind', 'reverse'), ('user', None)), models.Q(models.Q(('kind', 'reverse'), _negated=True), ('amount_cents__isnull', False), ('user__isnull', False)), _connector='OR'), name='warrant_is_whole')],
            },
        ),
        migrations.CreateModel(
            name='Welcome',
            fields=[
                ('user', models.OneToOneField(db_index=False, on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='+', serialize=False, to=settings.AUTH_USER_MODEL)),
                ('amount_cents', models.BigIntegerField()),
                ('given_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('amount_cents__gt', 0)), name='welcome_is_worth_something')],
            },
        ),
        *sql_of(__file__, "guarding", "guards", "holds", "house", "justified", "limits", "payouts", "posting", "promo", "proposals", "seals", "streams", "watched", "watching", "watching_people", "rights"),
    ]
