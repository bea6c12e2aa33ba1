"""Reading tournaments, as a reader sees them (`tournaments/visibility.py`).

Nothing here locks; what is read may have changed before it is shown.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.db.models import Count, OuterRef, Prefetch, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce, Greatest

from games.models import Table
from games.selectors import table_state
from kit.database import read_cursor
from tournaments.models import (
    IN,
    OPEN,
    Club,
    ClubStanding,
    Entry,
    Meeting,
    Membership,
    Phase,
    Tournament,
)
from tournaments.seasons import SeasonLine, season_began, season_table
from tournaments.visibility import clubs_seen, tournaments_seen

FINISHED_MOST: Final = 30

#: whether a person has a meeting without a result; its tournament need not run any more.
_MEETS: Final = """
SELECT EXISTS (
    SELECT FROM tournaments_meeting
    WHERE (player_0_id = %(person)s OR player_1_id = %(person)s)
      AND decided_at IS NULL AND NOT undone
)
"""

Score = tuple[int, int]


def with_entries(found: QuerySet[Tournament]) -> QuerySet[Tournament]:
    """The tournaments with founder and club, and with `taken`: how many entries they have."""
    return _listed(found).select_related("founder", "club")


def _listed(found: QuerySet[Tournament]) -> QuerySet[Tournament]:
    """The tournaments as a list shows them; only the entries of those shown are counted."""
    entries = Entry.objects.filter(tournament=OuterRef("pk"), withdrawn_at__isnull=True)
    counted = entries.order_by().values("tournament").annotate(number=Count("*")).values("number")
    taken = Coalesce(Subquery(counted), 0)
    return found.select_related("satellite_of").defer("state").annotate(taken=taken)


def filling(reader: int | None) -> list[Tournament]:
    """The sit-and-gos that fill, free ones first, then the cheapest."""
    found = tournaments_seen(reader).filter(phase=Phase.REGISTERING, starts_at__isnull=True)
    return list(_listed(found).order_by("fee_cents", "created_at", "pk"))


def announced(reader: int | None, most: int | None = None) -> list[Tournament]:
    """The tournaments with a time that have not begun, the next one first; `most` of them."""
    found = tournaments_seen(reader).filter(phase=Phase.REGISTERING, starts_at__isnull=False)
    return list(_listed(found).order_by("starts_at", "pk")[:most])


def possible_targets(reader: int | None) -> QuerySet[Tournament]:
    """The tournaments of which another one can be a satellite, the next one first."""
    found = tournaments_seen(reader).filter(phase=Phase.REGISTERING, fee_cents__gt=0)
    return found.filter(starts_at__isnull=False).order_by("starts_at", "pk")


def running(reader: int | None) -> list[Tournament]:
    """The tournaments that are being played, the newest first."""
    found = tournaments_seen(reader).filter(phase=Phase.RUNNING)
    return list(_listed(found).order_by("-drawn_at", "pk"))


def running_count(reader: int | None) -> int:
    """How many tournaments are being played."""
    return tournaments_seen(reader).filter(phase=Phase.RUNNING).count()


def finished(reader: int | None) -> list[Tournament]:
    """The last ones that are over, those that were called off left out."""
    found = tournaments_seen(reader).filter(phase=Phase.OVER)
    return list(_listed(found).order_by("-ended_at", "pk")[:FINISHED_MOST])


def entered_by(user_id: int, *, all_of_them: bool = False) -> list[Tournament]:
    """The open tournaments that a person entered; or all, and those they hold; the newest first."""
    entries = Entry.objects.filter(user=user_id, withdrawn_at__isnull=True)
    entered = Q(pk__in=entries.values("tournament"))
    mine = entered | Q(founder=user_id) if all_of_them else entered & Q(phase__in=OPEN)
    found = Tournament.objects.filter(mine)
    return list(_listed(found).order_by("-created_at")[: 2 * FINISHED_MOST])


def tournament_get(tournament_id: UUID, reader: int | None) -> Tournament | None:
    """The tournament with its founder, or None where there is none that this reader sees."""
    return with_entries(tournaments_seen(reader)).filter(pk=tournament_id).first()


def entries_of(tournament: Tournament) -> list[Entry]:
    """The entries that stand, in the order in which they came."""
    found = Entry.objects.filter(tournament=tournament, withdrawn_at__isnull=True)
    return list(found.select_related("user", "won_in").order_by("number"))


def meetings_of(tournament: Tournament) -> dict[int, Meeting]:
    """The meetings by number, with tables and matches."""
    found = Meeting.objects.filter(tournament=tournament, undone=False)
    tables = Prefetch("table", Table.objects.only("id", "state", "phase", "seq"))
    rows = found.select_related("match", "tournament").prefetch_related(tables)
    return {meeting.number: meeting for meeting in rows}


def calls_of(user_id: int) -> list[Meeting]:
    """The meetings that this person is called to, or plays now.

    Every page asks, and most people have none: one short query says so.
    """
    with read_cursor(Meeting) as cursor:
        cursor.execute(_MEETS, {"person": user_id})
        (meets,) = cursor.fetchone()
    if not meets:
        return []
    waiting = Meeting.objects.filter(
        decided_at__isnull=True, undone=False, tournament__phase=Phase.RUNNING
    )
    mine = waiting.filter(Q(player_0=user_id) | Q(player_1=user_id))
    return list(mine.select_related("tournament", "player_0", "player_1").order_by("due_at"))


def tournament_of_table(table_id: UUID, reader: int | None) -> Tournament | None:
    """The tournament whose match is played at this table, if it is one's that this reader sees."""
    meetings = Meeting.objects.filter(table=table_id)
    return tournaments_seen(reader).filter(pk__in=meetings.values("tournament")).first()


def score_of(meeting: Meeting) -> Score | None:
    """The score of a meeting by seat, running or ended; None before the match.

    Points beyond the length of the match are left out: a gammon wins 1 : 0 in a match to 1.
    """
    match = meeting.match
    if match is None:
        return None
    if match.ended_at is not None:
        return match.score_shown if match.score else None
    assert meeting.table is not None
    running = table_state(meeting.table).match
    return None if running is None else _within(running.score, meeting.tournament)


def _within(score: Sequence[int], tournament: Tournament) -> Score:
    length = int(tournament.terms["length"])
    return min(score[0], length), min(score[1], length)


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
