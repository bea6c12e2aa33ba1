"""Credits that stay in a wallet for a time, and gains that can be paid out."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now


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
