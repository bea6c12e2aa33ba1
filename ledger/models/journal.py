"""The journal of the administrators, the findings of the audits, and the log of changed rows."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from ledger.models.credits import SESSION_USER


class JournalEntry(models.Model):
    """One action of an administrator: who, what, on what, before, after, why. Append-only."""

    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", db_index=False
    )
    verb = models.CharField(max_length=60)
    subject = models.CharField(max_length=200)
    before = models.JSONField()
    after = models.JSONField()
    reason = models.CharField(max_length=500)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name_plural = "journal entries"
        constraints = [
            models.CheckConstraint(condition=~Q(reason=""), name="journal_says_why"),
            models.CheckConstraint(
                condition=Q(verb__regex=r"^[a-z]+(\.[a-z_]+)+$"), name="journal_verb_has_an_area"
            ),
        ]
        indexes = [models.Index(fields=["subject", "id"], name="journal_of_a_subject")]

    def __str__(self) -> str:
        return f"{self.verb} {self.subject}"


class AuditRun(models.Model):
    """The result of one audit, for the administrators' page; append-only and sealed.

    A recent one checked what came after `since_at`; the next continues from `sealed_to`, the last
    sealed transfer this one saw.
    """

    started_at = models.DateTimeField()
    duration_ms = models.IntegerField()
    finding_count = models.IntegerField()
    report = models.JSONField()
    since_at = models.DateTimeField(null=True)
    sealed_to = models.BigIntegerField(default=0)

    class Meta:
        indexes = [models.Index(fields=["-started_at"], name="audit_run_latest")]

    def __str__(self) -> str:
        return f"audit of {self.started_at:%Y-%m-%d %H:%M}: {self.finding_count} findings"


class Change(models.Model):
    """One version of a row of a watched table; `content` is None when the row was deleted.

    Written by a trigger of the watched tables alone (ledger/migrations/sql/watched.sql),
    append-only, sealed.
    """

    table_name = models.CharField(max_length=63)
    row_key = models.CharField(max_length=100)
    content = models.JSONField(null=True)
    by_role = models.CharField(max_length=63, db_default=SESSION_USER)
    made_at = models.DateTimeField(db_default=Now())

    class Meta:
        indexes = [
            models.Index(fields=["table_name", "row_key", "-id"], name="change_of_a_row"),
            models.Index(fields=["made_at"], name="change_by_time"),
        ]

    def __str__(self) -> str:
        return f"{self.table_name} {self.row_key}"
