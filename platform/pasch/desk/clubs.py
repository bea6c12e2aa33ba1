"""Names and descriptions of clubs: what was reported, and what moderators take away."""

from functools import partial
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render, resolve_url
from django.views.decorators.http import require_POST, require_safe

from kit.requests import SignedInRequest
from ledger.selectors_desk import journal
from pasch.desk.access import desk_page
from pasch.desk.named import NameDecisionForm, decided, earlier, given_back, in_state, reports_shown
from tournaments.models import Club, ClubRemoval, ClubReport
from tournaments.pages.words import CLUB_OUTCOMES
from tournaments.services.club_words import club_decide, club_restore, may_judge, words_shown
from tournaments.services.judging import own_clubs


@desk_page("games.view_chatreport")
@require_safe
def clubs(request: SignedInRequest) -> HttpResponse:
    """List reports of clubs: the open ones, the oldest first, or those that are decided."""
    state, page = in_state(request, ClubReport.objects.select_related("reporter"))
    own = own_clubs(request.user)
    rows = reports_shown(page, CLUB_OUTCOMES, lambda each: each.club_id in own)
    context = {"page": page, "rows": rows, "state": state}
    return render(request, "desk/clubs.html", context)


@desk_page("games.view_chatreport")
@require_safe
def club(request: SignedInRequest, club_id: UUID) -> HttpResponse:
    """Show what a club says of itself, who reported it, and what was taken away before."""
    found = get_object_or_404(Club.objects.select_related("founder"), pk=club_id)
    own = own_clubs(request.user)
    context = {
        "club": found,
        "name": found.name,
        "decide_at": resolve_url("desk:club_decide", club_id),
        **earlier(found, CLUB_OUTCOMES, lambda _each: club_id in own, "desk:club_restore"),
        "may_judge": may_judge(request.user, found),
        "form": NameDecisionForm(CLUB_OUTCOMES, shown=words_shown(found)),
        "journal": journal(subject=f"club:{found.pk}"),
    }
    return render(request, "desk/club.html", context)


@desk_page("games.decide_chatreport")
@require_POST
def decide_club(request: SignedInRequest, club_id: UUID) -> HttpResponse:
    """Close the reports of a club, and take away what offends."""
    get_object_or_404(Club, pk=club_id)
    service = partial(club_decide, club_id=club_id)
    return decided(request, CLUB_OUTCOMES, service, resolve_url("desk:club", club_id))


@desk_page("games.decide_chatreport")
@require_POST
def restore(request: SignedInRequest, removal_id: int) -> HttpResponse:
    """Give back what was taken away."""
    removal = get_object_or_404(ClubRemoval, pk=removal_id)
    service = partial(club_restore, removal_id=removal_id)
    return given_back(request, service, resolve_url("desk:club", removal.club_id))
