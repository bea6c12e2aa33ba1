"""Chouettes at the desk: the games that run, and voiding one that hangs."""

from typing import Final
from uuid import UUID

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render, resolve_url
from django.urls import path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from games.chouette.models import Game
from games.chouette.services.voiding import VOID, game_void, may_decide, stakes_by_player
from games.services.administration import PERMISSION
from kit.requests import SignedInRequest
from ledger.desk.access import desk_page, second_factor_at
from ledger.desk.decisions import alone_context, decide_with, done_or_waits
from ledger.desk.forms import ReasonForm
from ledger.desk.proposals import proposal_rows
from ledger.desk.registry import DeskPart, Group, Lines, MenuPage, ProposalWords
from ledger.models import Proposal
from ledger.selectors import reference_entries
from ledger.selectors_desk import journal, proposals_waiting
from ledger.templatetags.credits import credits_text

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
        "may_decide": may_decide(request.user, found),
        "form": ReasonForm(),
        **alone_context(request, max((each.stake_cents for each in shares), default=0)),
    }
    return render(request, "desk/chouette.html", context)


@desk_page(PERMISSION)
@require_POST
def void(request: SignedInRequest, game_id: UUID) -> HttpResponse:
    """End a running game as void, or propose it to a second person."""
    get_object_or_404(Game, pk=game_id)
    form = ReasonForm(request.POST)
    return decide_with(
        request,
        form,
        lambda: game_void(
            game_id=game_id,
            actor=request.user,
            reason=form.cleaned_data["reason"],
            verified_at=second_factor_at(request),
        ),
        done=lambda proposal_id: done_or_waits(
            proposal_id, _("Voided: every stake is back, and nobody wins or loses a point.")
        ),
        back=resolve_url("desk:chouette", game_id),
    )


def _lines(proposal: Proposal) -> Lines:
    game = Game.objects.get(pk=proposal.subject.removeprefix("chouette:"))
    stakes = stakes_by_player(game)
    people = User.objects.in_bulk(stakes)
    return [
        (_("%(name)s gets") % {"name": people[player].get_username()}, credits_text(cents))
        for player, cents in stakes.items()
    ]


urlpatterns = [
    path("chouettes/", chouettes, name="chouettes"),
    path("chouettes/<uuid:game_id>/", chouette, name="chouette"),
    path("chouettes/<uuid:game_id>/void/", void, name="chouette_void"),
]

PART: Final = DeskPart(
    urls="games.chouette.desk",
    menu=(MenuPage(Group.MATCHES, 2, "chouettes", gettext_lazy("Chouettes"), "games.view_match"),),
    verbs={"chouette.void": gettext_lazy("voided a game of a chouette")},
    proposals={VOID: ProposalWords(gettext_lazy("Void a game of a chouette"), _lines)},
)
