"""Letting the house forget who stood up, in tests that are about other things."""

from datetime import timedelta

from django.db.models import F

from games.models import Match
from games.table.pauses import MEMORY_MS


def stand_ups_forget() -> None:
    """Every match that ended before its first roll lies so long ago that nobody counts it."""
    long_ago = timedelta(milliseconds=2 * MEMORY_MS)
    ended = Match.objects.filter(ending="stood_up")
    ended.update(started_at=F("started_at") - long_ago, ended_at=F("ended_at") - long_ago)
