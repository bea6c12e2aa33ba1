"""Tournaments and matches with a date, for calendars; those of a private club for its members."""

from datetime import datetime, timedelta
from typing import Final

from django.db.models import Q, QuerySet, Value
from django.db.models.functions import Coalesce, Greatest

from tournaments.models import IN, Entry, Meeting, Membership, Phase, Tournament
from tournaments.seen import tournaments_seen

#: so long something stays in a calendar after its beginning
KEPT: Final = timedelta(days=30)
#: a calendar has so many tournaments, and so many matches, at most
MOST: Final = 200


def public_dates(now: datetime) -> list[Tournament]:
    """The tournaments for everybody: none of closed clubs, for members, or called off.

    The nearest ones, so that nobody pushes out those of today with those of next month.
    """
    found = tournaments_seen(None).exclude(members_only=True).exclude(phase=Phase.CALLED_OFF)
    return _dated(found, now)


def dates_of(user_id: int, now: datetime) -> list[Tournament]:
    """The tournaments of a person: entered, held, or of a club that they are in.

    Those that were called off stay in the list, so that programs show it.
    """
    entries = Entry.objects.filter(user=user_id, withdrawn_at__isnull=True)
    mine = Q(founder=user_id) | Q(pk__in=entries.values("tournament"))
    clubs = Membership.objects.filter(user=user_id, standing__in=IN)
    of_clubs = Q(club__in=clubs.values("club"))
    return _dated(Tournament.objects.filter(mine | of_clubs), now, drawn=mine)


def meetings_with_dates(user_id: int, now: datetime) -> list[Meeting]:
    """The matches to which a person was called, the newest first."""
    found = Meeting.objects.filter(Q(player_0=user_id) | Q(player_1=user_id), undone=False)
    found = found.filter(called_at__gt=now - KEPT)
    found = found.exclude(decided_at=None, tournament__phase=Phase.CALLED_OFF)
    rows = found.select_related("tournament", "player_0", "player_1")
    return list(rows.order_by("-called_at", "pk")[:MOST])


def _dated(
    found: QuerySet[Tournament], now: datetime, *, drawn: Q | None = None
) -> list[Tournament]:
    """Those with a time, and of `drawn` also those without one since they began; nearest first."""
    begins = Q(starts_at__gt=now - KEPT)
    if drawn is not None:
        begins |= drawn & Q(starts_at=None, drawn_at__gt=now - KEPT)
    rows = found.filter(begins).prefetch_related("removals")
    begins_at = Coalesce("starts_at", "drawn_at")
    away = Greatest(begins_at - Value(now), Value(now) - begins_at)
    return list(rows.order_by(away, "pk")[:MOST])
