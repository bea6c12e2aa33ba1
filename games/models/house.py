"""The house itself: its bots, and when it was down."""

from django.conf import settings
from django.db import models

from games.models.tables import Table


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
                condition=models.Q(ended_at__gt=models.F("began_at")), name="outage_has_a_length"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.role} {self.began_at} to {self.ended_at}"
