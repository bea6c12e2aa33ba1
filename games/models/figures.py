"""The figures that a finished match adds to the statistics of its two players."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from games.models.tables import Match


class PlayerMatch(models.Model):
    """One player's side of a finished match, counted once from its events (games.table.tally).

    The events never change, so neither does a row. Who won, and whether the match was voided since,
    stays with the match. Practice has no rows. `is_open`: everybody may see the match.
    """

    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="sides")
    seat = models.PositiveSmallIntegerField()
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    opponent = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    is_open = models.BooleanField()
    ended_at = models.DateTimeField()
    single_won = models.PositiveIntegerField(default=0)
    gammon_won = models.PositiveIntegerField(default=0)
    backgammon_won = models.PositiveIntegerField(default=0)
    single_lost = models.PositiveIntegerField(default=0)
    gammon_lost = models.PositiveIntegerField(default=0)
    backgammon_lost = models.PositiveIntegerField(default=0)
    doubled = models.PositiveIntegerField(default=0)
    taken = models.PositiveIntegerField(default=0)
    dropped = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("match", "seat"), name="side_once_a_match"),
            models.CheckConstraint(condition=Q(seat__in=(0, 1)), name="side_is_a_seat"),
            models.CheckConstraint(condition=~Q(player=F("opponent")), name="side_has_an_opponent"),
        )
        indexes = (
            models.Index(fields=["player", "-ended_at", "-id"], name="side_by_player"),
            models.Index(
                fields=["player", "opponent", "-ended_at", "-id"], name="side_by_opponent"
            ),
            models.Index(fields=["ended_at"], name="side_by_end"),
        )

    def __str__(self) -> str:
        return f"seat {self.seat} of match {self.match_id}"


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


class LearntStep(models.Model):
    """A step of a lesson that a person solved; or was shown only, if not `solved`.

    `lesson` and `step` are keys of `games.lessons`; those that are no longer in the course count
    for nothing.
    """

    KEY_LENGTH_MAX = 32

    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    lesson = models.CharField(max_length=KEY_LENGTH_MAX)
    step = models.CharField(max_length=KEY_LENGTH_MAX)
    solved = models.BooleanField()
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["person", "lesson", "step"], name="learnt_step_a_person"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.person_id}: {self.lesson}/{self.step}"
