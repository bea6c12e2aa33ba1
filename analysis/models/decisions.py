"""A person's decisions in all of their matches, their lists of decisions, and notes on positions.

The decisions are a table of their own, so that a hundred thousand of them are filtered at once:
facts of the decision are in its row, facts of its match in the row of the match. Both can be made
again from the reports.
"""

from uuid import uuid4

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from analysis.models.imports import ImportedMatch
from analysis.models.reports import DecisionRow, Report
from games.models import Match


class DecidedMatch(models.Model):
    """A match of a person whose decisions are listed, by its newest deepest report.

    `opponent` is the name in the file; a match of the house has its players. `counted` and `lost`
    are the sums of all its decisions.
    """

    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    match = models.ForeignKey(Match, on_delete=models.PROTECT, null=True, related_name="+")
    imported = models.OneToOneField(
        ImportedMatch, on_delete=models.CASCADE, null=True, related_name="+"
    )
    report = models.ForeignKey(Report, on_delete=models.PROTECT, related_name="+")
    seat = models.PositiveSmallIntegerField()
    opponent = models.CharField(max_length=80, blank=True)
    source = models.CharField(max_length=12)
    variant = models.CharField(max_length=20)
    played_at = models.DateTimeField()
    counted = models.PositiveIntegerField(default=0)
    lost = models.FloatField(default=0.0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["person", "match"], name="decided_match_once_a_person"),
            models.CheckConstraint(
                condition=Q(match__isnull=False, imported__isnull=True)
                | Q(match__isnull=True, imported__isnull=False),
                name="decided_match_of_one_kind",
            ),
        ]

    def __str__(self) -> str:
        return f"decisions of {self.person_id} in report {self.report_id}"


class MyDecision(models.Model):
    """A decision of a person, with all that it is filtered and sorted by.

    What is missing to win is 0 in unlimited play. `seconds` is the time from the dice to the play,
    where a table has it. `size` is 0 without an error, 1 to 3 by its mark.
    `agrees` is False if a second engine sees no error. `askable`: the position alone leads to the
    same question. `cell` is one number for all that is counted together
    (`analysis.decisions.filters`), because grouping by eight columns takes three times as long.
    `position` stands for the board as its player on roll sees it.
    """

    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    match = models.ForeignKey(DecidedMatch, on_delete=models.CASCADE, related_name="decisions")
    decision = models.ForeignKey(DecisionRow, on_delete=models.PROTECT, related_name="+")
    theme = models.CharField(max_length=12)
    kind = models.CharField(max_length=8)
    phase = models.CharField(max_length=8)
    score = models.CharField(max_length=8)
    size = models.PositiveSmallIntegerField()
    loss = models.FloatField()
    counted = models.BooleanField()
    own_away = models.PositiveSmallIntegerField()
    opponent_away = models.PositiveSmallIntegerField()
    crawford = models.BooleanField()
    roll = models.PositiveSmallIntegerField(null=True)
    seconds = models.PositiveSmallIntegerField(null=True)
    agrees = models.BooleanField(default=True)
    in_set = models.BooleanField(default=False)
    askable = models.BooleanField()
    cell = models.IntegerField()
    position = models.BigIntegerField()

    class Meta:
        indexes = [models.Index(fields=["person", "-loss", "id"], name="my_decision_by_loss")]
        constraints = [
            models.UniqueConstraint(fields=["match", "decision"], name="my_decision_once"),
        ]

    def __str__(self) -> str:
        return f"{self.theme}: {self.decision_id} of {self.person_id}"


class DecisionList(models.Model):
    """Decisions that a person has put together under a name; for exercises, or to look at.

    Whoever knows `share_key` may read it. A list with `removed_at` is gone unless its person takes
    that back.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=60)
    for_exercises = models.BooleanField(default=False)
    share_key = models.UUIDField(null=True, unique=True)
    made_at = models.DateTimeField(default=timezone.now)
    removed_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["person", "for_exercises", "name"],
                name="decision_list_once_a_name",
                condition=Q(removed_at__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return self.name


class ListedDecision(models.Model):
    """A decision in a list. In exercises `sound` ones are there so that not every one is an error.

    `mirrored`: the exercise has its home on the other side.
    """

    list = models.ForeignKey(DecisionList, on_delete=models.CASCADE, related_name="entries")
    decision = models.ForeignKey(DecisionRow, on_delete=models.PROTECT, related_name="+")
    theme = models.CharField(max_length=12)
    sound = models.BooleanField(default=False)
    mirrored = models.BooleanField(default=False)
    added_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["list", "decision"], name="listed_decision_once"),
        ]

    def __str__(self) -> str:
        return f"decision {self.decision_id} in {self.list_id}"


class PositionNote(models.Model):
    """A person's note on a position: the same board shows it wherever it was reached."""

    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    position = models.BigIntegerField()
    xgid = models.CharField(max_length=80)
    text = models.CharField(max_length=500)
    changed_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["person", "position"], name="note_once_a_position"),
        ]

    def __str__(self) -> str:
        return self.text
