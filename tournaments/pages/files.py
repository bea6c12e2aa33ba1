"""The draw to check, and results to take along."""

from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tournaments.engine.state import TournamentState
from tournaments.files import draw_json, results_csv, results_json, results_trf
from tournaments.models import Entry, Tournament
from tournaments.selectors import entries_of, tournament_get
from tournaments.services.naming import name_of
from tournaments.services.store import engine_of


def _found(
    request: HttpRequest, tournament_id: UUID
) -> tuple[Tournament, list[Entry], TournamentState]:
    tournament = tournament_get(tournament_id, request.user.pk)
    if tournament is None:
        raise Http404
    return tournament, entries_of(tournament), engine_of(tournament).state


@require_safe
def draw(request: HttpRequest, tournament_id: UUID) -> HttpResponse:
    """The draw of a tournament; the browser calculates it again."""
    tournament, entries, state = _found(request, tournament_id)
    if tournament.drawn_at is None:
        raise Http404
    names: dict[int, Any] = {entry.user_id: entry.user.get_username() for entry in entries}
    context = {
        "tournament": tournament,
        "name": name_of(tournament),
        "draw": draw_json(tournament, entries, state),
        "order": [names[player] for player in state.order],
    }
    return render(request, "tournaments/draw.html", context)


@require_safe
def file(request: HttpRequest, tournament_id: UUID, kind: str) -> HttpResponse:
    """Results as JSON, CSV or TRF."""
    tournament, entries, state = _found(request, tournament_id)
    if kind == "json":
        return JsonResponse(results_json(tournament, entries, state))
    if kind == "csv":
        text, content_type = results_csv(entries, state), "text/csv; charset=utf-8"
    elif kind == "trf":
        text, content_type = results_trf(tournament, entries, state), "text/plain; charset=utf-8"
    else:
        raise Http404
    headers = {"Content-Disposition": f'attachment; filename="tournament-{tournament.pk}.{kind}"'}
    return HttpResponse(text, content_type=content_type, headers=headers)
