"""Stored facts of fair play: what was screened, cases and their parts, conduct, reports.

Everything that a person said or decided is append-only (`fairplay/migrations/sql/cases.sql`).
Screenings, checks and conduct are deleted after the times in `fairplay/refunds.py`.
"""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from fairplay.procedure import OVER, CaseState, Sanction
from games.models import Match

_PERSON = settings.AUTH_USER_MODEL
_STATES = [state.value for state in CaseState]
_OVER = sorted(state.value for state in OVER)
_SANCTIONS = [sanction.value for sanction in Sanction]


class ScreeningLevel(models.TextChoices):
    """The result of a screening."""

    CLEAR = "clear", _("nothing found")
    WATCH = "watch", _("to be watched")
    HOLD = "hold", _("held")


class ScreeningStage(models.TextChoices):
    """On what a screening rests: what is known at the end, or the analysis of its matches, too."""

    KNOWN = "known", _("when the match ended")
    ANALYSED = "analysed", _("with the analysis")


class Screening(models.Model):
    """The result of the dump radar for a result in the books at one stage. Rows are never changed.

    `reasons` are the keys of what spoke against the suspicious pair, strongest first; `facts` the
    numbers.
    """

    reference = models.CharField(max_length=100)
    stage = models.CharField(max_length=8, choices=ScreeningStage.choices)
    level = models.CharField(max_length=8, choices=ScreeningLevel.choices)
    score = models.FloatField()
    reasons = models.JSONField(default=list)
    facts = models.JSONField(default=dict)
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["reference", "stage"], name="screening_once_a_stage"),
        ]
        indexes = [models.Index(fields=["made_at"], name="screening_by_age")]

    def __str__(self) -> str:
        return f"{self.stage} screening of {self.reference}: {self.level}"


class Wait(models.Model):
    """A gain that is not clear yet: it waits for an analysis, for people, or until `until`."""

    reference = models.CharField(max_length=100)
    user = models.ForeignKey(_PERSON, on_delete=models.PROTECT, related_name="+")
    since = models.DateTimeField(default=timezone.now)
    until = models.DateTimeField()
    over_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["reference", "user"], name="wait_once_a_gain"),
        ]
        indexes = [
            models.Index(fields=["until"], condition=Q(over_at__isnull=True), name="wait_in_force"),
            models.Index(fields=["since"], name="wait_by_age"),
        ]

    def __str__(self) -> str:
        return f"{self.reference} waits for {self.user_id}"


class CaseKind(models.TextChoices):
    """The subject of a case."""

    DUMP = "dump", _("Losing on purpose (dumping)")
    ENGINE = "engine", _("Use of an engine")
    EVASION = "evasion", _("A second account")
    CONDUCT = "conduct", _("Conduct at the table")


class Case(models.Model):
    """A suspicion, from the alarm to its end. In the books and the journal it is `case:<id>`.

    `evidence` is what spoke for it when it was opened: a list of facts with a key and numbers,
    never changed. `opened_by` is empty for a machine. `waits_until` is when the state ends by
    itself. `sanction` and `refund` are the verdict that counts by now.
    """

    kind = models.CharField(max_length=10, choices=CaseKind.choices)
    state = models.CharField(max_length=10, default=CaseState.OPEN.value)
    priority = models.PositiveSmallIntegerField(default=1)
    opened_at = models.DateTimeField(default=timezone.now)
    opened_by = models.ForeignKey(
        _PERSON, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    evidence = models.JSONField(default=list)
    held_until = models.DateTimeField(null=True, blank=True)
    waits_until = models.DateTimeField(null=True, blank=True)
    decided_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    sanction = models.CharField(max_length=10, default=Sanction.NONE.value)
    refund = models.BooleanField(default=False)
    appealed = models.BooleanField(default=False)

    class Meta:
        permissions: ClassVar = [
            ("decide_case", "May give opinions about fair play and hear appeals"),
            ("refund_case", "May give back what the victims of a case lost"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=_STATES) & Q(sanction__in=_SANCTIONS),
                name="case_has_a_known_state",
            ),
            models.CheckConstraint(
                condition=Q(state__in=_OVER, closed_at__isnull=False)
                | (~Q(state__in=_OVER) & Q(closed_at__isnull=True)),
                name="case_over_is_closed",
            ),
        ]
        indexes = [
            models.Index(
                fields=["-priority", "opened_at"],
                condition=Q(closed_at__isnull=True),
                name="case_queue",
            ),
            models.Index(fields=["waits_until"], name="case_by_deadline"),
        ]

    def __str__(self) -> str:
        return self.reference

    @property
    def reference(self) -> str:
        """The name of this case in the books, in bars and in the journal."""
        return f"case:{self.pk}"

    @property
    def is_over(self) -> bool:
        """Whether nothing more can happen, except refunds."""
        return self.state in OVER


class PartyRole(models.TextChoices):
    """The role of a person in a case."""

    ACCUSED = "accused", _("under suspicion")
    AFFECTED = "affected", _("affected")


class Party(models.Model):
    """A person in a case."""

    case = models.ForeignKey(Case, on_delete=models.PROTECT, related_name="parties")
    user = models.ForeignKey(_PERSON, on_delete=models.PROTECT, related_name="fairplay_parties")
    role = models.CharField(max_length=8, choices=PartyRole.choices)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["case", "user"], name="party_once_a_case"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} in case {self.case_id}"


class CaseMatch(models.Model):
    """A match that a case is about; `refunded_at` is when it was taken back."""

    case = models.ForeignKey(Case, on_delete=models.PROTECT, related_name="matches")
    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="fairplay_cases")
    refunded_at = models.DateTimeField(null=True, blank=True)
    refunded_by = models.ForeignKey(
        _PERSON, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["case", "match"], name="match_once_a_case"),
            models.CheckConstraint(
                condition=Q(refunded_at__isnull=True) | Q(refunded_by__isnull=False),
                name="refund_is_somebodys",
            ),
        ]

    def __str__(self) -> str:
        return f"match {self.match_id} in case {self.case_id}"


class Statement(models.Model):
    """Words of a player about a case of theirs; their appeal is one, too."""

    case = models.ForeignKey(Case, on_delete=models.PROTECT, related_name="statements")
    user = models.ForeignKey(_PERSON, on_delete=models.PROTECT, related_name="+")
    text = models.TextField(max_length=4000)
    is_appeal = models.BooleanField(default=False)
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["case"], condition=Q(is_appeal=True), name="one_appeal_a_case"
            ),
        ]

    def __str__(self) -> str:
        return f"statement of {self.user_id} in case {self.case_id}"


class Opinion(models.Model):
    """The verdict of one reviewer: numbers 1 and 2 decide, 3 is the hearing of an appeal.

    Number 0 has one that does not count any more and was replaced. `for_them` is what speaks for
    the player; it is never empty.
    """

    case = models.ForeignKey(Case, on_delete=models.PROTECT, related_name="opinions")
    number = models.PositiveSmallIntegerField()
    reviewer = models.ForeignKey(_PERSON, on_delete=models.PROTECT, related_name="+")
    sanction = models.CharField(max_length=10)
    refund = models.BooleanField(default=False)
    for_them = models.TextField(max_length=2000)
    reasons = models.TextField(max_length=2000)
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["case", "number"],
                condition=Q(number__gt=0),
                name="opinion_once_a_number",
            ),
            models.UniqueConstraint(fields=["case", "reviewer"], name="opinion_once_a_reviewer"),
            models.CheckConstraint(
                condition=Q(number__in=[0, 1, 2, 3]) & Q(sanction__in=_SANCTIONS),
                name="opinion_is_one_of_three",
            ),
            models.CheckConstraint(
                condition=~Q(for_them="") & ~Q(reasons=""), name="opinion_has_reasons"
            ),
        ]

    def __str__(self) -> str:
        return f"opinion {self.number} in case {self.case_id}"


class Conduct(models.Model):
    """How a player's match ended where it was theirs to play on; for the ladder of leavers."""

    user = models.ForeignKey(_PERSON, on_delete=models.CASCADE, related_name="+")
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="+")
    fault = models.CharField(max_length=10, blank=True)
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "match"], name="conduct_once_a_match"),
        ]
        indexes = [
            models.Index(fields=["user", "-at"], name="conduct_by_player"),
            models.Index(fields=["at"], name="conduct_by_age"),
        ]

    def __str__(self) -> str:
        return f"conduct of {self.user_id} in match {self.match_id}: {self.fault or 'clean'}"


class Pause(models.Model):
    """A step of the ladder: no new tables until `ends_at`, with the numbers it rests on."""

    user = models.ForeignKey(_PERSON, on_delete=models.CASCADE, related_name="+")
    step = models.PositiveSmallIntegerField()
    faults = models.PositiveSmallIntegerField()
    matches = models.PositiveSmallIntegerField()
    placed_at = models.DateTimeField(default=timezone.now)
    ends_at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["user", "-placed_at"], name="pause_by_player")]

    def __str__(self) -> str:
        return f"pause {self.step} of {self.user_id}"


class ComplaintOutcome(models.TextChoices):
    """The end of a report; one that nobody decided in time has convinced nobody."""

    CONFIRMED = "confirmed", _("confirmed")
    CLEARED = "cleared", _("nothing found")
    LAPSED = "lapsed", _("not decided in time")


class Complaint(models.Model):
    """A player's report about an opponent in a match, and what became of it.

    `outcome` is empty while nobody has decided; `case` is the case that it went into.
    """

    reporter = models.ForeignKey(_PERSON, on_delete=models.PROTECT, related_name="+")
    accused = models.ForeignKey(_PERSON, on_delete=models.PROTECT, related_name="+")
    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="+")
    reason = models.CharField(max_length=10, choices=CaseKind.choices)
    words = models.TextField(max_length=1000, blank=True)
    made_at = models.DateTimeField(default=timezone.now)
    case = models.ForeignKey(
        Case, on_delete=models.PROTECT, null=True, blank=True, related_name="complaints"
    )
    outcome = models.CharField(max_length=10, choices=ComplaintOutcome.choices, blank=True)
    decided_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["reporter", "match"], name="complaint_once_a_match"),
            models.CheckConstraint(
                condition=~Q(reporter=models.F("accused")), name="complaint_about_another"
            ),
        ]
        indexes = [
            models.Index(fields=["accused", "-made_at"], name="complaint_by_accused"),
            models.Index(fields=["reporter", "-made_at"], name="complaint_by_reporter"),
        ]

    def __str__(self) -> str:
        return f"report of {self.reporter_id} about {self.accused_id}"
