"""The name of a tournament: reporting it."""

from functools import partial
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import resolve_url
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from kit.requests import SignedInRequest
from tournaments.pages.reporting import Reported, report_page
from tournaments.selectors import tournament_get
from tournaments.services.titles import title_report


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def report(request: SignedInRequest, tournament_id: UUID) -> HttpResponse:
    """Report the name of a tournament to the moderators; 404 where the house named it."""
    found = tournament_get(tournament_id, request.user.pk)
    if found is None or found.founder_id is None or not found.name:
        raise Http404
    page = Reported(
        title=_("Report a tournament"),
        lead=_("This is about the name of the tournament."),
        name=found.name,
        back=resolve_url("tournament", tournament_id),
        all_of_them=(resolve_url("tournaments"), _("Tournaments")),
    )
    return report_page(request, page, partial(title_report, tournament_id=tournament_id))
