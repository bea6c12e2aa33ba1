"""Credits given and taken by hand: proposed by one, above a limit decided by another."""

from django.conf import settings
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render, resolve_url
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from kit.requests import SignedInRequest
from ledger.models import Adjustment
from ledger.selectors_desk import proposals_waiting
from ledger.services.adjustments import KIND, adjustment_make
from ledger.services.alone import alone_cents_spent
from pasch.desk.access import desk_page, second_factor_at, second_factor_is_fresh
from pasch.desk.decisions import decide
from pasch.desk.forms import AdjustmentForm, new_key
from pasch.desk.proposals import proposal_rows

ROWS = 25


@desk_page("ledger.adjust_credits")
@require_http_methods(["GET", "HEAD", "POST"])
def adjustments(request: SignedInRequest) -> HttpResponse:
    """Make or propose an adjustment; show those that wait and those that were booked."""
    form = AdjustmentForm(
        request.POST if request.method == "POST" else None,
        initial={"key": new_key(), "player": request.GET.get("player", "")},
    )
    if request.method == "POST" and form.is_valid():
        said = form.cleaned_data
        return decide(
            request,
            lambda: adjustment_make(
                actor=request.user,
                user=said["player"],
                amount_cents=said["amount_cents"],
                reason=said["reason"],
                client_key=said["key"],
                verified_at=second_factor_at(request),
            ),
            done=_("Noted. Below you see whether it is booked or waits for a second person."),
            back=resolve_url("desk:adjustments"),
        )
    booked = Adjustment.objects.select_related("user", "proposed_by", "confirmed_by")
    page = Paginator(booked.order_by("-id"), ROWS)
    waiting = proposals_waiting(request.user.get_all_permissions(), kind=KIND)
    context = {
        "form": form,
        "waiting": proposal_rows(waiting, request.user),
        "page": page.get_page(request.GET.get("page")),
        "confirmed": second_factor_is_fresh(request),
        "alone_cents": alone_cents_spent(request.user),
        "limit_cents": settings.LEDGER_ALONE_CENTS,
    }
    return render(request, "desk/adjustments.html", context)
