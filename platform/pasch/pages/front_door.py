"""The home page: what the house is, a board to play on at once, and the number of people online."""

from itertools import islice
from typing import Any, Final

import msgspec
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.guests import guest_of
from games.forms.practice import PracticeForm
from games.live.whereabouts import people_online
from games.models import Table
from games.pages.watch import tables_watchable
from games.rules.variants import by_key
from games.selectors import (
    prices_read_once,
    tables_open,
    tables_played,
    tables_running_of,
)
from games.table.view import board_view
from pasch.pages.rules import house_facts

#: as many of the tables that are played now are shown.
SHOWN_MAX: Final = 4

#: more people than this are not counted one by one.
COUNTED_MAX: Final = 1_000

#: the game that one press begins.
FIRST_GAME: Final = "backgammon"


@require_safe
@prices_read_once()
def home(request: HttpRequest) -> HttpResponse:
    """Introduce the house to new visitors, who can play at once."""
    context = {
        "form": PracticeForm.of({}, auto_id="first_%s"),
        "first_game": FIRST_GAME,
        "board": msgspec.to_builtins(board_view(by_key(FIRST_GAME).start)),
        "running": _running(request),
        **_now(),
        **house_facts(),
        "welcome_cents": settings.LEDGER_WELCOME_CENTS,
    }
    return render(request, "pasch/home.html", context)


def _running(request: HttpRequest) -> Table | None:
    """The game that a guest has begun and not ended."""
    guest = None if request.user.is_authenticated else guest_of(request.session)
    return tables_running_of(guest.pk).first() if guest is not None else None


def _now() -> dict[str, Any]:
    """How many people are here, and the tables that anybody may watch."""
    return {
        "people_count": len(people_online(COUNTED_MAX)),
        "played_count": tables_played().count(),
        "open_count": tables_open().count(),
        "played": list(islice(tables_watchable(), SHOWN_MAX)),
    }
