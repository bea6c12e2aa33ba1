"""Decisions of administrators that are proposed by one and confirmed by another."""

from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

_PERSON = settings.AUTH_USER_MODEL

PROPOSAL_LIFE: Final = timedelta(days=7)
"""A proposal that nobody decided for so long can no longer be confirmed; the database says so too
(ledger/migrations/sql/proposals.sql)."""


class ProposalState(models.TextChoices):
    """Where a proposal stands. All but the first are ends."""

    WAITING = "waiting", _("waiting")
    DONE = "done", _("carried out")
    REFUSED = "refused", _("refused")
    WITHDRAWN = "withdrawn", _("withdrawn")
    LAPSED = "lapsed", _("lapsed")


class Proposal(models.Model):
    """An exact decision, proposed by one person, carried out when another confirms it.

    `content` is what is to be done, and `before` what it was decided on; neither ever changes.
    `permission` is the right that both people need (``games.decide_match``). One of a kind waits
    about a subject, or one for each `key` of its kind.
    """

    kind = models.CharField(max_length=60)
    subject = models.CharField(max_length=200)
    key = models.CharField(max_length=100, blank=True, default="")
    permission = models.CharField(max_length=100)
    content = models.JSONField()
    before = models.JSONField()
    reason = models.CharField(max_length=500)
    state = models.CharField(max_length=10, choices=ProposalState.choices, default="waiting")
    proposed_by = models.ForeignKey(_PERSON, models.PROTECT, related_name="+")
    proposed_at = models.DateTimeField(db_default=Now())
    decided_by = models.ForeignKey(_PERSON, models.PROTECT, null=True, related_name="+")
    decided_at = models.DateTimeField(null=True)
    decision_reason = models.CharField(max_length=500, blank=True)

    class Meta:
        indexes = [models.Index(fields=["subject", "id"], name="proposal_of_a_subject")]
        constraints = [
            models.UniqueConstraint(
                fields=["kind", "subject", "key"],
                condition=Q(state="waiting"),
                name="proposal_waits_once",
            ),
            models.CheckConstraint(
                condition=Q(kind__regex=r"^[a-z]+(\.[a-z_]+)+$")
                & Q(permission__regex=r"^[a-z]+\.[a-z_]+$")
                & Q(state__in=ProposalState.values)
                & ~Q(subject="")
                & ~Q(reason=""),
                name="proposal_is_one",
            ),
            models.CheckConstraint(
                condition=Q(state="waiting", decided_by=None, decided_at=None)
                | Q(state="lapsed", decided_by=None, decided_at__isnull=False)
                | Q(
                    state__in=["done", "refused", "withdrawn"],
                    decided_by__isnull=False,
                    decided_at__isnull=False,
                ),
                name="proposal_decided_by_somebody",
            ),
            models.CheckConstraint(
                condition=Q(decided_by=None)
                | Q(state="withdrawn", decided_by=F("proposed_by"))
                | (Q(state__in=["done", "refused"]) & ~Q(decided_by=F("proposed_by"))),
                name="proposal_second_person",
            ),
            models.CheckConstraint(
                condition=~Q(state="refused") | ~Q(decision_reason=""),
                name="proposal_refusal_says_why",
            ),
        ]

    def __str__(self) -> str:
        return self.reference

    @property
    def reference(self) -> str:
        """The reference of the proposal in messages."""
        return f"proposal:{self.pk}"

    @property
    def lapses_at(self) -> datetime:
        """When it can no longer be confirmed."""
        return self.proposed_at + PROPOSAL_LIFE
