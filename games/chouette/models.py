"""Stored chouettes: the table and its journal, who sits there, its games with stakes and dice.

The journal is the truth; the state in the table's row is a cache. What was agreed never changes,
and every transfer has the shares of a game behind it (`chouette/migrations/sql/chouette.sql`).
"""

import json
import uuid
from datetime import datetime
from functools import cached_property
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from games.models import DiceLogEntry

_PERSON = settings.AUTH_USER_MODEL


class Circle(models.Model):
    """A table of a chouette.

    `terms` are the engine's. For credits `rate_cents` is what a point is worth, and `limit_cents`
    the most that a member and the box can win from each other in a game; both are 0 without
    credits. `state` is the engine's and `pace` the clock's (`chouette/pace.py`), both as after the
    event `seq`. `wake_at` is when something is due without a command.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    founder = models.ForeignKey(_PERSON, on_delete=models.PROTECT, related_name="+")
    terms = models.JSONField()
    rate_cents = models.BigIntegerField(default=0)
    limit_cents = models.BigIntegerField(default=0)
    rake_bps = models.PositiveIntegerField(default=0)
    state = models.JSONField()
    pace = models.JSONField(default=dict)
    seq = models.PositiveIntegerField(default=0)
    wake_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(rate_cents=0, limit_cents=0)
                | Q(rate_cents__gt=0, limit_cents__gte=F("rate_cents")),
                name="circle_limit_fits_rate",
            ),
            models.CheckConstraint(condition=Q(rake_bps__lte=5_000), name="circle_rake_sound"),
        ]
        indexes = [
            models.Index(fields=["wake_at"], condition=Q(wake_at__isnull=False), name="circle_due"),
            models.Index(
                fields=["created_at"], condition=Q(closed_at__isnull=True), name="circle_open"
            ),
        ]

    def __str__(self) -> str:
        return f"chouette {self.id}"


class CircleEvent(models.Model):
    """One event of the journal; `seq` counts without a gap. Never changed, never deleted."""

    circle = models.ForeignKey(Circle, on_delete=models.PROTECT, related_name="events")
    seq = models.PositiveIntegerField()
    payload = models.JSONField()
    stored_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["circle", "seq"], name="circle_event_seq")]

    def __str__(self) -> str:
        return f"{self.circle_id} #{self.seq}"


class Place(models.Model):
    """A person at a table, from sitting down to standing up. People sit at one table at a time."""

    circle = models.ForeignKey(Circle, on_delete=models.PROTECT, related_name="places")
    user = models.ForeignKey(_PERSON, on_delete=models.PROTECT, related_name="chouette_places")
    is_bot = models.BooleanField(default=False)
    sat_at = models.DateTimeField(default=timezone.now)
    stood_up_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["user"],
                condition=Q(stood_up_at__isnull=True, is_bot=False),
                name="place_one_table_at_a_time",
            ),
            models.UniqueConstraint(
                fields=["circle", "user"],
                condition=Q(stood_up_at__isnull=True),
                name="place_once_at_a_table",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} at {self.circle_id}"


class Game(models.Model):
    """A game of a chouette; in the books it is `chouette:<id>`. Its dice are BGD1.

    White is the box, black the captain who began. `house_secret` is the far end of the house's
    chain, encrypted; `sides` has one `games.services.dice.parts.DiceSide` for each colour.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    circle = models.ForeignKey(Circle, on_delete=models.PROTECT, related_name="games")
    number = models.PositiveIntegerField()
    box = models.ForeignKey(_PERSON, on_delete=models.PROTECT, related_name="+")
    captain = models.ForeignKey(_PERSON, on_delete=models.PROTECT, related_name="+")
    rake_cents = models.BigIntegerField(null=True, blank=True)
    started_at = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(null=True, blank=True)
    voided = models.BooleanField(default=False, db_default=False)
    """Whether administrators gave every stake back instead."""
    terms = models.TextField()
    house_tip = models.BinaryField()
    house_secret = models.BinaryField()
    sides = models.JSONField()
    next_roll = models.PositiveIntegerField(default=0)
    open_hash = models.BinaryField(null=True)
    signature = models.BinaryField(null=True)
    log_entry = models.OneToOneField(
        DiceLogEntry, null=True, on_delete=models.PROTECT, related_name="chouette_game"
    )
    """The line of its opening in the public log; the database appends it with the opening."""

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["circle", "number"], name="chouette_game_number"),
            models.CheckConstraint(
                condition=Q(ended_at__isnull=True, rake_cents__isnull=True)
                | Q(ended_at__isnull=False, rake_cents__gte=0),
                name="chouette_game_ends_with_rake",
            ),
            models.CheckConstraint(condition=~Q(box=F("captain")), name="chouette_game_two_sides"),
            models.CheckConstraint(
                condition=Q(open_hash__isnull=True, log_entry__isnull=True, next_roll=0)
                | Q(open_hash__isnull=False, log_entry__isnull=False),
                name="chouette_game_logged_before_rolls",
            ),
        ]
        indexes = [
            models.Index(
                fields=["circle"], condition=Q(ended_at__isnull=True), name="chouette_game_running"
            ),
        ]

    def __str__(self) -> str:
        return f"game {self.number} of {self.circle_id}"

    opened_at: datetime | None = None

    @cached_property
    def mode(self) -> Any:
        """The mode of its dice, as its terms bind it."""
        return json.loads(self.terms)["mode"]

    @cached_property
    def key(self) -> str:
        """Its id as text."""
        return str(self.id)

    @cached_property
    def reference(self) -> str:
        """The name of this game in the books."""
        return f"chouette:{self.id}"


class Share(models.Model):
    """A player's stake in a game, and what they got back at its end.

    `box_points` is what the box won from this member; None for the box itself.
    """

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="shares")
    user = models.ForeignKey(_PERSON, on_delete=models.PROTECT, related_name="chouette_shares")
    stake_cents = models.BigIntegerField()
    paid_cents = models.BigIntegerField(null=True, blank=True)
    box_points = models.IntegerField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["game", "user"], name="share_once_a_player"),
            models.CheckConstraint(
                condition=Q(stake_cents__gte=0)
                & (Q(paid_cents__isnull=True) | Q(paid_cents__gte=0)),
                name="share_not_negative",
            ),
        ]

    def __str__(self) -> str:
        return f"share of {self.user_id} in {self.game_id}"


class Roll(models.Model):
    """One roll with everything that made it. Never changed; its number is used once."""

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="rolls")
    n = models.PositiveIntegerField()
    kind = models.PositiveSmallIntegerField()
    flags = models.PositiveSmallIntegerField()
    house = models.BinaryField()
    white = models.BinaryField()
    black = models.BinaryField()
    dice = models.JSONField()
    seq = models.PositiveIntegerField()
    """The event of the journal that these dice made."""
    rolled_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["game", "n"], name="chouette_roll_number_once")
        ]

    def __str__(self) -> str:
        return f"roll {self.n} of {self.game_id}"
