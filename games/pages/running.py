"""The part of the header with the running games, for a page that is open already."""

from collections.abc import Collection
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from accounts.guests import person_of
from games.models import Challenge
from games.selectors import challenges_waiting_for
from games.services.running import running_of


@require_GET
def running(request: HttpRequest) -> HttpResponse:
    """The part of the header with the running games; fetched when one of them changed."""
    person_id = person_of(request)
    besides = _ids(request.GET.getlist("besides"))
    rows = [] if person_id is None else running_of(person_id, besides)
    context = {"running": rows, "challenges": _challenges(request) if besides else []}
    response = render(request, "games/running.html", context)
    response["Cache-Control"] = "no-store"
    return response


def _challenges(request: HttpRequest) -> Collection[Challenge]:
    """The challenges that the reader can answer; a table's page shows them in its header alone."""
    user = request.user
    return challenges_waiting_for(user.pk) if user.is_authenticated else ()


def _ids(texts: list[str]) -> list[UUID]:
    """The ids among these texts; what is no id names no table."""
    found = []
    for text in texts:
        try:
            found.append(UUID(text))
        except ValueError:
            continue
    return found
