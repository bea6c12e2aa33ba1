"""The dice of a match as files: its record, and the sealed envelope of the game to come."""

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe

from games.pages.archive import match_seen
from games.selectors import table_get
from games.services.dice.records import envelope, match_record
from kit.requests import SignedInRequest


@require_safe
def match_dice(request: HttpRequest, match_id: UUID) -> HttpResponse:
    """The record of a match's dice, for people who may see the match."""
    match = match_seen(request, match_id)
    return _file(match_record(match), f"dice-{match.pk}.json")


@require_safe
@login_required
def dice_envelope(request: SignedInRequest, table_id: UUID) -> HttpResponse:
    """The house's secrets of the next game, encrypted, for the players at the table.

    The envelope exists until the first roll of that game.
    """
    table = table_get(table_id)
    sealed = None if table is None else envelope(table, request.user.pk)
    if sealed is None:
        raise Http404
    return _file(sealed, f"envelope-{sealed['game']}.json")


def _file(told: dict[str, object], name: str) -> JsonResponse:
    response = JsonResponse(told, json_dumps_params={"indent": 1})
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
