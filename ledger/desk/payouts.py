"""Payouts at the desk: one administrator approves, a second one takes the payout and pays it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django import forms
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render, resolve_url
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from kit.requests import SignedInRequest
from ledger.desk.access import desk_page, second_factor_at, second_factor_is_fresh
from ledger.desk.decisions import Done, decide_with
from ledger.desk.forms import NOTE_LENGTH, REASON_LENGTH, ReasonForm
from ledger.desk.registry import origins_of
from ledger.models import CLAIM_TIME, OPEN_STATES, Payout, PayoutState
from ledger.payout_states import STATES, StateRule
from ledger.selectors import reference_entries, wallet_is_frozen
from ledger.selectors_desk import journal, payouts_listed
from ledger.selectors_player import payable
from ledger.services.payouts import (
    payout_approve,
    payout_cancel_asked,
    payout_claim,
    payout_decline,
    payout_fail,
    payout_settle,
)

ROWS = 25
WAITING = "waiting"


class ApprovalForm(forms.Form):
    """An approval may carry a remark; it needs one where something is `marked`."""

    reason = forms.CharField(
        label=gettext_lazy("Remark"),
        max_length=REASON_LENGTH,
        required=False,
        error_messages={
            "required": gettext_lazy("These credits are marked: say in the remark what you found.")
        },
    )

    def __init__(self, *args: Any, marked: bool = False, **kwargs: Any) -> None:
        """Require the remark where credits are marked."""
        super().__init__(*args, **kwargs)
        self.fields["reason"].required = marked


class ReceiptForm(forms.Form):
    """A payment with its receipt."""

    receipt = forms.CharField(
        label=gettext_lazy("Receipt"),
        max_length=NOTE_LENGTH,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        help_text=gettext_lazy("How it was paid: the number of the transfer, for instance."),
    )


@desk_page("ledger.view_payout")
@require_safe
def payouts(request: SignedInRequest) -> HttpResponse:
    """List payouts: those that wait, or all of one state."""
    state = request.GET.get("state", WAITING)
    rows = payouts_listed(state)
    if state == WAITING:
        rows = rows.filter(state__in=OPEN_STATES).order_by("id")
    page = Paginator(rows, ROWS).get_page(request.GET.get("page"))
    context = {"page": page, "state": state, "states": PayoutState.choices}
    return render(request, "desk/payouts.html", context)


@dataclass(frozen=True, slots=True)
class Choices:
    """The actions a reader may take on a payout, and what holds it up."""

    payout: Payout
    reader: User
    frozen: bool

    @property
    def is_open(self) -> bool:
        """Whether anything is left to decide."""
        return self.payout.state in OPEN_STATES

    @property
    def may_decide(self) -> bool:
        """Whether the reader decides about payouts, and about this one."""
        has_right = self.reader.has_perm("ledger.decide_payout")
        return has_right and self.payout.user_id != self.reader.pk

    @property
    def waits(self) -> bool:
        """Whether it is too early to pay it."""
        return timezone.now() < self.payout.not_before

    @property
    def own_approval(self) -> bool:
        """Whether the reader approved it, so that another person must pay."""
        return self.payout.four_eyes and self.payout.approved_by_id == self.reader.pk

    @property
    def mine(self) -> bool:
        """Whether the reader took it to pay it."""
        return self.is_paying and self.payout.claimed_by_id == self.reader.pk

    @property
    def is_paying(self) -> bool:
        """Whether it has been taken for payment."""
        return self.payout.state == PayoutState.PAYING

    @property
    def approve(self) -> bool:
        """Whether it can be approved."""
        return self._may_become(PayoutState.APPROVED)

    @property
    def claim(self) -> bool:
        """Whether the reader can take it to pay it."""
        ready = not (self.waits or self.own_approval or self.payout.cancel_asked_at)
        return self._may_become(PayoutState.PAYING) and ready

    @property
    def take_over(self) -> bool:
        """Whether the reader can take it over from a person who took it long ago."""
        claimed_at = self.payout.claimed_at
        long_ago = claimed_at is not None and timezone.now() >= claimed_at + CLAIM_TIME
        return self.is_paying and not (self.mine or self.own_approval or self.frozen) and long_ago

    @property
    def settle(self) -> bool:
        """Whether the reader can settle it."""
        return self.mine and not self.frozen

    @property
    def decline(self) -> bool:
        """Whether it can be declined."""
        return PayoutState.DECLINED in self._rule.next

    @property
    def cancel(self) -> bool:
        """Whether it can be cancelled at the player's request."""
        asked = self.payout.cancel_asked_at is not None and self.is_open
        return asked and (self.mine or not self.is_paying)

    def _may_become(self, state: PayoutState) -> bool:
        held_up = self.frozen and STATES[state].frozen_refused
        return state in self._rule.next and not held_up

    @property
    def _rule(self) -> StateRule:
        return STATES[PayoutState(self.payout.state)]


@desk_page("ledger.view_payout")
@require_safe
def payout(request: SignedInRequest, payout_id: int) -> HttpResponse:
    """Show one payout with its steps, and the decisions this reader may take about it."""
    people = Payout.objects.select_related("user", "approved_by", "claimed_by")
    found = get_object_or_404(people, pk=payout_id)
    origins = origins_of(found.user)
    context = {
        "payout": found,
        "may": Choices(found, request.user, wallet_is_frozen(found.user_id)),
        "steps": found.steps.select_related("actor", "mail").order_by("id"),
        "entries": reference_entries(found.reference),
        "journal": journal(subject=found.reference),
        "payable": payable(found.user_id),
        "origins": origins,
        "earlier": payouts_listed("").filter(user=found.user_id).exclude(pk=found.pk)[:5],
        "confirmed": second_factor_is_fresh(request),
        "approval_form": ApprovalForm(auto_id="approve_%s", marked=origins.need_a_remark),
        "receipt_form": ReceiptForm(auto_id="settle_%s"),
        "decline_form": ReasonForm(auto_id="decline_%s"),
        "cancel_form": ReasonForm(auto_id="cancel_%s"),
        "take_over_form": ReasonForm(auto_id="take_over_%s"),
        "fail_form": ReasonForm(auto_id="fail_%s"),
    }
    return render(request, "desk/payout.html", context)


def _unless_back(done: str | Promise) -> Callable[[Payout], str]:
    """The message of a step, or that the payout went back because its approval did not stand."""
    return lambda payout: str(_BACK if payout.state == PayoutState.REQUESTED else done)


_BACK = gettext_lazy(
    "Nothing was paid: the one who approved it may not any more, or it was more than seven days"
    " ago. It has to be approved again."
)


@dataclass(frozen=True, slots=True)
class PayoutAction:
    """A step of a payout: the service that takes it, the message after it, and its form.

    `word` is the form's field and the service's.
    """

    service: Callable[..., object]
    done: Done
    form: type[forms.Form] = ReasonForm
    word: str = "reason"


STEPS: Final[Mapping[str, PayoutAction]] = {
    "approve": PayoutAction(
        payout_approve,
        gettext_lazy("Approved. Another administrator pays it."),
        ApprovalForm,
    ),
    "claim": PayoutAction(
        payout_claim,
        _unless_back(gettext_lazy("It is yours: pay it now, then settle it here.")),
        ApprovalForm,
    ),
    "settle": PayoutAction(
        payout_settle,
        _unless_back(gettext_lazy("Settled. The player gets a message.")),
        ReceiptForm,
        "receipt",
    ),
    "decline": PayoutAction(
        payout_decline,
        gettext_lazy("Declined. The credits are back in the wallet."),
    ),
    "cancel": PayoutAction(
        payout_cancel_asked,
        gettext_lazy("Cancelled. The credits are back in the wallet."),
    ),
    "fail": PayoutAction(
        payout_fail,
        gettext_lazy("Noted as failed. The credits are back in the wallet."),
    ),
}
"""The steps that administrators take, by the last word of their address."""


@desk_page("ledger.decide_payout")
@require_POST
def decide(request: SignedInRequest, payout_id: int, step: str) -> HttpResponse:
    """Take a step with a payout; approving marked credits needs a remark."""
    found = get_object_or_404(Payout.objects.select_related("user"), pk=payout_id)
    taken = STEPS[step]
    form = taken.form(request.POST)
    if step == "approve":
        form = ApprovalForm(request.POST, marked=origins_of(found.user).need_a_remark)
    return decide_with(
        request,
        form,
        lambda: taken.service(
            payout_id=payout_id,
            actor=request.user,
            verified_at=second_factor_at(request),
            **{taken.word: form.cleaned_data[taken.word]},
        ),
        done=taken.done,
        back=resolve_url("desk:payout", payout_id),
    )
