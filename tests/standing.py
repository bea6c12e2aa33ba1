"""Resetting the limits of what people did too often, in tests about other things."""

from datetime import timedelta

from django.db.models import F

from games.models import Challenge, Match
from games.services.seats import MEMORY_MS

LONG_AGO = timedelta(milliseconds=2 * MEMORY_MS)


def stand_ups_forget() -> None:
    """Move every match that ended before its first roll so far back that it no longer counts."""
    ended = Match.objects.filter(ending="stood_up")
    ended.update(started_at=F("started_at") - LONG_AGO, ended_at=F("ended_at") - LONG_AGO)


def challenges_forget() -> None:
    """Move every challenge that no longer waits so far back that it no longer counts."""
    over = Challenge.objects.exclude(state="waiting")
    over.update(made_at=F("made_at") - LONG_AGO, expires_at=F("expires_at") - LONG_AGO)
