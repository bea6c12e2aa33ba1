"""One tournament: entering it, playing it, its bracket, its podium."""

from hashlib import sha256
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from accounts.requests import SignedInRequest
from games import settlement
from games.services.moments import database_now_ms
from games.services.running import minutes_text
from games.table.errors import TableError
from tournaments.engine.state import State
from tournaments.models import Entry, Meeting, Phase, Tournament
from tournaments.pages.bracket import Drawing
from tournaments.pages.calendar import places_rows, row_of
from tournaments.pages.directing import decisions
from tournaments.pages.words import EXPLAINED, line_of, name_of, places_text, refused
from tournaments.selectors import (
    Person,
    calls_of,
    entries_of,
    meetings_of,
    people_of,
    tournament_get,
)
from tournaments.services.directing import may_direct
from tournaments.services.entering import meeting_ready, tournament_enter, tournament_withdraw
from tournaments.services.running import pool_of
from tournaments.services.store import engine_of, terms_of

Json = dict[str, Any]
CHECKERS = (5, 3, 2, 2)


@require_GET
def tournament(request: HttpRequest, tournament_id: UUID) -> HttpResponse:
    """The page of a tournament; for htmx, the part that changes, or nothing where it is as before.

    A player who waits for their match is sent to its table as soon as it is open.
    """
    found = tournament_get(tournament_id)
    if found is None:
        raise Http404
    context = _context(found, request.user.pk)
    if not request.headers.get("HX-Request"):
        return render(request, "tournaments/tournament.html", context)
    call = context["call"]
    if request.GET.get("waits") and call is not None and call.table_id is not None:
        return HttpResponse(headers={"HX-Redirect": reverse("table", args=[call.table_id])})
    answer = render(request, "tournaments/tournament_part.html", context)
    return HttpResponse(status=204) if request.GET.get("seen") == context["seen"] else answer


def _context(found: Tournament, user_id: int | None) -> Json:
    entries = entries_of(found)
    engine = engine_of(found)
    people = people_of((entry.user_id for entry in entries), found)
    drawing = Drawing(engine.state, meetings_of(found), people, user_id)
    mine = next((entry for entry in entries if entry.user_id == user_id), None)
    call = _call(found, user_id)
    stages = drawing.stages()
    pool = pool_of(found, len(entries))
    terms = terms_of(found)
    context: Json = {
        "tournament": found,
        "row": row_of(found, entered=mine is not None),
        "name": name_of(found),
        "line": line_of(found),
        "explained": EXPLAINED[terms.format],
        "terms": terms,
        "people": list(people.values()),
        "entry": mine,
        "stages": stages,
        "pool": pool,
        "places": places_rows(pool.of_places()) if found.fee_cents else [],
        "standings": _standings(found, engine.state, entries, people, user_id),
        "podium": _podium(entries, people, user_id) if found.phase == Phase.OVER else [],
        "call": call,
        "opponent": _opponent(call, user_id),
        "call_left_ms": _left_ms(call),
        "call_left": minutes_text(_left_ms(call)),
        "i_am_ready": _is_ready(call, user_id),
        "my_place": places_text(mine.first_place, mine.last_place) if mine else "",
        "my_change_cents": (mine.prize_cents or 0) - found.fee_cents if mine else 0,
        "in_the_race": mine is not None and _in_the_race(engine.state, user_id),
        "balance_cents": settlement.balance_cents(user_id) if user_id else None,
        "reader": user_id,
    }
    if may_direct(found, user_id):
        context["directing"] = decisions(engine.state, drawing.meetings, people)
    context["affordable"] = (context["balance_cents"] or 0) >= found.fee_cents
    context["seen"] = _seen(context)
    return context


def _seen(context: Json) -> str:
    """A short name for everything that changes on the page; clocks run by themselves."""
    cards = [
        (card.state, card.table_id, [(side.name, side.score) for side in card.sides])
        for stage in context["stages"]
        for each in stage.rounds
        for card in each.cards
    ]
    call = context["call"]
    parts = (
        context["tournament"].phase,
        context["tournament"].seq,
        len(context["people"]),
        call and (call.number, call.table_id),
        context["i_am_ready"],
        context["tournament"].cleared_at,
        cards,
    )
    return sha256(repr(parts).encode()).hexdigest()[:16]


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


def _in_the_race(state: State, user_id: int | None) -> bool:
    """Whether the reader may still be paired: they have not withdrawn, nor lost too often."""
    if user_id is None or user_id in state.withdrawn or state.phase != "running":
        return False
    losses = state.losses[user_id]
    most = {"knockout": 1, "double": 2, "lives": state.terms.lives}.get(state.terms.format)
    return most is None or losses < most


def _standings(
    found: Tournament,
    state: State,
    entries: list[Entry],
    people: dict[int, Person],
    user_id: int | None,
) -> list[Json]:
    """Everybody with wins, losses, place and prize; the best first."""
    if found.phase == Phase.REGISTERING:
        return []
    rows = [
        {
            "player": people[entry.user_id],
            "me": entry.user_id == user_id,
            "wins": state.wins[entry.user_id],
            "losses": state.losses[entry.user_id],
            "lives": _lives(state, entry.user_id),
            "gone": entry.user_id in state.withdrawn,
            "place": places_text(entry.first_place, entry.last_place),
            "prize_cents": entry.prize_cents,
            "order": (entry.first_place or 0, -state.wins[entry.user_id]),
        }
        for entry in entries
        if entry.user_id in people
    ]
    if found.phase == Phase.RUNNING:
        return sorted(rows, key=lambda row: (row["gone"], row["losses"], -row["wins"]))
    return sorted(rows, key=lambda row: row["order"])


def _lives(state: State, player: int) -> range | None:
    """The lives that are left, for formats with lives."""
    if state.terms.format != "lives":
        return None
    left = 0 if player in state.withdrawn else state.terms.lives - state.losses[player]
    return range(max(left, 0))


def _podium(entries: list[Entry], people: dict[int, Person], user_id: int | None) -> list[Json]:
    """The first four, each with a stack of checkers."""
    ranked = sorted(
        (each for each in entries if each.first_place), key=lambda each: each.first_place or 0
    )
    return [
        {
            "player": people[entry.user_id],
            "me": entry.user_id == user_id,
            "place": places_text(entry.first_place, entry.last_place),
            "prize_cents": entry.prize_cents,
            "checkers": range(CHECKERS[min((entry.first_place or 1) - 1, 3)]),
        }
        for entry in ranked[:4]
        if entry.user_id in people
    ]


# --- what a player does -----------------------------------------------------------------------


@login_required
@require_POST
def act(request: SignedInRequest, tournament_id: UUID) -> HttpResponse:
    """Enter, withdraw, or come to one's match."""
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
    except TableError as error:
        messages.error(request, refused(error))
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
