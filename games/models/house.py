"""The house itself: its prices, its bots, and when it was down."""

from typing import Any, Final

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Func, Q
from django.db.models.functions import Now

from games.models.tables import Table
from games.modes.prices import FIGURE_NAMES, FIGURES, OFFERED_MOST, STAKE_CENTS_MOST, Figure, Prices
from games.modes.pricing import prices_of

_PERSON: Final = settings.AUTH_USER_MODEL


def _amounts() -> Any:
    """A list of amounts in cents."""
    return ArrayField(models.PositiveIntegerField())


def _bounds(figure: Figure) -> models.CheckConstraint:
    """The constraint by which the database refuses what lies outside of a figure's bounds."""
    name = figure.name
    if not figure.many:
        within = Q(**{f"{name}__gte": figure.least, f"{name}__lte": figure.most})
        return models.CheckConstraint(condition=within, name=f"prices_{name}")
    every = (
        f"cardinality(%(expressions)s) BETWEEN 1 AND {OFFERED_MOST} "
        f"AND {figure.least} <= ALL(%(expressions)s) AND {figure.most} >= ALL(%(expressions)s)"
    )
    within_all = Func(F(name), template=every, output_field=models.BooleanField())
    return models.CheckConstraint(condition=within_all, name=f"prices_{name}")


class HousePrices(models.Model):
    """A set of figures that this house had, and since when; the highest number counts.

    The columns are the fields of `games.modes.prices.Prices`, within the bounds of `FIGURES`. A
    row is what two administrators decided by a proposal, or, without one, what somebody at the
    server set as the owner of the database. Rows are never changed and never deleted.
    """

    number = models.PositiveIntegerField(primary_key=True)
    prize_stakes_cents = _amounts()
    match_stakes_cents = _amounts()
    single_rates_cents = _amounts()
    single_limits_cents = _amounts()
    base_stake_cents_min = models.PositiveIntegerField()
    base_stake_cents_max = models.PositiveIntegerField()
    factor_without_cube = models.PositiveIntegerField()
    factor_with_cube = models.PositiveIntegerField()
    rake_bps = models.PositiveIntegerField()
    pair_limit = models.PositiveIntegerField(null=True)
    proposal = models.OneToOneField("ledger.Proposal", models.PROTECT, null=True, related_name="+")
    proposed_by = models.ForeignKey(_PERSON, models.PROTECT, null=True, related_name="+")
    confirmed_by = models.ForeignKey(_PERSON, models.PROTECT, null=True, related_name="+")
    reason = models.CharField(max_length=500)
    made_at = models.DateTimeField(db_default=Now())

    class Meta:
        permissions = [("decide_prices", "May propose and confirm prices of the house")]
        verbose_name_plural = "house prices"
        default_permissions = ("view",)
        constraints = [
            *map(_bounds, FIGURES),
            models.CheckConstraint(
                condition=Q(base_stake_cents_min__lte=F("base_stake_cents_max")),
                name="prices_least_base_below_most",
            ),
            models.CheckConstraint(
                condition=Q(base_stake_cents_max__lte=STAKE_CENTS_MOST / F("factor_without_cube"))
                & Q(base_stake_cents_max__lte=STAKE_CENTS_MOST / F("factor_with_cube")),
                name="prices_base_times_factor",
            ),
            models.CheckConstraint(
                condition=Q(proposal=None, proposed_by=None, confirmed_by=None)
                | Q(
                    proposal__isnull=False,
                    proposed_by__isnull=False,
                    confirmed_by__isnull=False,
                ),
                name="prices_by_two_people",
            ),
            models.CheckConstraint(
                condition=~Q(proposed_by=F("confirmed_by")), name="prices_by_different_people"
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="prices_say_why"),
        ]

    def __str__(self) -> str:
        return f"prices {self.number}"

    @property
    def prices(self) -> Prices:
        """The figures of this row."""
        return prices_of({name: getattr(self, name) for name in FIGURE_NAMES})


class HouseBot(models.Model):
    """A player that is the house's own program; it sits at practice tables and nowhere else."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, primary_key=True, related_name="+"
    )
    strength = models.CharField(max_length=16, unique=True)

    def __str__(self) -> str:
        return f"house bot ({self.strength})"


class BotTurn(models.Model):
    """A practice table whose house bot owes an answer, and when the sweep looks after it."""

    table = models.OneToOneField(Table, on_delete=models.CASCADE, primary_key=True)
    due_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.table_id} waits for its bot"


class Heartbeat(models.Model):
    """When a part of the house that players depend on was last known to be alive."""

    role = models.CharField(max_length=16, primary_key=True)
    beat_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.role} at {self.beat_at}"


class Outage(models.Model):
    """A time in which a part of the house was down; running tables get it back once."""

    role = models.CharField(max_length=16)
    began_at = models.DateTimeField()
    ended_at = models.DateTimeField()
    credited_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["role", "began_at"], name="outage_once"),
            models.CheckConstraint(
                condition=Q(ended_at__gt=models.F("began_at")), name="outage_has_a_length"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.role} {self.began_at} to {self.ended_at}"
