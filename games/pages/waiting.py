"""Playing at once: with whoever waits for a free game, else with the house bot until one comes."""

from collections.abc import Mapping
from math import ceil
from typing import Any, Final
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts.guests import person_of
from accounts.models import User
from games.forms.practice import opponent_name
from games.live.presence import person_seen
from games.models import Table
from games.modes.registry import by_key
from games.modes.terms import CLOCKS, Terms
from games.offered import free_game, rules_offered
from games.pages.practice import person_or_guest
from games.pages.words import terms_words
from games.selectors import (
    has_finished_a_match,
    prices_read_once,
    table_state,
    terms_offered,
)
from games.selectors_lobby import Sought, tables_open, terms_of
from games.services.guests import GuestPlaysAlready
from games.services.lobby import LobbyPairing, quick_pair
from games.services.stand_ins import (
    offer_accept,
    offer_seconds,
    search_end,
    stand_in_of,
    stand_in_open,
    table_of_yes,
)
from games.services.tables import OneOpenTable
from games.table.errors import TableError
from kit.plain_text import is_uuid
from kit.sentences import sentence

#: how well the bot plays that takes the place of a person; the first one for those who are new.
BOT_STRENGTH: Final = "intermediate"
FIRST_BOT_STRENGTH: Final = "beginner"


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
    return seated(request, pairing)


def seated(request: HttpRequest, pairing: LobbyPairing) -> HttpResponse:
    """Redirect to the game that has begun, else to one with the house bot until somebody comes."""
    table = pairing.table
    if pairing.found or table.stake_cents:
        return redirect("table", table_id=table.pk)
    return _bot_sits_down(request, table)


def _clock(user: User, game: Mapping[str, Any]) -> str:
    """The clock of the person who waits longest for such a game; without one the normal clock."""
    clocks = {terms_offered(**game, clock=clock): clock for clock in CLOCKS}
    alike = Sought(game["mode"], game.get("variant", ""), stake_cents_most=0).fits
    for _table, terms in terms_of(tables_open().filter(alike).exclude(opener=user.pk)):
        if terms in clocks:
            return clocks[terms]
    return "normal"


def _bot_sits_down(request: HttpRequest, table: Table) -> HttpResponse:
    """Redirect to a game with the house bot, whose player waits at this table meanwhile."""
    user = table.opener
    new = not has_finished_a_match(user.pk)
    strength = FIRST_BOT_STRENGTH if new else BOT_STRENGTH
    wishes = _bots_game(table_state(table).terms, new=new)
    try:
        game = stand_in_open(user=user, table_id=table.pk, strength=strength, **wishes)
    except GuestPlaysAlready as error:
        return redirect("table", table_id=error.fields["table"])
    except TableError as error:
        messages.error(request, sentence(error))
        return redirect("home")
    if game is None:
        table.refresh_from_db()
        return redirect("home") if table.guest_id is None else redirect("table", table_id=table.pk)
    return redirect("table", table_id=game.pk)


def _bots_game(terms: Terms, *, new: bool) -> dict[str, Any]:
    """The wishes for a game with the bot in place of these terms; a new player's has no cube."""
    wishes: dict[str, Any] = {"variant": terms.variant}
    if terms.contest == "points" and not terms.series:
        wishes["points"] = terms.target_points
    fields = {rule.field for rule in rules_offered(by_key("practice"), terms.variant)}
    return {**wishes, "has_cube": False} if new and "has_cube" in fields else wishes


# --- being asked ----------------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
def seat_offer(request: HttpRequest) -> HttpResponse:
    """Show or answer what the reader is asked while they play the house bot.

    A GET is the part of the table's page that says whether somebody is looked for or has come, and
    after an answer (`answered`) why that was refused.
    """
    person_id = person_of(request)
    if person_id is None:
        raise Http404
    person_seen(person_id)
    if request.method == "POST":
        return _answered(request, person_id)
    said = messages.get_messages(request) if "answered" in request.GET else ()
    shown = {"offer": offer_shown(person_id), "refusals": said}
    response = render(request, "games/seat_offer.html", shown)
    response["Cache-Control"] = "no-store"
    return response


def offer_shown(person_id: int) -> dict[str, Any] | None:
    """The words for a player who waits with the house bot, on its page; None for others.

    `goes_to`: the table at which the other has sat down, after this player's yes.
    """
    stand_in = stand_in_of(person_id)
    if stand_in is None:
        goes_to = table_of_yes(person_id)
        if goes_to is None:
            return None
        other = goes_to.people[1 if goes_to.opener_id == person_id else 0]
        return {"goes_to": goes_to, "person": other}
    seconds = ceil(offer_seconds(stand_in))
    offered = stand_in.offered if seconds else None
    return {
        "bot": stand_in.game.people[1]["name"],
        "level": opponent_name(stand_in.game.people[1]["plays_as"]),
        "seconds": seconds,
        "table": offered,
        "accepted": stand_in.accepted,
        "person": offered and offered.people[0],
        "terms": offered and terms_words(table_state(offered).terms),
    }


def _answered(request: HttpRequest, person_id: int) -> HttpResponse:
    """Say yes to the person who was offered, or stay and wait no longer."""
    stand_in = stand_in_of(person_id)
    here = reverse("home") if stand_in is None else reverse("table", args=[stand_in.game_id])
    table_id = request.POST.get("accept", "")
    try:
        if not is_uuid(table_id):
            search_end(person_id)
            return redirect(here)
        table = offer_accept(user=person_or_guest(request), table_id=UUID(table_id))
    except TableError as error:
        messages.info(request, sentence(error))
        return redirect(here)
    return redirect(here) if table is None else redirect("table", table_id=table.pk)
