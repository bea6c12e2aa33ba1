"""The desk's first page: what waits, and whether the books are in order."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.deletions import deletions_held
from games.models import Match
from games.services.dice.statistics import statistics_latest
from kit.requests import SignedInRequest
from kit.sweeps import Stuck
from ledger import selectors_desk
from ledger.selectors import house_totals
from pasch.desk.access import desk_page
from pasch.staff.digests import PILES

LISTED = 5


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
            "piles": [
                (pile, pile.rows(user).count()) for pile in PILES if user.has_perm(pile.right)
            ],
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
