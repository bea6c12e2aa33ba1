"""Chouettes at the desk: the games that run, and voiding one that hangs."""

from typing import Final
from uuid import UUID

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import path
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from games.chouette.models import Game
from games.chouette.services.playing import GameCase
from games.desk.deciding import decision, paid_lines
from games.services.administration import may_decide
from kit.requests import SignedInRequest
from ledger.desk.access import desk_page
from ledger.desk.proposals import proposal_rows
from ledger.desk.registry import DeskPart, Group, MenuPage, ProposalWords
from ledger.selectors import reference_entries
from ledger.selectors_desk import journal, proposals_waiting

ROWS = 25


@desk_page("games.view_match")
@require_safe
def chouettes(request: SignedInRequest) -> HttpResponse:
    """List games of chouettes: those that run, the oldest first, or the voided ones."""
    voided = request.GET.get("state") == "voided"
    games = Game.objects.select_related("box", "captain", "circle")
    if voided:
        games = games.filter(voided=True).order_by("-ended_at")
    else:
        games = games.filter(ended_at=None).order_by("started_at")
    page = Paginator(games, ROWS).get_page(request.GET.get("page"))
    return render(request, "desk/chouettes.html", {"page": page, "voided": voided})


@desk_page("games.view_match")
@require_safe
def chouette(request: SignedInRequest, game_id: UUID) -> HttpResponse:
    """Show one game: its players and stakes, its last event, its entries, and the decision."""
    found = get_object_or_404(Game.objects.select_related("box", "circle"), pk=game_id)
    shares = found.shares.select_related("user").order_by("-stake_cents", "pk")
    rights = request.user.get_all_permissions()
    waiting = proposals_waiting(rights, subject=found.reference)
    context = {
        "game": found,
        "shares": shares,
        "last_event": found.circle.events.order_by("-seq").first(),
        "entries": reference_entries(found.reference),
        "journal": journal(subject=found.reference),
        "proposals": proposal_rows(waiting, request.user),
        "may_decide": may_decide(GameCase(game_id), request.user),
    }
    return render(request, "desk/chouette.html", context)


urlpatterns = [
    path("chouettes/", chouettes, name="chouettes"),
    path("chouettes/<uuid:game_id>/", chouette, name="chouette"),
    path(
        "chouettes/<uuid:row_key>/decision/",
        decision,
        {"key": "chouette"},
        name="chouette_decision",
    ),
]

PART: Final = DeskPart(
    urls="games.chouette.desk",
    menu=(MenuPage(Group.MATCHES, 2, "chouettes", gettext_lazy("Chouettes"), "games.view_match"),),
    verbs={"chouette.void": gettext_lazy("voided a game of a chouette")},
    proposals={
        "chouette.void": ProposalWords(gettext_lazy("Void a game of a chouette"), paid_lines)
    },
)
