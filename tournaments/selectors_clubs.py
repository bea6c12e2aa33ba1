"""Reading clubs: lists, members, and the table of a season."""

from datetime import datetime
from uuid import UUID

from django.db.models import Count, Q

from tournaments.models import IN, Club, ClubStanding, Entry, Membership, Phase, Tournament
from tournaments.seasons import SeasonLine, season_began, season_table
from tournaments.seen import clubs_seen
from tournaments.selectors import with_entries

SHOWN_MOST = 100


def clubs(reader: int | None, search: str = "") -> list[Club]:
    """The clubs that this reader sees with `members`, their number, most members first."""
    members = Count("memberships", filter=Q(memberships__standing__in=IN))
    found = clubs_seen(reader).annotate(members=members).filter(members__gt=0)
    if search:
        found = found.filter(name__icontains=search)
    return list(found.order_by("-members", "name")[:SHOWN_MOST])


def club_get(club_id: UUID) -> Club | None:
    """The club, or None."""
    return Club.objects.select_related("founder").filter(pk=club_id).first()


def about_was_taken(club: Club) -> bool:
    """Whether moderators took its description away, and the club has none since."""
    return not club.about and club.removals.filter(about__gt="", given_back_at=None).exists()


def memberships_of(club: Club) -> list[Membership]:
    """Everybody in the club or on the way into it, directors first, then by age."""
    found = Membership.objects.filter(club=club).select_related("user").order_by("since", "pk")
    order = [ClubStanding.DIRECTOR, ClubStanding.MEMBER, ClubStanding.ASKED, ClubStanding.INVITED]
    return sorted(found, key=lambda each: order.index(ClubStanding(each.standing)))


def standing_of(club: Club, user_id: int | None) -> Membership | None:
    """This person in the club, or on the way into it."""
    return None if user_id is None else Membership.objects.filter(club=club, user=user_id).first()


def clubs_of(user_id: int) -> list[Membership]:
    """The clubs of a person, and invitations."""
    found = Membership.objects.filter(user=user_id).select_related("club")
    return list(found.order_by("club__name"))


def directed_by(user_id: int) -> list[Club]:
    """The clubs that this person directs."""
    directs = Q(memberships__user=user_id, memberships__standing=ClubStanding.DIRECTOR)
    return list(Club.objects.filter(directs).order_by("name"))


def tournaments_of(club: Club) -> list[Tournament]:
    """The tournaments of a club, the newest first; those that were called off left out."""
    found = Tournament.objects.filter(club=club).exclude(phase=Phase.CALLED_OFF)
    return list(with_entries(found).order_by("-created_at")[:SHOWN_MOST])


def season_lines(club: Club, now: datetime) -> list[SeasonLine]:
    """The table of the running season: of members, from the club's tournaments that are over."""
    members = Membership.objects.filter(club=club, standing__in=IN).values("user")
    results = Entry.objects.filter(
        tournament__club=club,
        tournament__phase=Phase.OVER,
        tournament__ended_at__gte=season_began(now),
        first_place__isnull=False,
        user__in=members,
    )
    return season_table(
        (entry.user_id, entry.first_place, entry.last_place)
        for entry in results
        if entry.first_place is not None and entry.last_place is not None
    )
