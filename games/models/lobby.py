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
