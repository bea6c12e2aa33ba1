"""Credits given and taken by hand: proposed by one, above a limit decided by another."""

from django.conf import settings
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render, resolve_url
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from kit.requests import SignedInRequest
from ledger import services
from ledger.models import Adjustment
from ledger.selectors_desk import adjustments_waiting
from ledger.services.alone import alone_cents_spent
from pasch.desk.access import desk_page, second_factor_at, second_factor_is_fresh
from pasch.desk.decisions import decide, decide_with
from pasch.desk.forms import AdjustmentForm, ReasonForm, new_key

ROWS = 25


@desk_page("ledger.adjust_credits")
@require_http_methods(["GET", "HEAD", "POST"])
def adjustments(request: SignedInRequest) -> HttpResponse:
    """Propose an adjustment, and see those that wait and those that were."""
    form = AdjustmentForm(
        request.POST if request.method == "POST" else None,
        initial={"key": new_key(), "player": request.GET.get("player", "")},
    )
    if request.method == "POST" and form.is_valid():
        said = form.cleaned_data
        return decide(
            request,
            lambda: services.adjustment_propose(
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
    past = Adjustment.objects.exclude(state="proposed").order_by("-id")
    page = Paginator(past.select_related("user", "proposed_by", "decided_by"), ROWS)
    context = {
        "form": form,
        "waiting": adjustments_waiting(),
        "page": page.get_page(request.GET.get("page")),
        "refuse_form": ReasonForm(),
        "confirmed": second_factor_is_fresh(request),
        "alone_cents": alone_cents_spent(request.user),
        "limit_cents": settings.LEDGER_ALONE_CENTS,
    }
    return render(request, "desk/adjustments.html", context)


@desk_page("ledger.adjust_credits")
@require_POST
def approve(request: SignedInRequest, adjustment_id: int) -> HttpResponse:
    """Second person: book it."""
    get_object_or_404(Adjustment, pk=adjustment_id)
    return decide(
        request,
        lambda: services.adjustment_approve(
            adjustment_id=adjustment_id,
            actor=request.user,
            verified_at=second_factor_at(request),
        ),
        done=_("Booked."),
        back=resolve_url("desk:adjustments"),
    )


@desk_page("ledger.adjust_credits")
@require_POST
def refuse(request: SignedInRequest, adjustment_id: int) -> HttpResponse:
    """Second person: no."""
    get_object_or_404(Adjustment, pk=adjustment_id)
    form = ReasonForm(request.POST)
    return decide_with(
        request,
        form,
        lambda: services.adjustment_refuse(
            adjustment_id=adjustment_id,
            actor=request.user,
            reason=form.cleaned_data["reason"],
            verified_at=second_factor_at(request),
        ),
        done=_("Refused. Nothing was booked."),
        back=resolve_url("desk:adjustments"),
    )
