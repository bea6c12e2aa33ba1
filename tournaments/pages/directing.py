"""The decisions of a director of a free tournament."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from games.services.people import Person
from kit.errors import Refusal
from kit.requests import SignedInRequest
from kit.sentences import sentence
from tournaments.engine.state import Pairing, TournamentState
from tournaments.models import Meeting
from tournaments.selectors import tournament_get
from tournaments.services.directing import meeting_award, meeting_correct, tournament_call_off

Json = dict[str, Any]


def decisions(
    state: TournamentState, meetings: dict[int, Meeting], people: dict[int, Person]
) -> Json:
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


def _row(pairing: Pairing, people: dict[int, Person]) -> Json:
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
    about: Json = {"director": request.user, "tournament_id": tournament_id}
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
