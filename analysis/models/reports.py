"""Stored analyses of matches: the queue and what was found.

Reports and their decisions are never changed and never deleted (the database refuses both): an
engine of another version makes rows of its own.
"""

from typing import Final

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from analysis.models.imports import Transcript
from games.models import Match

#: either a match of the house or a transcript.
OF_ONE_MATCH: Final = Q(match__isnull=False, transcript__isnull=True) | Q(
    match__isnull=True, transcript__isnull=False
)


class Job(models.Model):
    """A match, played here or imported, that is to be analysed at a depth, or has been.

    A worker holds the row's lock while it works, so what a killed worker had in hand is free again
    as soon as its connection is gone. `seconds` is the processor time that it took. `failure` is
    what went wrong the last time. `asked_by` is the player who asked for it, or brought the match;
    nobody asks for what every match of the house gets. `blocks` has what a job about rollouts has
    played so far: the mean equities of each block of trials, by decision ("2.18").
    """

    match = models.ForeignKey(Match, on_delete=models.PROTECT, null=True, related_name="+")
    transcript = models.ForeignKey(
        Transcript, on_delete=models.PROTECT, null=True, related_name="+"
    )
    depth = models.CharField(max_length=8)
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    queued_at = models.DateTimeField(default=timezone.now)
    tries = models.PositiveSmallIntegerField(default=0)
    failure = models.CharField(max_length=200, blank=True)
    done_at = models.DateTimeField(null=True, blank=True)
    seconds = models.FloatField(default=0.0)
    blocks = models.JSONField(default=dict, db_default={})

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "depth"], name="job_once_a_depth"),
            models.UniqueConstraint(
                fields=["transcript", "depth"], name="job_once_a_transcript_depth"
            ),
            models.CheckConstraint(condition=OF_ONE_MATCH, name="job_of_one_match"),
        ]
        indexes = [
            models.Index(
                fields=["queued_at"], name="analysis_job_open", condition=Q(done_at__isnull=True)
            )
        ]

    def __str__(self) -> str:
        return f"{self.depth} analysis of match {self.match_id or self.transcript_id}"


class Report(models.Model):
    """One analysis of a match; `figures` are those of both seats, without names."""

    match = models.ForeignKey(Match, on_delete=models.PROTECT, null=True, related_name="+")
    transcript = models.ForeignKey(
        Transcript, on_delete=models.PROTECT, null=True, related_name="+"
    )
    engine = models.CharField(max_length=40)
    version = models.CharField(max_length=40)
    depth = models.CharField(max_length=8)
    figures = models.JSONField()
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["match", "engine", "version", "depth"], name="report_once_a_version"
            ),
            models.UniqueConstraint(
                fields=["transcript", "engine", "version", "depth"],
                name="report_once_a_transcript_version",
            ),
            models.CheckConstraint(condition=OF_ONE_MATCH, name="report_of_one_match"),
        ]

    def __str__(self) -> str:
        return f"{self.depth} report of match {self.match_id or self.transcript_id}"


class DecisionRow(models.Model):
    """One decision of a report; `line` (`backgammon.analysis.json_lines`) has no names."""

    report = models.ForeignKey(Report, on_delete=models.PROTECT, related_name="rows")
    game = models.PositiveSmallIntegerField()
    number = models.PositiveSmallIntegerField()
    seat = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=8)
    counted = models.BooleanField()
    loss = models.FloatField(null=True)
    luck = models.FloatField(null=True)
    ply = models.PositiveSmallIntegerField()
    line = models.JSONField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["report", "game", "number"], name="decision_once_a_report"
            ),
            models.CheckConstraint(condition=Q(seat__in=(0, 1)), name="decision_has_a_seat"),
        ]

    def __str__(self) -> str:
        return f"decision {self.game}.{self.number} of report {self.report_id}"


class Opinion(models.Model):
    """The judgement of a second engine on a decision that a report shows as an error.

    `loss` is the one that this engine sees, and `ply` counts as this engine does. Rows never
    change; another version makes rows of its own.
    """

    decision = models.ForeignKey(DecisionRow, on_delete=models.PROTECT, related_name="opinions")
    engine = models.CharField(max_length=40)
    version = models.CharField(max_length=40)
    ply = models.PositiveSmallIntegerField()
    best = models.CharField(max_length=80)
    loss = models.FloatField()
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["decision", "engine", "version"], name="opinion_once_a_version"
            )
        ]

    def __str__(self) -> str:
        return f"{self.engine} on decision {self.decision_id}"


class ThemeSum(models.Model):
    """The decisions of a seat about one theme in a full report, summed up.

    `lost` has every loss; `counted_lost` and `squares` (of the losses) those of counted decisions.
    `gift` is the luck of the rolls in the unit of the result: parts of the match, or points if
    `in_points`.
    """

    report = models.ForeignKey(Report, on_delete=models.PROTECT, related_name="sums")
    seat = models.PositiveSmallIntegerField()
    theme = models.CharField(max_length=12)
    counted = models.PositiveIntegerField()
    lost = models.FloatField()
    counted_lost = models.FloatField()
    squares = models.FloatField()
    gift = models.FloatField()
    in_points = models.BooleanField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["report", "seat", "theme"], name="theme_sum_once_a_seat"
            ),
            models.CheckConstraint(condition=Q(seat__in=(0, 1)), name="theme_sum_has_a_seat"),
        ]

    def __str__(self) -> str:
        return f"{self.theme} of seat {self.seat} in report {self.report_id}"


class ErrorExercise(models.Model):
    """An error of a full report that can be asked as an exercise, with its theme."""

    decision = models.OneToOneField(
        DecisionRow, on_delete=models.PROTECT, primary_key=True, related_name="+"
    )
    report = models.ForeignKey(Report, on_delete=models.PROTECT, related_name="+")
    seat = models.PositiveSmallIntegerField()
    theme = models.CharField(max_length=12)
    loss = models.FloatField()

    class Meta:
        indexes = [models.Index(fields=["theme", "-decision"], name="error_exercise_by_theme")]
        constraints = [
            models.CheckConstraint(condition=Q(seat__in=(0, 1)), name="error_exercise_has_a_seat"),
        ]

    def __str__(self) -> str:
        return f"{self.theme}: decision {self.decision_id}"
