"""Chat messages, mutes, bars on new tables, and reports of words with what followed.

People talk at a table, or in a room of another app, which `room` names: "chouette:<id>".
"""

from typing import Final

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.models.tables import Table
from games.table.talk import PHRASES, REPORT_REASONS, REPORT_WORDS_LENGTH_MAX, TEXT_LENGTH_MAX

ROOM_LENGTH_MAX: Final = 64

_AT_TABLE = Q(table__isnull=False, room="")
_IN_ROOM = Q(table__isnull=True, room__gt="")


class ChatMessage(models.Model):
    """A set phrase or a line of free text, said once.

    `audience` was fixed when it was said, and `readers` with it: the only people who ever receive
    it, beside its author. None: everybody in the audience does.
    """

    table = models.ForeignKey(Table, on_delete=models.PROTECT, null=True, related_name="chat")
    room = models.CharField(max_length=ROOM_LENGTH_MAX, blank=True, default="", db_default="")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    client_id = models.CharField(max_length=64)
    """The id that the author's client gave it: said twice, it is said once."""
    seat = models.PositiveSmallIntegerField(null=True)
    audience = models.CharField(max_length=10)
    readers = ArrayField(models.BigIntegerField(), null=True, blank=True)
    phrase = models.CharField(max_length=16, blank=True, default="")
    text = models.CharField(max_length=TEXT_LENGTH_MAX, blank=True, default="")
    said_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["author", "client_id"], name="message_id_an_author"),
            models.CheckConstraint(
                condition=Q(phrase="", text__gt="") | Q(phrase__in=PHRASES, text=""),
                name="message_is_phrase_or_text",
            ),
            models.CheckConstraint(
                condition=Q(audience="everybody", readers=None)
                | Q(audience="watchers", seat=None, readers=None)
                | Q(audience="crew", seat=None, readers__isnull=False, room__gt=""),
                name="message_audience",
            ),
            models.CheckConstraint(condition=_AT_TABLE | _IN_ROOM, name="message_in_one_place"),
        ]
        indexes = [
            models.Index(fields=["table", "-id"], name="message_by_table"),
            models.Index(fields=["room", "-id"], condition=Q(room__gt=""), name="message_by_room"),
            models.Index(fields=["author", "-said_at"], name="message_by_author"),
            models.Index(fields=["said_at"], name="message_by_age"),
        ]

    def __str__(self) -> str:
        return f"{self.author_id} at {self.table_id or self.room}: {self.phrase or self.text}"


class Mute(models.Model):
    """`owner` hides the messages of `muted`, at any table; the muted person cannot see it."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    muted = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["owner", "muted"], name="mute_once"),
            models.CheckConstraint(condition=~Q(owner=F("muted")), name="mute_others"),
        ]

    def __str__(self) -> str:
        return f"{self.owner_id} mutes {self.muted_id}"


class ChatChoice(models.Model):
    """A person's choices about chat; without a row, free text is shown."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="+"
    )
    free_text = models.BooleanField(default=True)

    def __str__(self) -> str:
        return f"{self.user_id} {'reads free text' if self.free_text else 'reads set phrases'}"


class BarKind(models.TextChoices):
    """Which tables a bar is about."""

    STAKES = "stakes", _("games for credits")
    RATED = "rated", _("games for credits and rated games")
    LOBBY = "lobby", _("all games against others")
    MEETING = "meeting", _("games for credits and rated games against one player")


class Bar(models.Model):
    """A bar on new tables: of one account, or (`other`) of two accounts against each other.

    Running matches go on. `reference` names what it was placed for; `ends_at` is empty where only
    somebody can lift it.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    other = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    kind = models.CharField(max_length=8, choices=BarKind.choices)
    reference = models.CharField(max_length=100)
    placed_at = models.DateTimeField(default=timezone.now)
    ends_at = models.DateTimeField(null=True, blank=True)
    lifted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["reference", "user", "kind"], name="bar_once"),
            models.CheckConstraint(
                condition=Q(kind__in=["stakes", "rated", "lobby"], other__isnull=True)
                | Q(kind="meeting", other__isnull=False, other__gt=F("user")),
                name="bar_is_one",
            ),
        ]
        indexes = [
            models.Index(fields=["user"], condition=Q(lifted_at__isnull=True), name="bar_in_force"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} bar of {self.user_id} ({self.reference})"


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
