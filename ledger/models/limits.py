"""Restrictions on staking: a player's own limits and breaks, and the house's stops."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _


class Measure(models.TextChoices):
    """The measure of a limit."""

    STAKE = "stake", _("credits staked")
    LOSS = "loss", _("credits lost")


class Period(models.TextChoices):
    """Over which stretch of time a limit counts, back from the moment of the stake."""

    DAY = "day", _("24 hours")
    WEEK = "week", _("7 days")
    MONTH = "month", _("one month")


class PlayLimit(models.Model):
    """A limit a player set. Lowering is at once; what is wider waits in `next_*` for a day."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", db_index=False
    )
    measure = models.CharField(max_length=10, choices=Measure.choices)
    period = models.CharField(max_length=10, choices=Period.choices)
    amount_cents = models.BigIntegerField()
    next_amount_cents = models.BigIntegerField(null=True)  # None with next_from set: no limit
    next_from = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "measure", "period"], name="limit_one_each"),
            models.CheckConstraint(
                condition=Q(
                    amount_cents__gte=0, measure__in=Measure.values, period__in=Period.values
                ),
                name="limit_is_one",
            ),
            models.CheckConstraint(
                condition=Q(next_amount_cents=None)
                | Q(next_from__isnull=False, next_amount_cents__gt=F("amount_cents")),
                name="limit_only_widens_later",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.measure} per {self.period}"


class PlayPause(models.Model):
    """A break or a self-exclusion. It cannot be ended early by anybody, so it is append-only."""

    class Kind(models.TextChoices):
        """A break of a day, or an exclusion of months."""

        BREAK = "break", _("break")
        EXCLUSION = "exclusion", _("self-exclusion")

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    starts_at = models.DateTimeField(db_default=Now())
    ends_at = models.DateTimeField(null=True)  # None: for ever

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(kind__in=["break", "exclusion"])
                & (Q(ends_at=None) | Q(ends_at__gt=F("starts_at"))),
                name="pause_is_one",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} until {self.ends_at or 'for ever'}"


class StakesStop(models.Model):
    """No new stakes for a scope: ``house``, or whatever word the caller of stakes_escrow names."""

    scope = models.CharField(max_length=100, unique=True)
    reason = models.CharField(max_length=500)
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        permissions = [("stop_stakes", "May close tables for new stakes")]

    def __str__(self) -> str:
        return self.scope
