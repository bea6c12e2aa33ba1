"""Letting the house forget what people did too often, in tests that are about other things."""

from datetime import timedelta

from django.db.models import F

from games.models import Challenge, Match
from games.table.pauses import MEMORY_MS

LONG_AGO = timedelta(milliseconds=2 * MEMORY_MS)


def stand_ups_forget() -> None:
    """Every match that ended before its first roll lies so long ago that nobody counts it."""
    ended = Match.objects.filter(ending="stood_up")
    ended.update(started_at=F("started_at") - LONG_AGO, ended_at=F("ended_at") - LONG_AGO)


def challenges_forget() -> None:
    """Every challenge that does not wait any more was made so long ago that nobody counts it."""
    over = Challenge.objects.exclude(state="waiting")
    over.update(made_at=F("made_at") - LONG_AGO, expires_at=F("expires_at") - LONG_AGO)
