"""Reports of words, of talk and of what clubs and tournaments are called; and what followed."""

from typing import Final

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from games.models.chat import ChatMessage
from games.table.talk import REPORT_REASONS, REPORT_WORDS_LENGTH_MAX, TEXT_LENGTH_MAX

_PERSON: Final = settings.AUTH_USER_MODEL
_OPEN: Final = Q(outcome="")
_TALK: Final = Q(kind="talk")


class WordsReport(models.Model):
    """A complaint about words of a kind (`games.services.moderation`); it keeps them as they were.

    `subject` is the reference of the club or the tournament, or of the table or room where a
    `message` was said. Only words of talk have an author. `outcome` is empty while it is open.
    """

    kind = models.CharField(max_length=16)
    subject = models.CharField(max_length=80)
    message = models.ForeignKey(ChatMessage, on_delete=models.SET_NULL, null=True, related_name="+")
    author = models.ForeignKey(_PERSON, models.PROTECT, null=True, related_name="+")
    said = models.CharField(max_length=TEXT_LENGTH_MAX)
    about = models.TextField(max_length=1000, blank=True, default="")
    """The description of a club."""
    said_at = models.DateTimeField(null=True)
    context = models.JSONField(default=list)
    """The messages before it there, oldest first: `at_ms`, `author`, `audience`, `said`."""
    reporter = models.ForeignKey(_PERSON, models.PROTECT, related_name="+")
    reason = models.CharField(max_length=16)
    words = models.CharField(max_length=REPORT_WORDS_LENGTH_MAX, blank=True, default="")
    made_at = models.DateTimeField(default=timezone.now)
    outcome = models.CharField(max_length=16, blank=True, default="")
    closed_at = models.DateTimeField(null=True, blank=True)
    closed_by = models.ForeignKey(_PERSON, models.PROTECT, null=True, blank=True, related_name="+")

    class Meta:
        permissions = [("decide_wordsreport", "May decide reports of words")]
        constraints = [
            models.UniqueConstraint(fields=["reporter", "message"], name="report_once"),
            models.UniqueConstraint(
                fields=["kind", "subject", "reporter"],
                condition=_OPEN & ~_TALK,
                name="report_open_once",
            ),
            models.CheckConstraint(condition=~Q(reporter=F("author")), name="report_others"),
            models.CheckConstraint(condition=Q(reason__in=REPORT_REASONS), name="report_reason"),
            models.CheckConstraint(
                condition=_TALK & Q(author__isnull=False, said_at__isnull=False)
                | ~_TALK & Q(author=None, message=None, said_at=None),
                name="report_of_one_kind",
            ),
            models.CheckConstraint(
                condition=Q(outcome="", closed_at=None, closed_by=None)
                | Q(outcome__gt="", closed_at__isnull=False, closed_by__isnull=False),
                name="report_closed_by_somebody",
            ),
        ]
        indexes = [
            models.Index(fields=["made_at"], condition=_OPEN, name="report_open_by_age"),
            models.Index(fields=["author", "-made_at"], name="report_by_author"),
            models.Index(fields=["reporter", "-made_at"], name="report_by_reporter"),
            models.Index(
                fields=["subject", "-made_at"], condition=~_TALK, name="report_by_subject"
            ),
        ]

    def __str__(self) -> str:
        return f"report {self.pk} about {self.subject}"


class ChatMeasure(models.Model):
    """The outcome of a complaint: a warning, or silence until a moment."""

    user = models.ForeignKey(_PERSON, models.PROTECT, related_name="+")
    report = models.OneToOneField(WordsReport, models.PROTECT, related_name="measure")
    made_at = models.DateTimeField(default=timezone.now)
    until = models.DateTimeField(null=True, blank=True)
    """The end of the silence; None for a warning."""

    class Meta:
        indexes = [models.Index(fields=["user", "-made_at"], name="measure_by_user")]

    def __str__(self) -> str:
        return f"{self.user_id} {'warned' if self.until is None else f'silent until {self.until}'}"
