"""The desk's first page, mails that wait, and showing the second factor."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.deletions import deletions_held
from accounts.mails import mail_retry, mails_waiting
from games.models import Match
from games.services.dice.statistics import statistics_latest
from kit.requests import SignedInRequest
from kit.sweeps import Stuck
from ledger import selectors_desk
from ledger.desk.access import desk_page, second_factor_ask
from ledger.desk.registry import piles_of
from ledger.selectors import house_totals

LISTED = 5
ROWS = 50


@desk_page("accounts.view_user")
@require_safe
def overview(request: SignedInRequest) -> HttpResponse:
    """Show what waits for a decision; each person sees the parts there is a right for."""
    user = request.user
    payouts = totals = audit = in_turns = recent = stops = frozen = None
    if user.has_perm("ledger.view_payout"):
        payouts = selectors_desk.payouts_waiting()
    if user.has_perm("ledger.view_auditrun"):
        totals = house_totals()
        audit, recent = selectors_desk.audit_latest(), selectors_desk.audit_latest_recent()
        in_turns = selectors_desk.audit_latest_in_turns()
    if user.has_perm("ledger.stop_stakes"):
        stops = selectors_desk.stops()
    if user.has_perm("ledger.freeze_account"):
        frozen = selectors_desk.frozen_wallets().order_by("owner__username")
    return render(
        request,
        "desk/overview.html",
        {
            "piles": [(pile, pile.rows(user).count()) for pile in piles_of(user)],
            "payouts": payouts,
            "totals": totals,
            "audit": audit,
            "audit_in_turns": in_turns,
            "audit_recent": recent,
            "stops": stops,
            "frozen": frozen,
            "held": deletions_held(),
            "stuck": Stuck.objects.order_by("since", "pk"),
            "dice": statistics_latest(),
            "running": Match.objects.filter(ended_at=None).count(),
            "listed": LISTED,
        },
    )


@desk_page("accounts.view_user")
@require_POST
def factor(request: SignedInRequest) -> HttpResponse:
    """Send to show the second factor, and from there to `next`, a page of the desk."""
    home, back = reverse("desk:overview"), request.POST.get("next", "")
    inside = back.startswith(home) and url_has_allowed_host_and_scheme(back, allowed_hosts=None)
    return second_factor_ask(request, back if inside else home)


@desk_page("accounts.view_outgoingmail")
@require_safe
def mails(request: SignedInRequest) -> HttpResponse:
    """List what waits; the text of a message is not shown."""
    page = Paginator(mails_waiting().defer("body"), ROWS).get_page(request.GET.get("page"))
    return render(request, "desk/mails.html", {"page": page})


@desk_page("accounts.retry_mail")
@require_POST
def retry(request: SignedInRequest, mail_id: int) -> HttpResponse:
    """Make one mail due now."""
    if mail_retry(mail_id=mail_id):
        messages.success(request, _("The mail goes out with the next run, within a minute."))
    else:
        messages.info(request, _("This mail waits no more: it was sent."))
    return redirect("desk:mails")
