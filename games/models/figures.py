"""The figures that a finished match adds to the statistics of its two players."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q

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
