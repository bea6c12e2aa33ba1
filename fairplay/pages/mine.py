"""Everything that fair play says about a player, for that player."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from fairplay import settlement
from fairplay.holding import prolonged_because
from fairplay.mine import mine as found_for
from fairplay.mine import role_in
from fairplay.models import CaseKind, PartyRole
from fairplay.pages.words import STATES
from kit.requests import SignedInRequest


@never_cache
@login_required
@require_safe
def mine(request: SignedInRequest) -> HttpResponse:
    """Cases, held credits, bars, the record at tables, and what became of reports."""
    found = found_for(request.user)
    context = {
        "mine": found,
        "cases": [
            {
                "case": case,
                "state": STATES[case.state],
                "is_accused": role_in(case, request.user) == PartyRole.ACCUSED,
            }
            for case in found.cases
        ],
        "holds": [
            (hold, CaseKind(hold.reason_class).label, prolonged_because(hold.reference))
            for hold in settlement.holds_of(request.user.pk)
        ],
    }
    return render(request, "fairplay/mine.html", context)
