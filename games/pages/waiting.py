"""Playing at once: with whoever waits for a free game, else with the house bot after a while."""

from collections.abc import Mapping
from typing import Any, Final
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts.guests import person_of
from accounts.models import User
from games.forms.practice import level_in_words
from games.live.presence import people_online, person_seen
from games.models import Table
from games.modes.registry import by_key
from games.modes.terms import CLOCKS, Terms
from games.offered import free_game, rules_offered
from games.pages.practice import person_or_guest
from games.pages.words import terms_words
from games.selectors import matches_begun, prices_read_once, table_get, table_state, terms_offered
from games.selectors_lobby import Sought, tables_sought, terms_of
from games.services.guests import GuestPlaysAlready
from games.services.lobby import LobbyPairing, quick_pair
from games.services.practice import practice_open
from games.services.tables import OneOpenTable, table_close
from games.table.errors import TableError
from kit.sentences import sentence

#: after so many seconds without an opponent the bot begins by itself (sooner where nobody else
#: is in the house), or is offered.
BOT_BEGINS_SECONDS: Final = 10
BOT_BEGINS_ALONE_SECONDS: Final = 1
BOT_OFFERED_SECONDS: Final = 30

#: how well the bot plays that takes the place of a person.
BOT_STRENGTH: Final = "intermediate"
GUESTS_BOT_STRENGTH: Final = "beginner"

#: the session's word for the table that waits for the game that is played at once.
SESSION_KEY: Final = "plays at once"


@require_POST
@prices_read_once()
def play_now(request: HttpRequest) -> HttpResponse:
    """Play the usual free game of the house at once; a stranger does so as a guest."""
    game = free_game()
    if game is None:
        messages.error(request, _("The house does not offer a table on these terms."))
        return redirect("lobby")
    try:
        user = person_or_guest(request)
        pairing = quick_pair(user=user, **game, clock=_clock(user, game))
    except GuestPlaysAlready as error:
        messages.info(request, sentence(error))
        return redirect("table", table_id=error.fields["table"])
    except OneOpenTable as error:
        messages.info(request, sentence(error))
        return redirect("lobby")
    except TableError as error:
        messages.error(request, sentence(error))
        return redirect("home")
    if not pairing.found:
        request.session[SESSION_KEY] = str(pairing.table.pk)
    return seated(pairing)


def seated(pairing: LobbyPairing) -> HttpResponse:
    """Redirect to the game that has begun, or to the page on which its player waits for it."""
    if pairing.found or pairing.table.stake_cents:
        return redirect("table", table_id=pairing.table.pk)
    return redirect("table_wait", table_id=pairing.table.pk)


def bot_strength(user: User) -> str:
    """The level of the bot that takes the place of a person: a guest meets a weaker one."""
    return GUESTS_BOT_STRENGTH if user.is_guest else BOT_STRENGTH


def _clock(user: User, game: Mapping[str, Any]) -> str:
    """The clock of the person who waits longest for such a game; without one the normal clock."""
    clocks = {terms_offered(**game, clock=clock): clock for clock in CLOCKS}
    alike = tables_sought(Sought(game["mode"], game.get("variant", ""), stake_cents_most=0))
    for _table, terms in terms_of(alike.exclude(opener=user.pk)):
        if terms in clocks:
            return clocks[terms]
    return "normal"


@require_http_methods(["GET", "HEAD", "POST"])
def wait(request: HttpRequest, table_id: UUID) -> HttpResponse:
    """Wait for an opponent of a free game; play the bot instead, or stop waiting.

    htmx asks whether somebody sat down: the answer is then a redirect to the table.
    """
    person_id = person_of(request)
    table = table_get(table_id)
    if table is None or person_id is None or person_id != table.opener_id:
        raise Http404
    if request.method == "POST":
        return _instead(request, table)
    person_seen(person_id)
    asked_again = bool(request.headers.get("HX-Request"))
    if table.phase != "open":
        address = _address_after(table)
        return HttpResponse(headers={"HX-Redirect": address}) if asked_again else redirect(address)
    if asked_again:
        return HttpResponse(status=204)
    return render(request, "games/table_wait.html", _context(request, table))


def _address_after(table: Table) -> str:
    """The address of a match that has begun; of a table that was closed, the home page."""
    return reverse("home") if table.guest_id is None else reverse("table", args=[table.pk])


def _context(request: HttpRequest, table: Table) -> dict[str, object]:
    begins = request.session.get(SESSION_KEY) == str(table.pk)
    alone = people_online(2) == [table.opener_id]
    seconds = BOT_BEGINS_ALONE_SECONDS if alone else BOT_BEGINS_SECONDS
    seconds = seconds if begins else BOT_OFFERED_SECONDS
    waited = (timezone.now() - table.created_at).total_seconds()
    return {
        "table": table,
        "terms": terms_words(table_state(table).terms),
        "bot_begins": begins,
        "alone": alone,
        "seconds": max(0, seconds - int(waited)),
        "bot": level_in_words(bot_strength(table.opener)),
    }


def _instead(request: HttpRequest, table: Table) -> HttpResponse:
    """Close the table and begin with the bot, unless somebody has just sat down there.

    After a second press, or one in another tab, the table is closed already; the home page then
    shows the game with the bot.
    """
    user = table.opener
    try:
        table_close(user=user, table_id=table.pk)
    except TableError:
        table.refresh_from_db()
        return redirect(_address_after(table))
    if request.POST.get("instead") != "bot":
        return redirect("home")
    try:
        game = practice_open(
            user=user, strength=bot_strength(user), **_bots_game(user, table_state(table).terms)
        )
    except TableError as error:
        messages.error(request, sentence(error))
        return redirect("home")
    return redirect("table", table_id=game.pk)


def _bots_game(user: User, terms: Terms) -> dict[str, Any]:
    """The wishes for a game with the bot in place of one on these terms.

    Somebody's first game has neither clock nor cube.
    """
    wishes: dict[str, Any] = {"clock": terms.clock, "variant": terms.variant}
    if matches_begun(user.pk):
        return wishes
    fields = {rule.field for rule in rules_offered(by_key("practice"), terms.variant)}
    return {**wishes, "clock": "none", **({"has_cube": False} if "has_cube" in fields else {})}
