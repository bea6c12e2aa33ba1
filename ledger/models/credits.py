"""Credits without a game: welcomes, vouchers, adjustments, promotions, and what is held back."""

from django.conf import settings
from django.db import models
from django.db.models import F, Func, Q
from django.db.models.functions import Now

from ledger.models.books import Account, Transfer
from ledger.models.proposals import Proposal

_PERSON = settings.AUTH_USER_MODEL

WARRANTED_KINDS = ("grant", "purchase", "chargeback", "reverse")
"""Kinds of transfer that nothing in the application makes; a warrant orders each."""


SESSION_USER = Func(template="session_user", output_field=models.CharField())
"""The database's role that this session logged in as."""


class Welcome(models.Model):
    """The welcome credits of one player, as they were when the player came. Append-only."""

    user = models.OneToOneField(
        _PERSON, models.PROTECT, primary_key=True, related_name="+", db_index=False
    )
    amount_cents = models.BigIntegerField()
    given_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(amount_cents__gt=0), name="welcome_is_worth_something"
            )
        ]

    def __str__(self) -> str:
        return f"welcome of {self.user_id}"


class Warrant(models.Model):
    """An order of the books' owner: credits that come or go, or a transfer that is undone.

    The application's role may only read it, so no web server makes credits. `key` is the
    transfer's. A reversal names neither player nor amount: the transfer it undoes has them.
    """

    key = models.CharField(max_length=200, unique=True)
    kind = models.CharField(max_length=20)
    user = models.ForeignKey(_PERSON, models.PROTECT, null=True, related_name="+", db_index=False)
    amount_cents = models.BigIntegerField(null=True)  # below zero: taken from the wallet
    reason = models.CharField(max_length=500)
    actor = models.ForeignKey(_PERSON, models.PROTECT, null=True, related_name="+", db_index=False)
    made_by_role = models.CharField(max_length=63, db_default=SESSION_USER)
    made_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(kind__in=WARRANTED_KINDS) & ~Q(reason=""), name="warrant_says_why"
            ),
            models.CheckConstraint(
                condition=Q(kind="reverse", user=None, amount_cents=None)
                | (~Q(kind="reverse") & Q(user__isnull=False, amount_cents__isnull=False)),
                name="warrant_is_whole",
            ),
        ]

    def __str__(self) -> str:
        return self.key


class Voucher(models.Model):
    """Credits for the first player with the code, which is shown once and never stored.

    A batch that was too large for its maker alone waits for a second person: no one can redeem a
    voucher of it before it is confirmed.
    """

    code_digest = models.BinaryField(unique=True)
    hint = models.CharField(max_length=4)
    amount_cents = models.BigIntegerField()
    note = models.CharField(max_length=200)
    made_by = models.ForeignKey(_PERSON, models.PROTECT, related_name="+")
    made_at = models.DateTimeField(db_default=Now())
    expires_at = models.DateTimeField(null=True)
    alone = models.BooleanField()  # small enough for one administrator when it was made
    confirmed_by = models.ForeignKey(_PERSON, models.PROTECT, null=True, related_name="+")
    confirmed_at = models.DateTimeField(null=True)
    redeemed_by = models.ForeignKey(_PERSON, models.PROTECT, null=True, related_name="+")
    redeemed_at = models.DateTimeField(null=True)
    revoked_by = models.ForeignKey(_PERSON, models.PROTECT, null=True, related_name="+")
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        permissions = [("make_voucher", "May make and revoke vouchers")]
        constraints = [
            models.CheckConstraint(
                condition=Q(amount_cents__gt=0), name="voucher_is_worth_something"
            ),
            models.CheckConstraint(
                condition=Q(redeemed_by=None, redeemed_at=None)
                | Q(redeemed_by__isnull=False, redeemed_at__isnull=False, revoked_by=None),
                name="voucher_redeemed_or_revoked",
            ),
            models.CheckConstraint(
                condition=Q(redeemed_by=None) | ~Q(redeemed_by=F("made_by")),
                name="voucher_not_for_its_maker",
            ),
            models.CheckConstraint(
                condition=Q(confirmed_by=None, confirmed_at=None)
                | (
                    Q(confirmed_by__isnull=False, confirmed_at__isnull=False, alone=False)
                    & ~Q(confirmed_by=F("made_by"))
                ),
                name="voucher_confirmed_by_another",
            ),
            models.CheckConstraint(
                condition=Q(redeemed_by=None) | Q(alone=True) | Q(confirmed_by__isnull=False),
                name="voucher_redeemed_if_confirmed",
            ),
            models.CheckConstraint(
                condition=Q(redeemed_by=None)
                | Q(confirmed_by=None)
                | ~Q(redeemed_by=F("confirmed_by")),
                name="voucher_not_for_its_confirmer",
            ),
        ]

    def __str__(self) -> str:
        return f"…{self.hint}"

    @property
    def reference(self) -> str:
        """The reference of the voucher in the books."""
        return f"voucher:{self.pk}"

    @property
    def waits(self) -> bool:
        """Whether a second person has still to confirm it."""
        return not self.alone and self.confirmed_by_id is None


class Adjustment(models.Model):
    """Credits given (above zero) or taken by hand. Above a limit a second person confirmed it.

    The row is written when it is booked, and never changed.
    """

    user = models.ForeignKey(_PERSON, models.PROTECT, related_name="+")
    client_key = models.CharField(max_length=100)
    amount_cents = models.BigIntegerField()
    reason = models.CharField(max_length=500)
    proposed_by = models.ForeignKey(_PERSON, models.PROTECT, related_name="+")
    proposal = models.OneToOneField(Proposal, models.PROTECT, null=True, related_name="+")
    confirmed_by = models.ForeignKey(_PERSON, models.PROTECT, null=True, related_name="+")
    booked_at = models.DateTimeField(db_default=Now())

    class Meta:
        permissions = [("adjust_credits", "May give and take credits")]
        constraints = [
            models.UniqueConstraint(
                fields=["proposed_by", "client_key"], name="adjustment_proposed_once"
            ),
            models.CheckConstraint(
                condition=~Q(amount_cents=0) & ~Q(reason="") & ~Q(proposed_by=F("user")),
                name="adjustment_is_one",
            ),
            models.CheckConstraint(
                condition=Q(confirmed_by=None, proposal=None)
                | (
                    Q(proposal__isnull=False, confirmed_by__isnull=False)
                    & ~Q(confirmed_by=F("user"))
                    & ~Q(confirmed_by=F("proposed_by"))
                ),
                name="adjustment_four_eyes",
            ),
        ]

    def __str__(self) -> str:
        return self.reference

    @property
    def reference(self) -> str:
        """The reference of the adjustment in the books."""
        return f"adjustment:{self.pk}"


class Hold(models.Model):
    """Credits of a wallet that are neither staked nor paid out until the hold ends.

    It ends at `ends_at` by itself, or when it is released. The credits stay in the wallet; a hold
    may be longer than the wallet is full. `reason_class` is the word that the player reads.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    reference = models.CharField(max_length=200)
    amount_cents = models.BigIntegerField()
    reason_class = models.CharField(max_length=20)
    placed_at = models.DateTimeField(db_default=Now())
    ends_at = models.DateTimeField()
    released_at = models.DateTimeField(null=True, blank=True)
    release_reason = models.CharField(max_length=100, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["reference", "user"], name="hold_once_a_reference"),
            models.CheckConstraint(
                condition=Q(amount_cents__gt=0, ends_at__gt=F("placed_at")), name="hold_holds"
            ),
        ]
        indexes = [
            models.Index(
                fields=["user"], condition=Q(released_at__isnull=True), name="hold_in_force"
            )
        ]

    def __str__(self) -> str:
        return f"{self.amount_cents} cents held for {self.reference}"


class Clearance(models.Model):
    """A gain that was checked: what this player won by this result can be paid out."""

    pk = models.CompositePrimaryKey("reference", "user_id")
    reference = models.CharField(max_length=200)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", db_index=False
    )
    cleared_at = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return f"{self.reference} is clear for {self.user_id}"


class PromoCredit(models.Model):
    """One promotional credit: written by `ledger_post` with its entry, and never changed."""

    pk = models.CompositePrimaryKey("account_id", "account_version")
    account = models.ForeignKey(Account, models.PROTECT, related_name="+", db_index=False)
    account_version = models.BigIntegerField()
    transfer = models.ForeignKey(Transfer, models.PROTECT, related_name="+", db_index=False)
    amount_cents = models.BigIntegerField()

    class Meta:
        db_table = "ledger_promo"
        constraints = [
            models.CheckConstraint(condition=Q(amount_cents__gt=0), name="promo_brings_credits")
        ]

    def __str__(self) -> str:
        return f"{self.amount_cents} cents to account {self.account_id}"
