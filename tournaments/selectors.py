"""Reading tournaments. Nothing here locks; what is read may have changed before it is shown."""

from collections.abc import Iterable
from typing import Any, Final
from uuid import UUID

from django.contrib.auth import get_user_model
from django.db.models import Count, Prefetch, Q, QuerySet

from games import settlement
from games.models import Table
from games.selectors import table_state
from tournaments.models import OPEN, Entry, Meeting, Phase, Tournament
from tournaments.services.store import table_terms_of

FINISHED_MOST: Final = 30

Person = dict[str, Any]
Score = tuple[int, int]


def with_entries(found: QuerySet[Tournament]) -> QuerySet[Tournament]:
    """The tournaments with `taken`: how many entries they have."""
    taken = Count("entries", filter=Q(entries__withdrawn_at__isnull=True))
    return found.select_related("founder", "club").annotate(taken=taken)


def filling() -> list[Tournament]:
    """The sit-and-gos that fill, free ones first, then the cheapest."""
    found = Tournament.objects.filter(phase=Phase.REGISTERING, starts_at__isnull=True)
    return list(with_entries(found).order_by("fee_cents", "created_at", "pk"))


def announced() -> list[Tournament]:
    """The tournaments with a time that have not begun, the next one first."""
    found = Tournament.objects.filter(phase=Phase.REGISTERING, starts_at__isnull=False)
    return list(with_entries(found).order_by("starts_at", "pk"))


def running() -> list[Tournament]:
    """The tournaments that are being played, the newest first."""
    found = Tournament.objects.filter(phase=Phase.RUNNING)
    return list(with_entries(found).order_by("-drawn_at", "pk"))


def finished() -> list[Tournament]:
    """The last ones that are over, those that were called off left out."""
    found = Tournament.objects.filter(phase=Phase.OVER)
    return list(with_entries(found).order_by("-ended_at", "pk")[:FINISHED_MOST])


def entered_by(user_id: int, *, all_of_them: bool = False) -> list[Tournament]:
    """The open tournaments of a person, or all that they entered; the newest first."""
    entries = Entry.objects.filter(user=user_id, withdrawn_at__isnull=True)
    found = Tournament.objects.filter(pk__in=entries.values("tournament"))
    if not all_of_them:
        found = found.filter(phase__in=OPEN)
    return list(with_entries(found).order_by("-created_at")[: 2 * FINISHED_MOST])


def tournament_get(tournament_id: UUID) -> Tournament | None:
    """The tournament with its founder, or None."""
    return with_entries(Tournament.objects.all()).filter(pk=tournament_id).first()


def entries_of(tournament: Tournament) -> list[Entry]:
    """The entries that stand, in the order in which they came."""
    found = Entry.objects.filter(tournament=tournament, withdrawn_at__isnull=True)
    return list(found.select_related("user").order_by("number"))


def meetings_of(tournament: Tournament) -> dict[int, Meeting]:
    """The meetings by number, with tables and matches."""
    found = Meeting.objects.filter(tournament=tournament, undone=False)
    tables = Prefetch("table", Table.objects.only("id", "state", "phase", "seq"))
    rows = found.select_related("match").prefetch_related(tables)
    return {meeting.number: meeting for meeting in rows}


def calls_of(user_id: int) -> list[Meeting]:
    """The meetings that this person is called to, or plays now."""
    waiting = Meeting.objects.filter(
        decided_at__isnull=True, undone=False, tournament__phase=Phase.RUNNING
    )
    mine = waiting.filter(Q(player_0=user_id) | Q(player_1=user_id))
    return list(mine.select_related("tournament", "player_0", "player_1").order_by("due_at"))


def score_of(meeting: Meeting) -> Score | None:
    """The score of a meeting by seat, running or ended; None before the match."""
    match = meeting.match
    if match is None:
        return None
    if match.ended_at is not None:
        return (match.score[0], match.score[1]) if match.score else None
    assert meeting.table is not None
    running = table_state(meeting.table).match
    return None if running is None else (running.score[0], running.score[1])


def people_of(user_ids: Iterable[int], tournament: Tournament) -> dict[int, Person]:
    """Name, rating and strength of these people, in the pool of the tournament's matches."""
    ids = list(user_ids)
    terms = table_terms_of(tournament)
    pool = settlement.rating_pool(variant=terms.game_key, stake_cents=terms.stake_cents)
    standings = settlement.standings(ids, pool)
    return {
        user.pk: {
            "id": user.pk,
            "name": user.get_username(),
            "elo": None if user.is_guest else standings[user.pk].whole,
            "strength": None if user.is_guest else standings[user.pk].strength,
        }
        for user in get_user_model().objects.filter(pk__in=ids)
    }
