"""Bars on tables: of one account for a time, or of two accounts against each other."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class BarKind(models.TextChoices):
    """Which tables a bar is about."""

    STAKES = "stakes", _("games for credits")
    RATED = "rated", _("games for credits and rated games")
    LOBBY = "lobby", _("all games against others")
    MEETING = "meeting", _("games for credits and rated games against one player")


class Bar(models.Model):
    """A bar on new tables: of one account, or (`other`) of two accounts against each other.

    Running matches go on. `reference` names what it was placed for; `ends_at` is empty where only
    somebody can lift it.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    other = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    kind = models.CharField(max_length=8, choices=BarKind.choices)
    reference = models.CharField(max_length=100)
    placed_at = models.DateTimeField(default=timezone.now)
    ends_at = models.DateTimeField(null=True, blank=True)
    lifted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["reference", "user", "kind"], name="bar_once"),
            models.CheckConstraint(
                condition=Q(kind__in=["stakes", "rated", "lobby"], other__isnull=True)
                | Q(kind="meeting", other__isnull=False, other__gt=F("user")),
                name="bar_is_one",
            ),
        ]
        indexes = [
            models.Index(fields=["user"], condition=Q(lifted_at__isnull=True), name="bar_in_force"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} bar of {self.user_id} ({self.reference})"
