"""Reports of what a club or a tournament is called, and what moderators took away.

A report keeps the words as they were. `outcome` is empty while it is open.
"""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from games.table.talk import REPORT_WORDS_LENGTH_MAX
from tournaments.models.clubs import Club
from tournaments.models.tournaments import Tournament

_PERSON = settings.AUTH_USER_MODEL
_OPEN = Q(outcome="")
_KEPT = Q(given_back_at__isnull=True)
_ONE_SUBJECT = Q(club=None, tournament__isnull=False) | Q(club__isnull=False, tournament=None)


class WordsReport(models.Model):
    """A complaint about the name of a tournament, or the name or the description of a club."""

    club = models.ForeignKey(Club, models.PROTECT, null=True, related_name="reports")
    tournament = models.ForeignKey(Tournament, models.PROTECT, null=True, related_name="reports")
    name = models.CharField(max_length=60)
    about = models.TextField(max_length=1000, blank=True)
    reporter = models.ForeignKey(_PERSON, models.PROTECT, related_name="+")
    reason = models.CharField(max_length=16)
    words = models.CharField(max_length=REPORT_WORDS_LENGTH_MAX, blank=True)
    made_at = models.DateTimeField(default=timezone.now)
    outcome = models.CharField(max_length=16, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    closed_by = models.ForeignKey(_PERSON, models.PROTECT, null=True, related_name="+")

    class Meta:
        constraints = [
            models.CheckConstraint(condition=_ONE_SUBJECT, name="words_report_of_one_subject"),
            models.UniqueConstraint(
                fields=["club", "reporter"], condition=_OPEN, name="club_report_open_once"
            ),
            models.UniqueConstraint(
                fields=["tournament", "reporter"],
                condition=_OPEN,
                name="tournament_report_open_once",
            ),
            models.CheckConstraint(
                condition=Q(outcome="", closed_at=None, closed_by=None)
                | Q(outcome__gt="", closed_at__isnull=False, closed_by__isnull=False),
                name="words_report_closed_by_somebody",
            ),
        ]
        indexes = [
            models.Index(fields=["made_at"], condition=_OPEN, name="words_report_open_by_age"),
            models.Index(fields=["reporter", "-made_at"], name="words_report_by_reporter"),
        ]

    def __str__(self) -> str:
        return f"report {self.pk} about {self.name}"


class WordsRemoval(models.Model):
    """Words that moderators took away: a name, the description of a club, or both.

    `name_key` is the part of a name that counts; until it is given back, nothing else gets it.
    """

    club = models.ForeignKey(Club, models.PROTECT, null=True, related_name="removals")
    tournament = models.ForeignKey(Tournament, models.PROTECT, null=True, related_name="removals")
    name = models.CharField(max_length=60, blank=True)
    name_key = models.CharField(max_length=160, blank=True)
    about = models.TextField(max_length=1000, blank=True)
    taken_by = models.ForeignKey(_PERSON, models.PROTECT, related_name="+")
    taken_at = models.DateTimeField(default=timezone.now)
    given_back_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=_ONE_SUBJECT, name="words_removal_of_one_subject"),
            models.CheckConstraint(
                condition=Q(name__gt="") | Q(about__gt=""), name="words_removal_of_something"
            ),
            models.UniqueConstraint(
                fields=["tournament"], condition=_KEPT, name="tournament_name_taken_once"
            ),
        ]
        indexes = [
            models.Index(
                fields=["name_key"], condition=_KEPT & Q(name__gt=""), name="words_name_withdrawn"
            ),
        ]

    def __str__(self) -> str:
        return f"taken away: {self.name or 'a description'}"
