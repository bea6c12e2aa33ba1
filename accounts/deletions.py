"""Requests of people to delete their account: a waiting time, then the end (docs/people.md).

Between the request and the end the account is closed, and its owner may keep it. `pasch/deletion`
carries both out, because they concern credits and tables too.
"""

from datetime import timedelta
from typing import Final

from django.conf import settings
from django.core import signing
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

_PERSON: Final = settings.AUTH_USER_MODEL

DELETION_WAIT: Final = timedelta(days=14)
"""For so long after the request the owner may keep the account."""

_SALT: Final = "accounts.deletion"


class DeletionOutcome(models.TextChoices):
    """How a request ended; empty while it waits."""

    WAITING = "", "waiting"
    KEPT = "kept", "kept"
    STOPPED = "stopped", "stopped"
    DONE = "done", "done"


class AccountDeletion(models.Model):
    """A request to delete an account.

    `given_up_cents` is what may be left in the wallet; `held_by` the reason why the end waits
    longer (`pasch.deletion`). The books guard both ends
    (ledger/migrations/sql/limits.sql).
    """

    user = models.ForeignKey(_PERSON, on_delete=models.PROTECT, related_name="deletions")
    asked_at = models.DateTimeField(db_default=Now())
    due_at = models.DateTimeField()
    given_up_cents = models.BigIntegerField(default=0)
    held_by = models.CharField(max_length=20, blank=True, default="")
    outcome = models.CharField(
        max_length=10, choices=DeletionOutcome.choices, blank=True, default=""
    )
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["user"], condition=Q(outcome__in=["", "done"]), name="deletion_once"
            ),
            models.CheckConstraint(
                condition=Q(
                    given_up_cents__gte=0,
                    outcome__in=DeletionOutcome.values,
                    due_at__gt=F("asked_at"),
                ),
                name="deletion_is_one",
            ),
            models.CheckConstraint(
                condition=Q(outcome="", ended_at=None)
                | (~Q(outcome="") & Q(ended_at__isnull=False)),
                name="deletion_ends_once",
            ),
        )
        indexes = (models.Index(fields=["due_at"], condition=Q(outcome=""), name="deletion_due"),)

    def __str__(self) -> str:
        return f"deletion of {self.user_id}"


def deletion_waiting(user_id: int) -> AccountDeletion | None:
    """The request of this person that waits for its end; None without one."""
    return AccountDeletion.objects.filter(user=user_id, outcome=DeletionOutcome.WAITING).first()


def deletions_held() -> models.QuerySet[AccountDeletion]:
    """Requests whose time has come and that something holds up, the oldest first."""
    held = AccountDeletion.objects.filter(outcome=DeletionOutcome.WAITING).exclude(held_by="")
    return held.select_related("user").order_by("due_at")


def is_deleted(user_id: int) -> bool:
    """Whether the account was deleted; it is never opened again."""
    return AccountDeletion.objects.filter(user=user_id, outcome=DeletionOutcome.DONE).exists()


def deletion_end(user_id: int, outcome: DeletionOutcome) -> bool:
    """End a waiting request in the caller's transaction, which holds the person's row.

    False if there is none.
    """
    waiting = AccountDeletion.objects.filter(user=user_id, outcome=DeletionOutcome.WAITING)
    return waiting.update(outcome=outcome, ended_at=Now()) > 0


def keep_token(deletion: AccountDeletion) -> str:
    """The signed text that lets its holder keep this account. It is no login."""
    return signing.dumps(deletion.pk, salt=_SALT)


def deletion_of_token(token: str) -> AccountDeletion | None:
    """The request that a text of `keep_token` is for; None for any other text."""
    try:
        found = signing.loads(token, salt=_SALT)
    except signing.BadSignature:
        return None
    return AccountDeletion.objects.select_related("user").filter(pk=found).first()
