"""The front door: what the house is, a board that can be played at once, and who is here now."""

from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.guests import guest_of
from games.forms.practice import PracticeForm
from games.live.whereabouts import people_online
from games.models import Table
from games.pages.words import terms_words
from games.rules.variants import by_key
from games.selectors import (
    prices,
    table_state,
    tables_open,
    tables_played,
    tables_running_of,
)
from games.table.view import board_view
from pasch.pages import price_of, rake_percent

#: as many of the tables that are played now are shown; among so many they are looked for.
SHOWN_MAX: Final = 4
LOOKED_AT_MAX: Final = 40

#: more people than this are not counted one by one.
COUNTED_MAX: Final = 1_000

#: the game that one press begins.
FIRST_GAME: Final = "backgammon"


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Say what the house is to somebody who has never been here, and let him play at once."""
    context = {
        "form": PracticeForm(auto_id="first_%s"),
        "first_game": FIRST_GAME,
        "board": board_view(by_key(FIRST_GAME).start),
        "running": _running(request),
        **_now(),
        "example": price_of(prices().prize_stakes_cents[0]),
        "rake_percent": rake_percent(),
        "welcome_cents": settings.LEDGER_WELCOME_CENTS,
    }
    return render(request, "pasch/home.html", context)


def _running(request: HttpRequest) -> Table | None:
    """The game that a guest has begun and not ended."""
    guest = None if request.user.is_authenticated else guest_of(request.session)
    return tables_running_of(guest.pk).first() if guest is not None else None


def _now() -> dict[str, Any]:
    """How many people are here, and the tables that anybody may watch."""
    played = tables_played()
    watchable = [row for table in played[:LOOKED_AT_MAX] if (row := _row(table))]
    return {
        "people_count": len(people_online(COUNTED_MAX)),
        "played_count": played.count(),
        "open_count": tables_open().count(),
        "played": watchable[:SHOWN_MAX],
    }


def _row(table: Table) -> dict[str, Any] | None:
    """A table with its two players and the score; nothing where watchers are not welcome."""
    state = table_state(table)
    if not state.terms.watchers or state.match is None:
        return None
    return {
        "id": table.pk,
        "players": table.people,
        "score": state.match.score,
        "stake_cents": table.stake_cents,
        **terms_words(state.terms),
    }
