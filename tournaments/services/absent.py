"""Seats in sit-and-gos of people who have gone: given up, with the fee, before it begins."""

from collections.abc import Collection
from contextlib import suppress
from typing import Final

from django.db.models import QuerySet

from games.table.errors import Busy
from tournaments.errors import Refused
from tournaments.models import Entry, Phase
from tournaments.services.entering import tournament_withdraw

#: not seen for this long: the seat is given up.
GONE_SECONDS: Final = 600.0
AT_ONCE: Final = 100


def people_seated() -> list[int]:
    """Everybody with a seat in a sit-and-go that fills, bots left out."""
    return list(_seats().values_list("user_id", flat=True).distinct())


def seats_give_up(user_ids: Collection[int]) -> int:
    """Give up the seats of these people; return how many."""
    given = 0
    for entry in _seats().filter(user__in=user_ids).select_related("user")[:AT_ONCE]:
        with suppress(Busy, Refused):  # it has just begun
            tournament_withdraw(user=entry.user, tournament_id=entry.tournament_id)
            given += 1
    return given


def _seats() -> QuerySet[Entry]:
    return Entry.objects.filter(
        tournament__phase=Phase.REGISTERING,
        tournament__starts_at__isnull=True,
        withdrawn_at__isnull=True,
        user__is_bot=False,
    )
