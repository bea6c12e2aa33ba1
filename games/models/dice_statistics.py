"""The results of the nightly count of all dice: a row a night, and the throws of each player."""

from django.conf import settings
from django.db import models
from django.utils import timezone


class DiceStatistics(models.Model):
    """The dice of the house up to a moment: counts, and what the tests made of them.

    `cells` are the 36 ordered rolls of two dice (`backgammon.dice.statistics.cell_of`), `pairs`
    the 36 x 36 of rolls that followed each other in a game, `faces` the six faces of all dice,
    those of games with three dice too. `findings` has a statistic, its degrees of freedom and its
    probability for each test, `players` the luckiest and the unluckiest.
    """

    until = models.DateTimeField()
    """Every roll before this moment is counted."""
    made_at = models.DateTimeField(default=timezone.now)
    rolls = models.BigIntegerField()
    faces = models.JSONField()
    cells = models.JSONField()
    pairs = models.JSONField()
    findings = models.JSONField()
    players = models.JSONField()
    alarm = models.BooleanField(default=False)

    class Meta:
        verbose_name_plural = "dice statistics"
        indexes = [models.Index(fields=["-until"], name="dice_statistics_by_time")]

    def __str__(self) -> str:
        return f"{self.rolls} rolls until {self.until}"


class DiceLuck(models.Model):
    """All rolls of a player: rolls of two dice on their own turns, and their pips."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, primary_key=True, related_name="+"
    )
    rolls = models.BigIntegerField()
    pips = models.BigIntegerField()

    class Meta:
        verbose_name_plural = "dice luck"

    def __str__(self) -> str:
        return f"{self.user_id}: {self.pips} pips in {self.rolls} rolls"
