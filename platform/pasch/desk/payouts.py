"""Payouts at the desk: one administrator approves, a second one settles."""

from django.conf import settings
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render, resolve_url
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from ledger import services
from ledger.models import OPEN_STATES, Payout, PayoutState
from ledger.selectors import reference_entries, wallet_balance
from ledger.selectors_desk import journal
from pasch.desk.access import desk_page, second_factor_ask, second_factor_at
from pasch.desk.decisions import decide_with
from pasch.desk.forms import ApprovalForm, ReasonForm, ReceiptForm
from pasch.desk.selectors import payouts_listed

ROWS = 25
WAITING = "waiting"


@desk_page("ledger.view_payout")
@require_safe
def payouts(request: HttpRequest) -> HttpResponse:
    """List payouts: those that wait, or all of one state."""
    state = request.GET.get("state", WAITING)
    rows = payouts_listed(state)
    if state == WAITING:
        rows = rows.filter(state__in=OPEN_STATES).order_by("id")
    page = Paginator(rows, ROWS).get_page(request.GET.get("page"))
    context = {"page": page, "state": state, "states": PayoutState.choices}
    return render(request, "desk/payouts.html", context)


@desk_page("ledger.view_payout")
@require_safe
def payout(request: HttpRequest, payout_id: int) -> HttpResponse:
    """Show one payout with its steps, and the decisions this reader may take about it."""
    found = get_object_or_404(Payout.objects.select_related("user", "approved_by"), pk=payout_id)
    may_decide = request.user.has_perm("ledger.decide_payout") and found.user_id != request.user.pk
    is_open = found.state in OPEN_STATES
    waits = timezone.now() < found.not_before
    own_approval = found.four_eyes and found.approved_by_id == request.user.pk
    context = {
        "payout": found,
        "steps": found.steps.select_related("actor", "mail").order_by("id"),
        "entries": reference_entries(found.reference),
        "journal": journal(subject=found.reference),
        "balance_cents": wallet_balance(found.user_id),
        "earlier": payouts_listed("").filter(user=found.user_id).exclude(pk=found.pk)[:5],
        "is_open": is_open,
        "may_decide": may_decide,
        "own_approval": own_approval,
        "waits": waits,
        "confirmed": _confirmed(request),
        "may_approve": found.state == PayoutState.REQUESTED,
        "may_settle": found.state == PayoutState.APPROVED and not own_approval and not waits,
        "may_fail": found.state == PayoutState.APPROVED,
        "approval_form": ApprovalForm(auto_id="approve_%s"),
        "receipt_form": ReceiptForm(auto_id="settle_%s"),
        "decline_form": ReasonForm(auto_id="decline_%s"),
        "fail_form": ReasonForm(auto_id="fail_%s"),
    }
    return render(request, "desk/payout.html", context)


@desk_page("ledger.decide_payout")
@require_POST
def confirm(request: HttpRequest, payout_id: int) -> HttpResponse:
    """Send to show the second factor, and come back to this payout."""
    return second_factor_ask(request, resolve_url("desk:payout", payout_id))


@desk_page("ledger.decide_payout")
@require_POST
def approve(request: HttpRequest, payout_id: int) -> HttpResponse:
    """First administrator: it is right."""
    get_object_or_404(Payout, pk=payout_id)
    form = ApprovalForm(request.POST)
    return decide_with(
        request,
        form,
        lambda: services.payout_approve(
            payout_id=payout_id,
            actor=request.user,
            verified_at=second_factor_at(request),
            reason=form.cleaned_data["reason"],
        ),
        done=_("Approved. Another administrator settles it."),
        back=resolve_url("desk:payout", payout_id),
    )


@desk_page("ledger.decide_payout")
@require_POST
def settle(request: HttpRequest, payout_id: int) -> HttpResponse:
    """Second administrator: it has been paid."""
    get_object_or_404(Payout, pk=payout_id)
    form = ReceiptForm(request.POST)
    return decide_with(
        request,
        form,
        lambda: services.payout_settle(
            payout_id=payout_id,
            actor=request.user,
            verified_at=second_factor_at(request),
            receipt=form.cleaned_data["receipt"],
        ),
        done=_("Settled. The player is told."),
        back=resolve_url("desk:payout", payout_id),
    )


@desk_page("ledger.decide_payout")
@require_POST
def decline(request: HttpRequest, payout_id: int) -> HttpResponse:
    """No; the credits go back."""
    get_object_or_404(Payout, pk=payout_id)
    form = ReasonForm(request.POST)
    return decide_with(
        request,
        form,
        lambda: services.payout_decline(
            payout_id=payout_id,
            actor=request.user,
            verified_at=second_factor_at(request),
            reason=form.cleaned_data["reason"],
        ),
        done=_("Declined. The credits are back in the wallet."),
        back=resolve_url("desk:payout", payout_id),
    )


@desk_page("ledger.decide_payout")
@require_POST
def fail(request: HttpRequest, payout_id: int) -> HttpResponse:
    """The approved payment did not arrive; the credits go back."""
    get_object_or_404(Payout, pk=payout_id)
    form = ReasonForm(request.POST)
    return decide_with(
        request,
        form,
        lambda: services.payout_fail(
            payout_id=payout_id,
            actor=request.user,
            verified_at=second_factor_at(request),
            reason=form.cleaned_data["reason"],
        ),
        done=_("Noted as failed. The credits are back in the wallet."),
        back=resolve_url("desk:payout", payout_id),
    )


def _confirmed(request: HttpRequest) -> bool:
    """Tell whether the second factor was shown lately enough for a decision."""
    shown = second_factor_at(request)
    if shown is None:
        return False
    allowed = settings.LEDGER_SECOND_FACTOR_SECONDS
    return (timezone.now() - shown).total_seconds() <= allowed
