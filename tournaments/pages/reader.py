"""The reader of a tournament: their call, their place, and what they do."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from games import settlement
from games.services.running import minutes_text
from kit.database import database_now_ms
from kit.errors import Refusal
from kit.requests import SignedInRequest
from kit.sentences import sentence
from tournaments.engine.state import TournamentState
from tournaments.models import Entry, Meeting, Phase, Tournament
from tournaments.pages.words import places_text
from tournaments.selectors import calls_of, tournament_get
from tournaments.services.entering import meeting_ready, tournament_enter, tournament_withdraw
from tournaments.services.running import pool_of
from tournaments.services.words import name_of

Json = dict[str, Any]


def about_reader(
    found: Tournament, state: TournamentState, mine: Entry | None, user_id: int | None
) -> Json:
    """The part of the page's context that is about the reader."""
    call = _call(found, user_id)
    balance_cents = settlement.balance_cents(user_id) if user_id else None
    return {
        "entry": mine,
        "call": call,
        "opponent": _opponent(call, user_id),
        "call_left_ms": _left_ms(call),
        "call_left": minutes_text(_left_ms(call)),
        "i_am_ready": _is_ready(call, user_id),
        "my_place": places_text(mine.first_place, mine.last_place) if mine else "",
        "my_change_cents": (mine.prize_cents or 0) - found.fee_cents if mine else 0,
        "my_seat": _seat(found, state, user_id),
        "in_the_race": mine is not None and _in_the_race(state, user_id),
        "balance_cents": balance_cents,
        "affordable": (balance_cents or 0) >= found.fee_cents,
        "reader": user_id,
    }


def _seat(found: Tournament, state: TournamentState, user_id: int | None) -> str:
    """Whether the seat that the reader won here was taken or paid; empty where they won none."""
    if user_id is None or found.satellite_of_id is None or found.phase != Phase.OVER:
        return ""
    if user_id not in pool_of(found, len(state.entrants)).winners_of_seats(state.ranks):
        return ""
    taken = Entry.objects.filter(tournament=found.satellite_of_id, user=user_id, won_in=found)
    return "taken" if taken.exists() else "paid"


def _call(found: Tournament, user_id: int | None) -> Meeting | None:
    """The reader's meeting that waits or is played."""
    if user_id is None or found.phase != Phase.RUNNING:
        return None
    return next((each for each in calls_of(user_id) if each.tournament_id == found.pk), None)


def _opponent(call: Meeting | None, user_id: int | None) -> str:
    if call is None or user_id is None:
        return ""
    other = call.player_1 if call.player_0_id == user_id else call.player_0
    return other.get_username()


def _left_ms(call: Meeting | None) -> int:
    if call is None or call.table_id is not None:
        return 0
    return max(0, int(call.due_at.timestamp() * 1000) - database_now_ms())


def _is_ready(call: Meeting | None, user_id: int | None) -> bool:
    if call is None or user_id is None:
        return False
    return call.ready_0 if call.player_0_id == user_id else call.ready_1


def _in_the_race(state: TournamentState, user_id: int | None) -> bool:
    """Whether the reader may still be paired: they have not withdrawn, nor lost too often."""
    if user_id is None or user_id in state.withdrawn or state.phase != "running":
        return False
    losses = state.losses[user_id]
    most = {"knockout": 1, "double": 2, "lives": state.terms.lives}.get(state.terms.format)
    return most is None or losses < most


@login_required
@require_POST
def act(request: SignedInRequest, tournament_id: UUID) -> HttpResponse:
    """Enter, withdraw, or come to one's match."""
    if tournament_get(tournament_id, request.user.pk) is None:
        raise Http404
    address = redirect("tournament", tournament_id=tournament_id)
    wish = request.POST.get("wish", "")
    try:
        if wish == "enter":
            part = request.POST.get("part", "")
            tournament_enter(user=request.user, tournament_id=tournament_id, part=part)
        elif wish == "withdraw":
            tournament_withdraw(user=request.user, tournament_id=tournament_id)
        elif wish == "ready":
            meeting = meeting_ready(user=request.user, tournament_id=tournament_id)
            if meeting.table_id is not None:
                return redirect("table", table_id=meeting.table_id)
    except Refusal as error:
        messages.error(request, sentence(error))
    return address


@login_required
@require_GET
def calls(request: SignedInRequest) -> HttpResponse:
    """The matches that the reader is called to; every page fetches them."""
    return render(request, "tournaments/calls.html", {"calls": call_rows(request.user.pk)})


def call_rows(user_id: int) -> list[Json]:
    """The called matches whose tables are not open yet, with the time that is left."""
    return [
        {
            "id": call.tournament_id,
            "name": name_of(call.tournament),
            "opponent": _opponent(call, user_id),
            "left_ms": _left_ms(call),
            "left": minutes_text(_left_ms(call)),
            "key": f"{call.tournament_id}:{call.number}",
        }
        for call in calls_of(user_id)
        if call.table_id is None
    ]
