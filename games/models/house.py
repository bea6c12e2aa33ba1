"""The house itself: its prices, its bots, and when it was down."""

from collections.abc import Iterator
from typing import Any, Final

import msgspec
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q

from games.models.tables import Table
from games.table.terms import Prices

RAKE_BPS_END: Final = 10_000
"""Hundredths of a percent in a whole; a house that keeps it all pays no winner."""


def figures_check(figures: object) -> None:
    """Raise `ValidationError` for figures that no house can offer, in a sentence that names them.

    Every list offers something, every amount is one or more cents, each limit is a whole price,
    the least base stake is not above the most, and the rake is less than everything.
    """
    try:
        prices = msgspec.convert(figures, Prices)
    except msgspec.ValidationError as error:
        raise ValidationError(str(error)) from error
    assert isinstance(figures, dict)  # or it would not have been converted
    unknown = sorted(set(figures) - set(Prices.__struct_fields__))
    faults = [f"there is no price {name!r}" for name in unknown] + list(_price_faults(prices))
    if faults:
        raise ValidationError([f"{fault[0].upper()}{fault[1:]}." for fault in faults])


def _price_faults(prices: Prices) -> Iterator[str]:
    for name in ("prize_stakes_cents", "single_rates_cents", "single_limits_cents"):
        offered = getattr(prices, name)
        if not offered:
            yield f"{name} is empty; it must offer one amount or more"
        if any(cents < 1 for cents in offered):
            yield f"{name} has an amount below one cent"
        if len(set(offered)) != len(offered):
            yield f"{name} has an amount twice"
    for name in ("base_stake_cents_min", "factor_without_cube", "factor_with_cube"):
        if getattr(prices, name) < 1:
            yield f"{name} must be 1 or more"
    if prices.base_stake_cents_min > prices.base_stake_cents_max:
        yield "base_stake_cents_min is above base_stake_cents_max"
    if not 0 <= prices.rake_bps < RAKE_BPS_END:
        yield f"rake_bps must be 0 or more and below {RAKE_BPS_END}, the whole"


class HousePrices(models.Model):
    """The figures of the modes as this house has them; what is missing has its default.

    There is one row at most; the keys are the fields of `games.table.terms.Prices`.
    """

    figures = models.JSONField(default=dict, validators=[figures_check])
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name_plural = "house prices"
        constraints = [models.CheckConstraint(condition=Q(pk=1), name="prices_once")]

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Write the one row. Raises `ValidationError`: nothing stores figures unchecked."""
        self.pk = self.pk or 1
        figures_check(self.figures)
        super().save(*args, **kwargs)

    def __str__(self) -> str:
        return "house prices"


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
