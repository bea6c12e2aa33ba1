"""Matches at the desk: what happened, what was paid and rated, and what may be decided."""

from typing import Any
from uuid import UUID

from django.core.paginator import Paginator
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from backgammon.rules.position import Position
from games.desk.deciding import Groups, verdict_groups
from games.desk.event_words import event_seat, event_words
from games.desk.evidence import evidence_of
from games.desk.selectors import (
    MatchEventRow,
    match_events,
    matches_found,
    rating_changes,
    state_at,
)
from games.models import Match
from games.prizes import UNCOUNTED
from games.selectors import table_state
from games.table.errors import TableError
from games.table.state import TableState
from kit.requests import SignedInRequest
from ledger.desk.access import desk_page, second_factor_is_fresh
from ledger.desk.proposals import proposal_rows
from ledger.selectors import reference_entries
from ledger.selectors_desk import journal, proposals_waiting

ROWS = 25
_UNCOUNTED = frozenset(ending.value for ending in UNCOUNTED)
STATES = ("running", "ended", "voided")


@desk_page("games.view_match")
@require_safe
def matches(request: SignedInRequest) -> HttpResponse:
    """Find matches by player, id and state."""
    search = request.GET.get("search", "").strip()[:150]
    state = request.GET.get("state", "")
    page = Paginator(matches_found(search, state), ROWS).get_page(request.GET.get("page"))
    context = {"page": page, "search": search, "state": state, "states": STATES}
    return render(request, "desk/matches.html", context)


@desk_page("games.view_match")
@require_safe
def match(request: SignedInRequest, match_id: UUID) -> HttpResponse:
    """Show one match; `seq` chooses the event after which the board is drawn."""
    found = get_object_or_404(
        Match.objects.select_related("table", "player_0", "player_1"), pk=match_id
    )
    players = (found.player_0, found.player_1)
    events = match_events(found)
    seq = _seq(request.GET.get("seq", ""), events)
    context = {
        "match": found,
        "players": players,
        "events": [_event_row(row, players) for row in events],
        "seq": seq,
        "entries": reference_entries(found.reference),
        "changes": rating_changes(found),
        "journal": journal(subject=found.reference),
        "may_decide": request.user.has_perm("games.decide_match")
        and request.user.pk not in found.players,
        "may_void": found.ending not in _UNCOUNTED,
        "verdicts": _verdicts(found, players),
        "proposals": proposal_rows(
            proposals_waiting(request.user.get_all_permissions(), subject=found.reference),
            request.user,
        ),
        "confirmed": second_factor_is_fresh(request),
        **_board(found, seq),
    }
    return render(request, "desk/match.html", context)


@desk_page("games.view_match")
@require_safe
def evidence(request: SignedInRequest, match_id: UUID) -> JsonResponse:
    """Send all that is known of a match as one file, to be kept with a complaint."""
    found = get_object_or_404(Match.objects.select_related("player_0", "player_1"), pk=match_id)
    answer = JsonResponse(evidence_of(found), json_dumps_params={"indent": 1})
    answer["Content-Disposition"] = f'attachment; filename="pasch-match-{found.pk}.json"'
    return answer


def _seq(asked: str, events: list[MatchEventRow]) -> int:
    """The number of the requested event, if the match has it, else of the last."""
    numbers = {row.seq for row in events}
    if not numbers:
        raise Http404
    seq = int(asked) if asked.isdecimal() and len(asked) < 10 else 0
    return seq if seq in numbers else max(numbers)


def _verdicts(found: Match, players: tuple[Any, Any]) -> Groups:
    """The results it may be adjudicated with; none once it is over, or unreadable."""
    if found.ended_at is not None:
        return []
    try:
        return verdict_groups(table_state(found.table), players)
    except (ValueError, AssertionError, TableError):
        return []


def _event_row(row: MatchEventRow, players: tuple[Any, Any]) -> dict[str, Any]:
    seat = event_seat(row.payload)
    return {
        "seq": row.seq,
        "stored_at": row.stored_at,
        "who": players[seat] if seat in (0, 1) else None,
        "seat": seat,
        "words": event_words(row.payload),
    }


def _board(found: Match, seq: int) -> dict[str, Any]:
    """The board after an event, with dice, cube and score; empty where events cannot be read."""
    try:
        state = (
            table_state(found.table) if seq == found.table.seq else state_at(found.table_id, seq)
        )
    except (ValueError, AssertionError):
        return {"unreadable": True}
    if state.game is None or state.match is None:
        return {}
    game = state.game
    position = _position(state)
    return {
        "position": position,
        "variant": state.variant.key,
        "pips": position.pips(),
        "dice": "-".join(map(str, game.dice)) if game.dice else "",
        "on_roll": game.on_roll,
        "cube": game.cube,
        "score": state.match.score,
        "game_number": game.number,
    }


def _position(state: TableState) -> Position:
    """Where the checkers stand, in seat 0's numbering."""
    assert state.game is not None
    game = state.game
    return game.position if game.on_roll == 0 else game.position.turned(state.variant.way)
