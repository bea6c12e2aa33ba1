"""The books: accounts, transfers, entries, snapshots, seals.

Read-only from Python. Rows are written by the functions in ledger/migrations/sql, which run with
the owner's rights; the application's role may only SELECT. Triggers refuse UPDATE, DELETE and
TRUNCATE for everybody.
"""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from ledger.postings import ACCOUNT_KINDS, BOUNDED_KINDS, KIND_RULES, MENDING_KINDS

_PERSON = settings.AUTH_USER_MODEL

_RULED = [kind for kind, rule in KIND_RULES.items() if rule.needs_actor]


class Account(models.Model):
    """A place credits can be: bounded ones store a balance, the others are summed."""

    key = models.CharField(max_length=200)
    kind = models.CharField(max_length=20)
    owner = models.ForeignKey(
        _PERSON, models.PROTECT, null=True, related_name="+", db_index=False
    )  # set for wallets
    bounded = models.BooleanField()
    balance_cents = models.BigIntegerField(db_default=0)
    version = models.BigIntegerField(db_default=0)
    frozen = models.BooleanField(db_default=False)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        permissions = [("freeze_account", "May freeze and thaw wallets")]
        constraints = [
            models.CheckConstraint(condition=Q(kind__in=ACCOUNT_KINDS), name="account_kind_known"),
            models.CheckConstraint(
                condition=Q(kind__in=sorted(BOUNDED_KINDS), bounded=True)
                | (~Q(kind__in=sorted(BOUNDED_KINDS)) & Q(bounded=False)),
                name="account_bounded_by_kind",
            ),
            models.CheckConstraint(
                condition=Q(bounded=False) | Q(balance_cents__gte=0),
                name="account_never_below_zero",
            ),
            models.CheckConstraint(
                condition=Q(bounded=True) | Q(balance_cents=0, version=0),
                name="account_unbounded_stores_nothing",
            ),
            models.CheckConstraint(
                condition=Q(kind="wallet", owner__isnull=False)
                | (~Q(kind="wallet") & Q(owner=None)),
                name="account_wallet_has_owner",
            ),
            models.UniqueConstraint(fields=["owner"], name="account_one_wallet_per_owner"),
            models.UniqueConstraint(fields=["key"], name="account_key_once"),
        ]

    def __str__(self) -> str:
        return self.key


class Transfer(models.Model):
    """One business event that moved credits, under the idempotency key of its decision."""

    key = models.CharField(max_length=200)
    digest = models.BinaryField()
    kind = models.CharField(max_length=20)
    reference = models.CharField(max_length=200, db_index=False)
    line_count = models.SmallIntegerField()
    actor = models.ForeignKey(_PERSON, models.PROTECT, null=True, related_name="+", db_index=False)
    approver = models.ForeignKey(
        _PERSON, models.PROTECT, null=True, related_name="+", db_index=False
    )
    memo = models.CharField(max_length=500, db_default="")
    reverses = models.OneToOneField("self", models.PROTECT, null=True, related_name="reversed_by")
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        indexes = [models.Index(fields=["reference"], name="transfer_reference")]
        constraints = [
            models.UniqueConstraint(fields=["key"], name="transfer_key_once"),
            models.CheckConstraint(
                condition=Q(kind__in=list(KIND_RULES)), name="transfer_kind_known"
            ),
            models.CheckConstraint(
                condition=Q(line_count__gte=2, line_count__lte=1000), name="transfer_has_lines"
            ),
            models.CheckConstraint(
                condition=~Q(kind__in=_RULED) | (Q(actor__isnull=False) & ~Q(memo="")),
                name="transfer_by_hand_names_who_and_why",
            ),
            models.CheckConstraint(
                condition=Q(approver=None) | (Q(actor__isnull=False) & ~Q(approver=F("actor"))),
                name="transfer_approver_is_another",
            ),
            models.CheckConstraint(
                condition=Q(kind__in=sorted(MENDING_KINDS), reverses__isnull=False)
                | (~Q(kind__in=sorted(MENDING_KINDS)) & Q(reverses=None)),
                name="transfer_mending_names_the_mended",
            ),
        ]

    def __str__(self) -> str:
        return self.key


class Entry(models.Model):
    """One line of a transfer. Bounded accounts also note the balance and version it led to."""

    pk = models.CompositePrimaryKey("transfer_id", "line")
    transfer = models.ForeignKey(Transfer, models.PROTECT, related_name="entries", db_index=False)
    line = models.SmallIntegerField()
    account = models.ForeignKey(Account, models.PROTECT, related_name="entries", db_index=False)
    amount_cents = models.BigIntegerField()
    balance_after_cents = models.BigIntegerField(null=True)
    account_version = models.BigIntegerField(null=True)

    class Meta:
        verbose_name_plural = "entries"
        constraints = [
            models.CheckConstraint(condition=~Q(amount_cents=0), name="entry_moves_something"),
            models.CheckConstraint(
                condition=Q(balance_after_cents=None, account_version=None)
                | Q(balance_after_cents__gte=0, account_version__gte=1),
                name="entry_balance_with_version",
            ),
            models.UniqueConstraint(
                fields=["account", "account_version"], name="entry_gapless_account_history"
            ),
        ]
        indexes = [
            models.Index(
                fields=["account", "transfer"],
                name="entry_of_summed_accounts",
                condition=Q(account_version=None),
                include=["amount_cents"],
            )
        ]


class Snapshot(models.Model):
    """The balance of a summed account up to and including a sealed transfer."""

    account = models.ForeignKey(Account, models.PROTECT, related_name="snapshots", db_index=False)
    upto_transfer_id = models.BigIntegerField()
    balance_cents = models.BigIntegerField()
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["account", "upto_transfer_id"], name="snapshot_once")
        ]


class Seal(models.Model):
    """A hash over all rows of a stream with ids in (from_id, to_id], chained to the seal before.

    The rows of ``transfer`` include the entries.
    """

    stream = models.CharField(max_length=20)
    number = models.BigIntegerField()
    from_id = models.BigIntegerField()
    to_id = models.BigIntegerField()
    row_count = models.BigIntegerField()
    previous_root = models.BinaryField()
    root = models.BinaryField()
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(to_id__gt=F("from_id")), name="seal_covers_something"
            ),
            models.CheckConstraint(
                condition=Q(stream__regex="^[a-z]+$"), name="seal_names_a_stream"
            ),
            models.UniqueConstraint(fields=["stream", "number"], name="seal_numbered_once"),
            models.UniqueConstraint(fields=["stream", "from_id"], name="seal_never_forks"),
        ]
