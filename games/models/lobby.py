"""How people find each other: challenges, and the settings they have saved."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from games.models.tables import Table


class ChallengeState(models.TextChoices):
    """The state of a challenge."""

    WAITING = "waiting"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    EXPIRED = "expired"


class Challenge(models.Model):
    """A challenge of one player to another on these terms; it expires at `expires_at`."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    challenger = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    challenged = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    terms = models.JSONField()
    state = models.CharField(
        max_length=16, choices=ChallengeState.choices, default=ChallengeState.WAITING
    )
    table = models.ForeignKey(
        Table, on_delete=models.PROTECT, related_name="+", null=True, blank=True
    )
    made_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    answered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["challenger"],
                condition=Q(state="waiting"),
                name="one_waiting_challenge_a_player",
            ),
            models.CheckConstraint(
                condition=~Q(challenger=models.F("challenged")),
                name="nobody_challenges_himself",
            ),
            models.CheckConstraint(
                condition=Q(state="accepted", table__isnull=False)
                | (~Q(state="accepted") & Q(table__isnull=True)),
                name="accepted_challenge_has_its_table",
            ),
        ]
        indexes = [
            models.Index(
                fields=["challenged"], condition=Q(state="waiting"), name="challenge_waiting_for"
            ),
            models.Index(
                fields=["expires_at"], condition=Q(state="waiting"), name="challenge_by_deadline"
            ),
        ]

    def __str__(self) -> str:
        return f"challenge {self.id} ({self.state})"


class StandIn(models.Model):
    """The house bot plays at `game` with the opener of `table`, who waits there meanwhile.

    Whoever comes sits at no such table: its opener is asked, until `answer_by`, whether to play the
    person at the open table `offered`, and has `accepted`. One who is silent waits no longer.
    """

    table = models.OneToOneField(
        Table, on_delete=models.CASCADE, primary_key=True, related_name="stand_in"
    )
    game = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="+")
    offered = models.ForeignKey(
        Table, on_delete=models.CASCADE, related_name="+", null=True, blank=True
    )
    answer_by = models.DateTimeField(null=True, blank=True)
    accepted = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(offered__isnull=True, answer_by__isnull=True)
                | Q(offered__isnull=False, answer_by__isnull=False),
                name="offer_has_an_end",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table_id} waits with the house bot"


class Favourite(models.Model):
    """The settings of a table that a person has saved under a name.

    `wishes` are fields of `games.modes.terms.Wishes`, not terms: what they come to, and whether
    the house still offers it, is decided whenever they are used.
    """

    NAME_LENGTH_MAX = 60

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=NAME_LENGTH_MAX)
    wishes = models.JSONField()
    saved_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["owner", "name"], name="favourite_name_an_owner"),
            models.CheckConstraint(condition=Q(name__gt=""), name="favourite_has_a_name"),
        ]

    def __str__(self) -> str:
        return f"{self.owner_id}: {self.name}"
