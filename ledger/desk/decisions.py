"""Carrying out decisions of the desk, and showing the result in the reader's language."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.forms import Form
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from kit.errors import Refusal
from kit.requests import SignedInRequest
from kit.sentences import sentence
from ledger.desk.access import second_factor_ask, second_factor_is_fresh
from ledger.errors import SecondFactorStale
from ledger.services.decisions import alone_cents_spent, may_decide_alone

Done = str | Promise | Callable[[Any], str]


def decide(
    request: SignedInRequest,
    action: Callable[[], object],
    *,
    done: Done,
    back: str,
    again: str = "",
) -> HttpResponse:
    """Carry out `action`, show the result and redirect to `back` (one of our addresses).

    `done` is a text, or makes one from the result of the action. A stale second factor redirects
    to the page where it is given, and from there to `again`; any other refusal of the books or the
    table becomes a message and redirects to `again`; without `again` both redirect to `back`. Other
    errors are ours and propagate.
    """
    try:
        outcome = action()
    except SecondFactorStale:
        return second_factor_ask(request, again or back)
    except Refusal as error:
        messages.error(request, sentence(error, staff=True))
        return redirect(again or back)
    messages.success(request, done(outcome) if callable(done) else str(done))
    return redirect(back)


def decide_with(
    request: SignedInRequest,
    form: Form,
    action: Callable[[], object],
    *,
    done: Done,
    back: str,
    again: str = "",
) -> HttpResponse:
    """As `decide`, if the form is valid; otherwise show its errors and do nothing."""
    if not form.is_valid():
        for field, errors in form.errors.items():
            label = form.fields[field].label if field in form.fields else ""
            told = " ".join(map(str, errors))
            messages.error(request, f"{label}: {told}" if label else told)
        return redirect(again or back)
    return decide(request, action, done=done, back=back, again=again)


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
