"""Stored ratings and the log they follow from.

The log is the truth: every change of a rating is one row of RatingChange, never updated and never
deleted (the database refuses both). A Rating is the cached end of its own chain of changes.
"""

from decimal import Decimal

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from ratings.elo import START_ELO, START_EXPERIENCE

POOL_LENGTH = 40


class Rating(models.Model):
    """A player's rating in one pool, after `changes` changes."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="ratings"
    )
    pool = models.CharField(max_length=POOL_LENGTH)
    elo = models.DecimalField(max_digits=9, decimal_places=4, default=START_ELO)
    experience = models.PositiveIntegerField(default=START_EXPERIENCE)
    games = models.PositiveIntegerField(default=0, help_text="Rated matches that were not voided.")
    changes = models.PositiveIntegerField(default=0, help_text="Length of the chain of changes.")

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("user", "pool"), name="rating_once_per_pool"),
        )
        indexes = (
            models.Index(
                F("pool"),
                F("elo").desc(),
                F("user").desc(),
                condition=Q(games__gt=0),
                name="rating_ranking",
            ),
        )

    def __str__(self) -> str:
        return f"{self.user_id} in {self.pool}: {self.elo}"


class RankMark(models.Model):
    """How many players of a pool are rated above this rating, and as high or higher.

    There is one about every 250 places (`ratings.ranks`), so that a rank deep in the list is
    found without counting everybody above. They are made anew every few minutes.
    """

    pool = models.CharField(max_length=POOL_LENGTH)
    elo = models.DecimalField(max_digits=9, decimal_places=4)
    above = models.PositiveIntegerField()
    through = models.PositiveIntegerField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("pool", "elo"), name="rank_mark_once"),)

    def __str__(self) -> str:
        return f"{self.above} above {self.elo} in {self.pool}"


class ChangeKind(models.TextChoices):
    """Why a rating moved."""

    RESULT = "result", "result"
    VOID = "void", "void"


class RatingChange(models.Model):
    """One movement of one rating: two of them for each rated match, two more if it is voided.

    `sequence` counts 1, 2, 3, … without a gap within (user, pool); `id` orders the changes of all
    players, because it is drawn while both ratings are locked.
    """

    reference = models.CharField(max_length=100, help_text="What was rated: match:<uuid>.")
    kind = models.CharField(max_length=10, choices=ChangeKind.choices)
    pool = models.CharField(max_length=POOL_LENGTH)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="rating_changes",
        db_index=False,  # rating_change_chain begins with it
    )
    opponent = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    won = models.BooleanField()
    n = models.PositiveIntegerField()
    before = models.DecimalField(max_digits=9, decimal_places=4)
    after = models.DecimalField(max_digits=9, decimal_places=4)
    experience_before = models.PositiveIntegerField()
    experience_after = models.PositiveIntegerField()
    sequence = models.PositiveIntegerField()
    created = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("reference", "user", "kind"), name="rating_change_once"
            ),
            models.UniqueConstraint(
                fields=("reference", "kind", "won"), name="rating_change_one_winner_one_loser"
            ),
            models.UniqueConstraint(
                fields=("user", "pool", "sequence"), name="rating_change_chain"
            ),
            models.CheckConstraint(
                condition=Q(kind__in=ChangeKind.values), name="rating_change_kind"
            ),
            models.CheckConstraint(
                condition=~Q(user=F("opponent")), name="rating_change_two_players"
            ),
            models.CheckConstraint(condition=Q(n__gte=1), name="rating_change_worth"),
            models.CheckConstraint(
                condition=Q(sequence__gte=1), name="rating_change_sequence_from_1"
            ),
            models.CheckConstraint(
                condition=(
                    Q(kind="result", experience_after=F("experience_before") + F("n"))
                    | Q(kind="void", experience_after=F("experience_before") - F("n"))
                ),
                name="rating_change_experience",
            ),
            models.CheckConstraint(
                condition=(
                    Q(kind="result", won=True, after__gte=F("before"))
                    | Q(kind="void", won=False, after__gte=F("before"))
                    | Q(kind="result", won=False, after__lte=F("before"))
                    | Q(kind="void", won=True, after__lte=F("before"))
                ),
                name="rating_change_direction",
            ),
        )
        indexes = (models.Index(fields=("created",), name="rating_change_created"),)

    def __str__(self) -> str:
        return f"{self.kind} of {self.reference}: {self.user_id} {self.before} to {self.after}"

    @property
    def delta(self) -> Decimal:
        """By how much the rating moved, signed."""
        return self.after - self.before
