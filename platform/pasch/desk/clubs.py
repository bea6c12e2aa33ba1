"""Names and descriptions of clubs: what was reported, and what moderators take away."""

from collections.abc import Iterable
from uuid import UUID

from django import forms
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render, resolve_url
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from accounts.requests import SignedInRequest
from games.forms.names import REASON_NAMES
from ledger.selectors_desk import journal
from pasch.desk.access import desk_page
from pasch.desk.decisions import decide_with
from pasch.desk.forms import ReasonForm, reason_field
from tournaments.models import Club, ClubRemoval, ClubReport
from tournaments.pages.words import CLUB_OUTCOMES
from tournaments.services.club_words import (
    club_decide,
    club_restore,
    may_judge,
    own_clubs,
    words_shown,
)

ROWS = 25
EARLIER = 20


class ClubDecisionForm(forms.Form):
    """A decision about name and description, exactly as they were shown, with a reason."""

    outcome = forms.ChoiceField(
        label=gettext_lazy("What follows"),
        choices=[*CLUB_OUTCOMES.items()],
        widget=forms.RadioSelect,
    )
    shown = forms.CharField(max_length=64, widget=forms.HiddenInput)
    reason = reason_field()


@desk_page("games.view_chatreport")
@require_safe
def clubs(request: SignedInRequest) -> HttpResponse:
    """List reports of clubs: the open ones, the oldest first, or all."""
    everything = request.GET.get("state") == "all"
    rows = ClubReport.objects.select_related("reporter")
    rows = rows.order_by("-made_at") if everything else rows.filter(outcome="").order_by("made_at")
    page = Paginator(rows, ROWS).get_page(request.GET.get("page"))
    context = {"page": page, "rows": _shown(page, request.user), "everything": everything}
    return render(request, "desk/clubs.html", context)


@desk_page("games.view_chatreport")
@require_safe
def club(request: SignedInRequest, club_id: UUID) -> HttpResponse:
    """Show what a club says of itself, who reported it, and what was taken away before."""
    found = get_object_or_404(Club.objects.select_related("founder"), pk=club_id)
    reports = found.reports.select_related("reporter").order_by("-made_at")[:EARLIER]
    removals = found.removals.select_related("taken_by").order_by("-taken_at")[:EARLIER]
    context = {
        "club": found,
        "reports": _shown(reports, request.user),
        "removals": [(each, ReasonForm(auto_id=f"back_{each.pk}_%s")) for each in removals],
        "may_judge": may_judge(request.user, found),
        "form": ClubDecisionForm(initial={"shown": words_shown(found)}),
        "journal": journal(subject=f"club:{found.pk}"),
    }
    return render(request, "desk/club.html", context)


@desk_page("games.decide_chatreport")
@require_POST
def decide_club(request: SignedInRequest, club_id: UUID) -> HttpResponse:
    """Close the reports of a club, and take away what offends."""
    get_object_or_404(Club, pk=club_id)
    form = ClubDecisionForm(request.POST)
    return decide_with(
        request,
        form,
        lambda: club_decide(actor=request.user, club_id=club_id, **form.cleaned_data),
        done=_("Decided."),
        back=resolve_url("desk:club", club_id),
    )


@desk_page("games.decide_chatreport")
@require_POST
def restore(request: SignedInRequest, removal_id: int) -> HttpResponse:
    """Give back what was taken away."""
    removal = get_object_or_404(ClubRemoval, pk=removal_id)
    form = ReasonForm(request.POST)
    return decide_with(
        request,
        form,
        lambda: club_restore(
            actor=request.user, removal_id=removal_id, reason=form.cleaned_data["reason"]
        ),
        done=_("Given back."),
        back=resolve_url("desk:club", removal.club_id),
    )


def _shown(reports: Iterable[ClubReport], viewer: User) -> list[dict[str, object]]:
    """The reports; people of a club do not see who reported it and in which words."""
    own = own_clubs(viewer)
    return [
        {
            "report": each,
            "reporter": None if hidden else each.reporter,
            "words": "" if hidden else each.words,
            "reason_words": REASON_NAMES.get(each.reason, each.reason),
            "outcome_words": CLUB_OUTCOMES.get(each.outcome, each.outcome),
        }
        for each in reports
        for hidden in [each.club_id in own]
    ]
