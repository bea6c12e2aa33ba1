"""Reading chouettes."""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from games.chouette.models import Circle, Place
from games.chouette.services.opening import places_free
from games.chouette.services.store import state_of, terms_of

LISTED_MOST = 60


def chouette_get(circle_id: UUID) -> Circle | None:
    """The table with this id."""
    return Circle.objects.filter(pk=circle_id).first()


def place_of(user_id: int | None) -> UUID | None:
    """The table at which this person sits."""
    if user_id is None:
        return None
    sat = Place.objects.filter(user=user_id, stood_up_at=None, is_bot=False)
    return sat.values_list("circle_id", flat=True).first()


def circles_of(user_id: int) -> list[UUID]:
    """Every table at which this person sits or ever sat."""
    sat = Place.objects.filter(user=user_id, is_bot=False)
    return list(sat.values_list("circle_id", flat=True).distinct())


def people_seated() -> QuerySet[Place, int]:
    """The numbers of all who sit at an open table, without house bots."""
    seated = Place.objects.filter(stood_up_at=None, is_bot=False, circle__closed_at=None)
    return seated.values_list("user_id", flat=True)


def tables_open(reader: int | None) -> list[dict[str, Any]]:
    """The open tables as the list shows them: the reader's own first, then those with room."""
    circles = Circle.objects.filter(closed_at=None).order_by("created_at")
    rows = [_row(circle, reader) for circle in circles.prefetch_related("places__user")]
    rows.sort(key=lambda row: (not row["is_mine"], row["is_full"]))
    return rows[:LISTED_MOST]


def _row(circle: Circle, reader: int | None) -> dict[str, Any]:
    state, terms = state_of(circle), terms_of(circle)
    places = [place for place in circle.places.all() if place.stood_up_at is None]
    free = places_free(state)
    return {
        "id": circle.pk,
        "names": [place.user.get_username() for place in places],
        "people_count": len(places),
        "places_free": free,
        "rate_cents": circle.rate_cents,
        "limit_cents": circle.limit_cents,
        "game": state.games,
        "is_mine": any(place.user_id == reader for place in places),
        "is_full": free == 0,
        "consulting": terms.consulting,
        "cubes": terms.cubes,
        "lone_taker": terms.lone_taker,
        "jacoby": terms.jacoby,
        "beavers": terms.beavers,
        "bots": sum(place.is_bot for place in places),
    }
