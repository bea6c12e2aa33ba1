"""Reporting the opponent of a match."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from fairplay.complaints import complaint_make, opponent_of
from fairplay.errors import ReportRefused
from fairplay.pages.forms import MatchReportForm
from games.models import Match
from kit.requests import SignedInRequest


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def report(request: SignedInRequest, reported_id: UUID) -> HttpResponse:
    """Ask what happened in this match, and take the report."""
    match = get_object_or_404(Match.objects.select_related("player_0", "player_1"), pk=reported_id)
    try:
        opponent = opponent_of(match, request.user)
    except ReportRefused:
        messages.error(
            request,
            _("Only players of a match can report it, within seven days after its end."),
        )
        return redirect("match", reported_id)
    form = MatchReportForm(request.POST or None)
    if request.method != "POST" or not form.is_valid():
        context = {"match": match, "opponent": opponent, "form": form}
        return render(request, "fairplay/report.html", context)
    try:
        complaint_make(match=match, reporter=request.user, **form.cleaned_data)
    except ReportRefused:
        messages.error(request, _("You have reached today’s limit for reports."))
        return redirect("match", reported_id)
    messages.success(request, _("Thank you. Here you can see what becomes of your report."))
    return redirect("fairplay_mine")
