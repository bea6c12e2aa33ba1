"""The one rule about who sees a club and its tournaments: for pages, programs, files and sockets.

Everybody sees an open club. A closed one only its members see: who they are, its description, its
chat, its tournaments with entrants and results. A person who has entered a tournament, or founded
it, sees that tournament.
"""

from django.db.models import Q, QuerySet

from tournaments.models import IN, Club, Entry, Membership, Tournament


def is_seen(club: Club, reader: int | None) -> bool:
    """Return True if this reader sees the club; None is a visitor who is not logged in."""
    return clubs_seen(reader).filter(pk=club.pk).exists()


def clubs_seen(reader: int | None) -> QuerySet[Club]:
    """The clubs that this reader sees."""
    return Club.objects.filter(_seen_clubs(reader))


def tournaments_seen(reader: int | None) -> QuerySet[Tournament]:
    """The tournaments that this reader sees: of no club, of a club they see, and their own."""
    seen = Q(club=None) | _seen_clubs(reader, "club__")
    if reader is not None:
        entries = Entry.objects.filter(user=reader, withdrawn_at__isnull=True)
        seen |= Q(founder=reader) | Q(pk__in=entries.values("tournament"))
    return Tournament.objects.filter(seen)


def _seen_clubs(reader: int | None, prefix: str = "") -> Q:
    seen = Q((f"{prefix}is_open", True))
    if reader is not None:
        memberships = Membership.objects.filter(user=reader, standing__in=IN)
        seen |= Q((f"{prefix}pk__in", memberships.values("club")))
    return seen
