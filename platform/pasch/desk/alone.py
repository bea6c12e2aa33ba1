"""Decisions with a stake at the desk: whether one person may take them alone."""

from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from kit.requests import SignedInRequest
from ledger.services.alone import alone_cents_spent, may_decide_alone
from pasch.desk.access import second_factor_is_fresh


def alone_context(request: SignedInRequest, stake_cents: int) -> dict[str, Any]:
    """The context of desk/alone.html, and whether the form before it is shown (`confirmed`)."""
    actor = request.user
    return {
        "stake_cents": stake_cents,
        "confirmed": not stake_cents or second_factor_is_fresh(request),
        "alone": not stake_cents or may_decide_alone(actor, stake_cents, lock=False),
        "alone_cents": alone_cents_spent(actor),
        "limit_cents": settings.LEDGER_ALONE_CENTS,
        "single": settings.LEDGER_SINGLE_ADMINISTRATOR,
    }


def done_or_waits(proposal_id: int | None, done: str) -> str:
    """`done`, or that the decision waits where it became a proposal."""
    if proposal_id is None:
        return done
    return _("Noted. It waits for a second person, who confirms or refuses it.")
