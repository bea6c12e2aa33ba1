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

CLOSED_BY_SOMEBODY = Q(outcome="", closed_at=None, closed_by=None) | Q(
    outcome__gt="", closed_at__isnull=False, closed_by__isnull=False
)


class Report(models.Model):
    """A complaint of a person: why, in which words, and how it ended."""

    reporter = models.ForeignKey(_PERSON, on_delete=models.PROTECT, related_name="+")
    reason = models.CharField(max_length=16)
    words = models.CharField(max_length=REPORT_WORDS_LENGTH_MAX, blank=True)
    made_at = models.DateTimeField(default=timezone.now)
    outcome = models.CharField(max_length=16, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    closed_by = models.ForeignKey(
        _PERSON, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )

    class Meta:
        abstract = True


class Removal(models.Model):
    """Words that a moderator took away; `name_key` is the part of a name that counts.

    Until it is given back nobody can choose that name again.
    """

    name_key = models.CharField(max_length=160, blank=True)
    taken_by = models.ForeignKey(_PERSON, on_delete=models.PROTECT, related_name="+")
    taken_at = models.DateTimeField(default=timezone.now)
    given_back_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True


class ClubReport(Report):
    """A complaint about the name or the description of a club."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="reports")
    name = models.CharField(max_length=40)
    about = models.TextField(max_length=1000, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["club", "reporter"], condition=Q(outcome=""), name="club_report_open_once"
            ),
            models.CheckConstraint(
                condition=CLOSED_BY_SOMEBODY, name="club_report_closed_by_somebody"
            ),
        ]
        indexes = [
            models.Index(
                fields=["made_at"], condition=Q(outcome=""), name="club_report_open_by_age"
            ),
            models.Index(fields=["reporter", "-made_at"], name="club_report_by_reporter"),
        ]

    def __str__(self) -> str:
        return f"report {self.pk} about club {self.club_id}"


class ClubRemoval(Removal):
    """Words that moderators took from a club: its name, its description, or both."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="removals")
    name = models.CharField(max_length=40, blank=True)
    about = models.TextField(max_length=1000, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(name__gt="") | Q(about__gt=""), name="club_removal_of_something"
            ),
        ]
        indexes = [
            models.Index(
                fields=["name_key"],
                condition=Q(given_back_at__isnull=True, name__gt=""),
                name="club_name_withdrawn",
            ),
        ]

    def __str__(self) -> str:
        return f"taken from club {self.club_id}: {self.name or 'the description'}"


class TournamentReport(Report):
    """A complaint about the name of a tournament."""

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="reports")
    name = models.CharField(max_length=60)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "reporter"],
                condition=Q(outcome=""),
                name="tournament_report_open_once",
            ),
            models.CheckConstraint(
                condition=CLOSED_BY_SOMEBODY, name="tournament_report_closed_by_somebody"
            ),
        ]
        indexes = [
            models.Index(
                fields=["made_at"], condition=Q(outcome=""), name="tournament_report_open_by_age"
            ),
            models.Index(fields=["reporter", "-made_at"], name="tournament_report_by_reporter"),
        ]

    def __str__(self) -> str:
        return f"report {self.pk} about tournament {self.tournament_id}"


class TournamentRemoval(Removal):
    """The name that moderators took from a tournament."""

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="removals")
    name = models.CharField(max_length=60)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(name__gt=""), name="tournament_removal_of_something"
            ),
            models.UniqueConstraint(
                fields=["tournament"],
                condition=Q(given_back_at__isnull=True),
                name="tournament_name_taken_once",
            ),
        ]
        indexes = [
            models.Index(
                fields=["name_key"],
                condition=Q(given_back_at__isnull=True),
                name="tournament_name_withdrawn",
            ),
        ]

    def __str__(self) -> str:
        return f"taken from tournament {self.tournament_id}: {self.name}"
