"""Stored tosses and their journal."""

import uuid

from django.conf import settings
from django.db import models
from django.utils import timezone


class Toss(models.Model):
    """A toss; in the books it would be `heads:<id>`."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    seq = models.PositiveIntegerField(default=0)
    state = models.JSONField()
    created_at = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        app_label = "heads"

    def __str__(self) -> str:
        return f"toss {self.id}"


class TossEvent(models.Model):
    """One event of the journal."""

    toss = models.ForeignKey(Toss, on_delete=models.PROTECT, related_name="events")
    seq = models.PositiveIntegerField()
    payload = models.JSONField()
    stored_at = models.DateTimeField(default=timezone.now)

    class Meta:
        app_label = "heads"

    def __str__(self) -> str:
        return f"{self.toss_id} #{self.seq}"
