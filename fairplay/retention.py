"""How long fair play keeps what it measured; cases and what people said in them stay."""

from datetime import timedelta
from typing import Final

from django.utils import timezone

from fairplay.models import Conduct, Pause, Screening, Wait

CONDUCT_KEPT: Final = timedelta(days=90)
"""Conduct at tables and the pauses that followed."""

CHECKS_KEPT: Final = timedelta(days=180)
"""Screenings of results, and gains that have waited."""


def measurements_forget() -> int:
    """Delete what is older than its time; return how many rows."""
    now = timezone.now()
    old = (
        Conduct.objects.filter(at__lt=now - CONDUCT_KEPT),
        Pause.objects.filter(placed_at__lt=now - CONDUCT_KEPT),
        Screening.objects.filter(made_at__lt=now - CHECKS_KEPT),
        Wait.objects.filter(since__lt=now - CHECKS_KEPT, over_at__isnull=False),
    )
    return sum(rows.delete()[0] for rows in old)
