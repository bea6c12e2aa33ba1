"""The home page: the reader's running games, or the ways to play, to learn and to watch."""

from itertools import islice
from typing import Any, Final

import msgspec
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from accounts.guests import person_of
from analysis.pages.exercise_shown import drawn_question
from analysis.pages.exercise_words import asked_words
from analysis.training.house_set import of_day, today
from analysis.training.tasks import task_of_exercise
from backgammon.rules.variants import by_key
from fairplay.leavers import FAULTS
from games.live.presence import people_online_count
from games.models import Match
from games.offered import free_game
from games.pages.counts import played_count
from games.pages.tiles import WaysChosen, tiles
from games.pages.watch import board_of, played_row, tables_watchable
from games.selectors import match_ended_last, matches_begun, prices_read_once
from games.services.running import running_of
from games.table.view import board_view
from kit.requests import SignedInRequest
from ledger.selectors_player import welcome_cents
from pasch.pages.continuing import card_of
from pasch.pages.member_home import member_context
from pasch.pages.rules import house_facts

#: as many of the tables that are played now are shown, on boards.
SHOWN_MAX: Final = 3

#: the game on the board of the page.
FIRST_GAME: Final = "backgammon"

Row = dict[str, Any]


@require_safe
@prices_read_once()
def home(request: HttpRequest) -> HttpResponse:
    """Show a member their games and their day, others a running game or the ways to play."""
    person_id = person_of(request)
    running = [] if person_id is None else running_of(person_id)
    if request.user.is_authenticated:
        context = member_context(request, request.user, running)
        return render(request, "pasch/home_member.html", {**context, "plays_at_once": _at_once()})
    games = [row for row in running if "state" in row]
    others = (row for row in tables_watchable(2 * SHOWN_MAX) if person_id not in row["player_ids"])
    played = list(islice(others, SHOWN_MAX))
    context = {
        "running_games": running,
        "own": [card_of(game) for game in games],
        "board": msgspec.to_builtins(board_view(by_key(FIRST_GAME).start)),
        "tiles": [] if games else tiles(person_id, WaysChosen(), None),
        "plays_at_once": _at_once(),
        "played": [played_row(row) for row in played],
        "views": {str(row["id"]): {"view": board_of(row), "seat": None} for row in played},
        "last": (last := None if played else match_ended_last()),
        "last_fault": _fault(last),
        "people_count": people_online_count(),
        "played_count": played_count(),
        "day": _position_of_the_day(),
        "welcome_cents": welcome_cents(),
        **house_facts(),
    }
    return render(request, "pasch/home.html", context)


def _position_of_the_day() -> Row | None:
    """The position as it is drawn, with what is asked; None in a house without exercises."""
    row = of_day(today())
    if row is None:
        return None
    task = task_of_exercise(row)
    return {**drawn_question(task), "asked": asked_words(task)}


def _at_once() -> bool:
    """Return True if the house has a free game for one press."""
    return free_game() is not None


@login_required
@require_safe
def welcome(request: SignedInRequest) -> HttpResponse:
    """Lead a new account to its home page, with the games that it brought along as a guest."""
    kept = matches_begun(request.user.pk)
    if kept:
        text = ngettext(
            "%(games)s game as a guest is kept in your account.",
            "%(games)s games as a guest are kept in your account.",
            kept,
        )
        messages.success(request, text % {"games": kept})
    return redirect("home")


def _fault(match: Match | None) -> str:
    """The winner of a match that the other one forfeited, whose score says nothing; else empty."""
    if match is None or match.winner_seat is None or match.ending not in FAULTS:
        return ""
    winner = (match.player_0, match.player_1)[match.winner_seat]
    return _("%(name)s won by forfeit.") % {"name": winner.get_username()}
