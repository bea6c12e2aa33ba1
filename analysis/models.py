"""Stored analyses: the queue of matches, and what was found.

A report and its decisions are never changed and never deleted (the database refuses both): an
engine of another version makes a report of its own.
"""

from django.db import models
from django.db.models import Q
from django.utils import timezone

from games.models import Match


class Job(models.Model):
    """A match that is to be analysed, or has been.

    A worker holds the row's lock while it works, so what a killed worker had in hand is free again
    as soon as its connection is gone. `failure` is what went wrong the last time.
    """

    match = models.OneToOneField(Match, on_delete=models.PROTECT, related_name="+")
    queued_at = models.DateTimeField(default=timezone.now)
    tries = models.PositiveSmallIntegerField(default=0)
    failure = models.CharField(max_length=200, blank=True)
    done_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [
            models.Index(
                fields=["queued_at"], name="analysis_job_open", condition=Q(done_at__isnull=True)
            )
        ]

    def __str__(self) -> str:
        return f"analysis of match {self.match_id}"


class Report(models.Model):
    """One analysis of a match; `figures` are those of both seats, without names."""

    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="+")
    engine = models.CharField(max_length=40)
    version = models.CharField(max_length=40)
    depth = models.CharField(max_length=8)
    figures = models.JSONField()
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["match", "engine", "version", "depth"], name="report_once_a_version"
            )
        ]

    def __str__(self) -> str:
        return f"{self.depth} report of match {self.match_id}"


class DecisionRow(models.Model):
    """One decision of a report; `line` is all of it (`analysis.lines`), without names."""

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
