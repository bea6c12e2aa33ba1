"""One tournament: entering, playing, directing it, its bracket and podium; how all of them work."""

from hashlib import sha256
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST, require_safe

from games.services.people import Person, people_of
from kit.errors import Refusal
from kit.requests import SignedInRequest
from kit.sentences import sentence
from tournaments.engine.state import Pairing, TournamentState
from tournaments.models import Entry, Meeting, Phase, Tournament
from tournaments.pages.bracket import BracketDrawing
from tournaments.pages.calendar import places_rows, row_of, sides_rows
from tournaments.pages.reader import about_reader
from tournaments.pages.words import BRACKETS, BYES, EXPLAINED, explained, line_of, places_text
from tournaments.pools import USUAL_SHARES
from tournaments.selectors import entries_of, meetings_of, tournament_get
from tournaments.services.directing import (
    may_direct,
    meeting_award,
    meeting_correct,
    tournament_call_off,
)
from tournaments.services.running import GRACE, pool_of, side_winners
from tournaments.services.store import state_of, table_terms_of, terms_of
from tournaments.services.words import FORMATS, name_of


def decisions(
    state: TournamentState, meetings: dict[int, Meeting], people: dict[int, Person]
) -> dict[str, Any]:
    """The matches that can be awarded, as nobody plays them yet, and the results of others."""
    pairings = [state.pairings[number] for number in sorted(state.pairings, reverse=True)]
    called = [
        each
        for each in pairings
        if each.winner is None
        and each.number in meetings
        and meetings[each.number].match_id is None
    ]
    decided = [each for each in pairings if each.winner is not None]
    return {
        "called": [_row(each, people) for each in called],
        "decided": [_row(each, people) for each in decided],
    }


def _row(pairing: Pairing, people: dict[int, Person]) -> dict[str, Any]:
    return {
        "number": pairing.number,
        "players": [(player, people[player]["name"]) for player in pairing.players],
        "winner": pairing.winner,
    }


@login_required
@require_POST
def direct(request: SignedInRequest, tournament_id: UUID) -> HttpResponse:
    """Award a match, correct a result, or call the tournament off."""
    if tournament_get(tournament_id, request.user.pk) is None:
        raise Http404
    wish = request.POST.get("wish", "")
    number, winner = (_whole(request.POST.get(name, "")) for name in ("number", "winner"))
    about: dict[str, Any] = {"director": request.user, "tournament_id": tournament_id}
    try:
        if wish == "award":
            meeting_award(**about, number=number, winner_id=winner)
        elif wish == "correct":
            reason = "".join(filter(str.isprintable, request.POST.get("reason", "")))[:500]
            meeting_correct(**about, number=number, winner_id=winner, reason=reason)
        elif wish == "call_off":
            tournament_call_off(**about)
    except Refusal as error:
        messages.error(request, sentence(error))
    return redirect("tournament", tournament_id=tournament_id)


def _whole(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 10 else 0


CHECKERS = (5, 3, 2, 2)


@require_GET
def tournament(request: HttpRequest, tournament_id: UUID) -> HttpResponse:
    """The page of a tournament; for htmx, the part that changes, or nothing where it is as before.

    A player who waits for their match is sent to its table as soon as it is open.
    """
    found = tournament_get(tournament_id, request.user.pk)
    if found is None:
        raise Http404
    context = {**_context(found, request.user.pk), **_about_name(request, found)}
    if not request.headers.get("HX-Request"):
        return render(request, "tournaments/tournament.html", context)
    call = context["call"]
    if request.GET.get("waits") and call is not None and call.table_id is not None:
        return HttpResponse(headers={"HX-Redirect": reverse("table", args=[call.table_id])})
    answer = render(request, "tournaments/tournament_part.html", context)
    return HttpResponse(status=204) if request.GET.get("seen") == context["seen"] else answer


def _context(found: Tournament, user_id: int | None) -> dict[str, Any]:
    entries = entries_of(found)
    state = state_of(found)
    people = people_of([entry.user_id for entry in entries], table_terms_of(found))
    drawing = BracketDrawing(state, meetings_of(found), people, user_id)
    mine = next((entry for entry in entries if entry.user_id == user_id), None)
    pool = pool_of(found, len(entries))
    context: dict[str, Any] = {
        **about_reader(found, state, mine, user_id),
        "tournament": found,
        "row": row_of(found, entered=mine is not None),
        "name": name_of(found),
        "line": line_of(found),
        "explained": explained(terms_of(found)),
        "people": list(people.values()),
        "stages": drawing.stages(),
        "pool": pool,
        "sides": sides_rows(pool, _side_winners(found, state, people)),
        "places": places_rows(pool.of_places()) if found.fee_cents else [],
        "standings": _standings(found, state, entries, people, user_id),
        "podium": _podium(entries, people, user_id) if found.phase == Phase.OVER else [],
    }
    if may_direct(found, user_id):
        context["directing"] = decisions(state, drawing.meetings, people)
    context["seen"] = _seen(context)
    return context


def _about_name(request: HttpRequest, found: Tournament) -> dict[str, Any]:
    """The name that a person gave: whether the reader can report it, and whether it is gone."""
    reader = request.user
    given = found.founder_id is not None
    mine = found.founder_id == reader.pk
    is_person = reader.is_authenticated and not reader.is_guest
    return {
        "may_report": given and bool(found.name) and is_person and not mine,
        "at_desk": given and reader.is_staff and reader.has_perm("games.view_wordsreport"),
        "name_was_taken": mine and not found.name,
    }


def _seen(context: dict[str, Any]) -> str:
    """A short name for everything that changes on the page; clocks run by themselves."""
    cards = [
        (card.state, card.table_id, [(side.name, side.score) for side in card.sides])
        for stage in context["stages"]
        for each in stage.rounds
        for card in each.cards
    ]
    call = context["call"]
    parts = (
        context["name"],
        context["tournament"].phase,
        context["tournament"].seq,
        len(context["people"]),
        call and (call.number, call.table_id),
        context["i_am_ready"],
        context["tournament"].cleared_at,
        cards,
    )
    return sha256(repr(parts).encode()).hexdigest()[:16]


def _side_winners(
    found: Tournament, state: TournamentState, people: dict[int, Person]
) -> list[str]:
    """The names of the winners of the other brackets, "" where there is none; at the end."""
    if found.phase != Phase.OVER:
        return []
    winners = side_winners(state)
    return [str(people[each]["name"]) if each in people else "" for each in winners]


def _standings(
    found: Tournament,
    state: TournamentState,
    entries: list[Entry],
    people: dict[int, Person],
    user_id: int | None,
) -> list[dict[str, Any]]:
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


def _lives(state: TournamentState, player: int) -> range | None:
    """The lives that are left, for formats with lives."""
    if state.terms.format != "lives":
        return None
    left = 0 if player in state.withdrawn else state.terms.lives - state.losses[player]
    return range(max(left, 0))


def _podium(
    entries: list[Entry], people: dict[int, Person], user_id: int | None
) -> list[dict[str, Any]]:
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


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """Show formats, calls, fees and prizes, and how a draw is checked."""
    context = {
        "formats": [
            (FORMATS[key], [EXPLAINED[key], *([BYES] if key in BRACKETS else [])])
            for key in FORMATS
        ],
        "grace_minutes": int(GRACE.total_seconds()) // 60,
        "shares": [(size, [share / 100 for share in shares]) for size, shares in USUAL_SHARES],
    }
    return render(request, "tournaments/rules.html", context)
