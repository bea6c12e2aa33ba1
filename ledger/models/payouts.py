"""Payouts: from a player's wish through two administrators to the end, every step kept."""

from datetime import timedelta
from typing import Final

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from ledger.payout_states import OPEN_STATES, PayoutState

_PERSON = settings.AUTH_USER_MODEL
_CLAIMED_ENDS = ["paid", "failed", "cancelled"]


CLAIM_TIME: Final = timedelta(hours=24)
"""After so long another administrator may take over a payout that is being paid."""


class Payout(models.Model):
    """A player's wish to be paid. While it is open its credits are in a hold of its own.

    As the settings were at the request: `four_eyes`, whether a second administrator has to pay;
    `large_from_cents` and `wait_hours`, from which sum over 24 hours on it waits, and how long.
    `claimed_by` is the administrator who pays; `cancel_asked_at` when the player asked to cancel
    after the approval.
    """

    user = models.ForeignKey(_PERSON, models.PROTECT, related_name="+")
    client_key = models.CharField(max_length=100)
    amount_cents = models.BigIntegerField()
    destination = models.CharField(max_length=200)
    note = models.CharField(max_length=500, blank=True)
    four_eyes = models.BooleanField()
    state = models.CharField(max_length=10, choices=PayoutState.choices, default="requested")
    requested_at = models.DateTimeField(db_default=Now())
    large_from_cents = models.BigIntegerField()
    wait_hours = models.IntegerField()
    not_before = models.DateTimeField(db_default=Now())
    approved_by = models.ForeignKey(_PERSON, models.PROTECT, null=True, related_name="+")
    approved_at = models.DateTimeField(null=True)
    claimed_by = models.ForeignKey(_PERSON, models.PROTECT, null=True, related_name="+")
    claimed_at = models.DateTimeField(null=True)
    cancel_asked_at = models.DateTimeField(null=True)
    closed_by = models.ForeignKey(_PERSON, models.PROTECT, null=True, related_name="+")
    closed_at = models.DateTimeField(null=True)
    reason = models.CharField(max_length=500, blank=True)
    receipt = models.CharField(max_length=200, blank=True)

    class Meta:
        permissions = [("decide_payout", "May approve, decline and settle payouts")]
        indexes = [
            models.Index(
                fields=["not_before"], name="payout_open", condition=Q(state__in=OPEN_STATES)
            ),
            models.Index(fields=["user", "requested_at"], name="payout_of_day"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["user", "client_key"], name="payout_asked_once"),
            models.CheckConstraint(
                condition=Q(amount_cents__gt=0, state__in=PayoutState.values), name="payout_is_one"
            ),
            models.CheckConstraint(
                condition=Q(approved_by=None, approved_at=None)
                | (Q(approved_by__isnull=False, approved_at__isnull=False)),
                name="payout_approval_whole",
            ),
            models.CheckConstraint(
                condition=Q(state__in=OPEN_STATES, closed_by=None, closed_at=None)
                | (~Q(state__in=OPEN_STATES) & Q(closed_by__isnull=False, closed_at__isnull=False)),
                name="payout_closed_by_somebody",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["requested", "declined", "cancelled"])
                | Q(approved_by__isnull=False),
                name="payout_approved_first",
            ),
            models.CheckConstraint(
                condition=~Q(state="requested") | Q(approved_by=None),
                name="payout_requested_is_not_approved",
            ),
            models.CheckConstraint(
                condition=Q(approved_by=None) | ~Q(approved_by=F("user")),
                name="payout_approver_is_not_the_player",
            ),
            models.CheckConstraint(
                condition=Q(claimed_by=None, claimed_at=None)
                | Q(approved_by__isnull=False, claimed_by__isnull=False, claimed_at__isnull=False),
                name="payout_claim_whole",
            ),
            models.CheckConstraint(
                condition=~Q(state__in=["paying", "paid", "failed"]) | Q(claimed_by__isnull=False),
                name="payout_taken_before_it_is_paid",
            ),
            models.CheckConstraint(
                condition=Q(claimed_by=None)
                | (
                    ~Q(claimed_by=F("user"))
                    & (Q(state="paying") | Q(state__in=_CLAIMED_ENDS, closed_by=F("claimed_by")))
                ),
                name="payout_ended_by_the_one_who_took_it",
            ),
            models.CheckConstraint(
                condition=Q(closed_by=None)
                | Q(state="cancelled", closed_by=F("user"))
                | (
                    ~Q(closed_by=F("user"))
                    & (~Q(state="cancelled") | Q(cancel_asked_at__isnull=False))
                ),
                name="payout_cancelled_as_the_player_wished",
            ),
            models.CheckConstraint(
                condition=~Q(state__in=["paying", "paid"], four_eyes=True)
                | ~Q(claimed_by=F("approved_by")),
                name="payout_four_eyes",
            ),
            models.CheckConstraint(
                condition=~Q(state__in=["paying", "paid"]) | Q(claimed_at__gte=F("not_before")),
                name="payout_large_waits",
            ),
            models.CheckConstraint(
                condition=~Q(state__in=["declined", "failed"]) | ~Q(reason=""),
                name="payout_refusal_says_why",
            ),
        ]

    def __str__(self) -> str:
        return self.reference

    @property
    def reference(self) -> str:
        """The reference of the payout in the books."""
        return f"payout:{self.pk}"


class PayoutStep(models.Model):
    """One step of a payout, for its player, with the mail about it. It never changes."""

    payout = models.ForeignKey(Payout, models.PROTECT, related_name="steps")
    state = models.CharField(max_length=10, choices=PayoutState.choices)
    actor = models.ForeignKey(_PERSON, models.PROTECT, related_name="+")
    reason = models.CharField(max_length=500, blank=True)
    created_at = models.DateTimeField(db_default=Now())
    mail = models.OneToOneField(
        "accounts.OutgoingMail", models.PROTECT, null=True, related_name="+"
    )  # None for a player without an address

    def __str__(self) -> str:
        return f"{self.payout_id}: {self.state}"
