"""Names of tournaments: what was reported, and what moderators take away."""

from functools import partial
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render, resolve_url
from django.views.decorators.http import require_POST, require_safe

from kit.requests import SignedInRequest
from ledger.selectors_desk import journal
from pasch.desk.access import desk_page
from pasch.desk.named import NameDecisionForm, decided, earlier, given_back, in_state, reports_shown
from tournaments.models import Tournament, TournamentRemoval, TournamentReport
from tournaments.pages.words import TITLE_OUTCOMES
from tournaments.services.judging import own_clubs
from tournaments.services.naming import title_of
from tournaments.services.titles import (
    is_own,
    may_judge,
    title_decide,
    title_restore,
    title_shown,
)


@desk_page("games.view_chatreport")
@require_safe
def titles(request: SignedInRequest) -> HttpResponse:
    """List reports of tournaments: the open ones, the oldest first, or those that are decided."""
    found = TournamentReport.objects.select_related("reporter", "tournament")
    state, page = in_state(request, found)
    clubs = own_clubs(request.user)
    rows = reports_shown(
        page,
        TITLE_OUTCOMES,
        lambda each: (
            each.tournament.founder_id == request.user.pk or each.tournament.club_id in clubs
        ),
    )
    context = {"page": page, "rows": rows, "state": state}
    return render(request, "desk/titles.html", context)


@desk_page("games.view_chatreport")
@require_safe
def title(request: SignedInRequest, tournament_id: UUID) -> HttpResponse:
    """Show what a tournament is called, who reported it, and what was taken away before."""
    named = Tournament.objects.filter(founder__isnull=False).select_related("founder", "club")
    found = get_object_or_404(named, pk=tournament_id)
    own = is_own(request.user, found)
    context = {
        "tournament": found,
        "name": title_of(found),
        "decide_at": resolve_url("desk:title_decide", tournament_id),
        **earlier(found, TITLE_OUTCOMES, lambda _each: own, "desk:title_restore"),
        "may_judge": may_judge(request.user, found),
        "form": NameDecisionForm(TITLE_OUTCOMES, shown=title_shown(found)),
        "journal": journal(subject=found.reference),
    }
    return render(request, "desk/title.html", context)


@desk_page("games.decide_chatreport")
@require_POST
def decide_title(request: SignedInRequest, tournament_id: UUID) -> HttpResponse:
    """Close the reports of a tournament's name, and take the name away if it offends."""
    get_object_or_404(Tournament, pk=tournament_id)
    service = partial(title_decide, tournament_id=tournament_id)
    return decided(request, TITLE_OUTCOMES, service, resolve_url("desk:title", tournament_id))


@desk_page("games.decide_chatreport")
@require_POST
def restore(request: SignedInRequest, removal_id: int) -> HttpResponse:
    """Give a name back."""
    removal = get_object_or_404(TournamentRemoval, pk=removal_id)
    service = partial(title_restore, removal_id=removal_id)
    return given_back(request, service, resolve_url("desk:title", removal.tournament_id))
