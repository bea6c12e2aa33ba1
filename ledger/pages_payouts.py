"""Payouts for players: request one, follow every step, cancel it."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from allauth.core.exceptions import ReauthenticationRequired
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts.access import proved_at
from accounts.selectors import verified_address
from kit.requests import SignedInRequest
from kit.sentences import sentence
from ledger.errors import LedgerError, ProofStale
from ledger.forms import PayoutForm
from ledger.models import OPEN_STATES, Payout, PayoutState
from ledger.payout_states import STATES, WAY
from ledger.selectors import wallet_is_frozen
from ledger.selectors_desk import payouts_of
from ledger.selectors_player import payable, payout_minimum_cents, promo_terms, reason_told
from ledger.services.payouts import payout_cancel, payout_request

PAYOUTS_PER_PAGE = 10


@dataclass(frozen=True, slots=True)
class PayoutStage:
    """One step of the way. `look` is done, good, bad or ahead; `when` is None for what is ahead."""

    label: str | Promise
    look: str
    when: datetime | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class PayoutRow:
    """A payout with its way, as the page shows it."""

    payout: Payout
    stages: tuple[PayoutStage, ...]

    @property
    def open(self) -> bool:
        """Whether it has not ended."""
        return self.payout.state in OPEN_STATES

    @property
    def returns_at_once(self) -> bool:
        """Whether taking it back gives the credits back at once."""
        return self.payout.state == PayoutState.REQUESTED

    @property
    def waits_until(self) -> datetime | None:
        """The time before which a large payout is not paid, while it is in the future."""
        ahead = self.open and self.payout.not_before > timezone.now()
        return self.payout.not_before if ahead else None


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def wallet_payouts(request: SignedInRequest) -> HttpResponse:
    """Show the reader's payouts and the form for a new one; request it when the form is sent.

    Where the reader has not just given the password, a passkey or a second factor, they are asked
    for first, and what was sent is carried out then.
    """
    form = PayoutForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            proof = proved_at(request)
            payout = payout_request(user=request.user, verified_at=proof, **form.cleaned_data)
        except ProofStale as error:
            raise ReauthenticationRequired from error
        except LedgerError as error:
            form.add_error("amount_cents", sentence(error))
        else:
            messages.success(request, _("Your request has arrived. The credits are set aside."))
            return redirect(f"{request.path}#payout-{payout.pk}")
    page = Paginator(payouts_of(request.user.pk), PAYOUTS_PER_PAGE).get_page(
        request.GET.get("page")
    )
    context = {
        "form": form,
        "page": page,
        "rows": [PayoutRow(payout, tuple(_stages(payout))) for payout in page.object_list],
        "payable": payable(request.user.pk),
        "terms": promo_terms(),
        "address": verified_address(request.user),
        "minimum_cents": payout_minimum_cents(),
        "frozen": wallet_is_frozen(request.user.pk),
        "four_eyes": not settings.LEDGER_SINGLE_ADMINISTRATOR,
    }
    return render(request, "ledger/payouts.html", context)


@login_required
@require_POST
def wallet_payout_cancel(request: SignedInRequest, payout_id: int) -> HttpResponse:
    """Cancel a payout of the reader; 404 for another person's."""
    payout = get_object_or_404(payouts_of(request.user.pk), pk=payout_id)
    try:
        payout = payout_cancel(payout_id=payout.pk, user=request.user)
    except LedgerError as error:
        messages.error(request, sentence(error))
    else:
        if payout.state == PayoutState.CANCELLED:
            text = _("Payout withdrawn. The credits are back in your wallet.")
        else:
            text = _(
                "Cancellation requested. If nothing has been paid yet, the administrators will"
                " cancel the payout."
            )
        messages.success(request, text)
    return redirect("wallet_payouts")


def _stages(payout: Payout) -> Iterator[PayoutStage]:
    """The stages that are past, then those still to come."""
    steps = sorted(payout.steps.all(), key=lambda step: step.pk)
    for step in steps:
        state = PayoutState(step.state)
        rule = STATES[state]
        look = "done" if rule.open else "good" if rule.good else "bad"
        yield PayoutStage(state.label, look, step.created_at, reason_told(step))
    if payout.state in OPEN_STATES:
        for state in WAY[WAY.index(PayoutState(payout.state)) + 1 :]:
            yield PayoutStage(state.label, "ahead")
