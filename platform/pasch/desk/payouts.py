"""Payouts at the desk: one administrator approves, a second one takes the payout and pays it."""

from collections.abc import Callable
from dataclasses import dataclass

from django import forms
from django.conf import settings
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render, resolve_url
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from kit.requests import SignedInRequest
from ledger import services
from ledger.models import CLAIM_TIME, OPEN_STATES, Payout, PayoutState
from ledger.payout_states import STATES, StateRule
from ledger.selectors import reference_entries, wallet_is_frozen
from ledger.selectors_desk import journal
from ledger.selectors_player import payable
from pasch.desk.access import desk_page, second_factor_at
from pasch.desk.decisions import Done, decide_with
from pasch.desk.forms import ApprovalForm, ReasonForm, ReceiptForm
from pasch.desk.origins import origins_of
from pasch.desk.selectors import payouts_listed

ROWS = 25
WAITING = "waiting"


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
        "confirmed": _confirmed(request),
        "approval_form": ApprovalForm(auto_id="approve_%s", marked=origins.need_a_remark),
        "receipt_form": ReceiptForm(auto_id="settle_%s"),
        "decline_form": ReasonForm(auto_id="decline_%s"),
        "cancel_form": ReasonForm(auto_id="cancel_%s"),
        "take_over_form": ReasonForm(auto_id="take_over_%s"),
        "fail_form": ReasonForm(auto_id="fail_%s"),
    }
    return render(request, "desk/payout.html", context)


@desk_page("ledger.decide_payout")
@require_POST
def approve(request: SignedInRequest, payout_id: int) -> HttpResponse:
    """Approve as the first administrator; marked credits need a remark."""
    found = get_object_or_404(Payout.objects.select_related("user"), pk=payout_id)
    done = _("Approved. Another administrator pays it.")
    form = ApprovalForm(request.POST, marked=origins_of(found.user).need_a_remark)
    return _decided(request, payout_id, form, services.payout_approve, done, "reason")


@desk_page("ledger.decide_payout")
@require_POST
def claim(request: SignedInRequest, payout_id: int) -> HttpResponse:
    """Take it for payment as the second administrator; no one else can end it then."""
    done = _unless_back(_("It is yours: pay it now, then settle it here."))
    form = ApprovalForm(request.POST)
    return _decided(request, payout_id, form, services.payout_claim, done, "reason")


@desk_page("ledger.decide_payout")
@require_POST
def settle(request: SignedInRequest, payout_id: int) -> HttpResponse:
    """Second administrator: it has been paid."""
    done = _unless_back(_("Settled. The player gets a message."))
    form = ReceiptForm(request.POST)
    return _decided(request, payout_id, form, services.payout_settle, done, "receipt")


@desk_page("ledger.decide_payout")
@require_POST
def decline(request: SignedInRequest, payout_id: int) -> HttpResponse:
    """No; the credits go back."""
    done = _("Declined. The credits are back in the wallet.")
    form = ReasonForm(request.POST)
    return _decided(request, payout_id, form, services.payout_decline, done, "reason")


@desk_page("ledger.decide_payout")
@require_POST
def cancel(request: SignedInRequest, payout_id: int) -> HttpResponse:
    """Cancel at the player's request: nothing was paid, the credits go back."""
    done = _("Cancelled. The credits are back in the wallet.")
    form = ReasonForm(request.POST)
    return _decided(request, payout_id, form, services.payout_cancel_asked, done, "reason")


@desk_page("ledger.decide_payout")
@require_POST
def fail(request: SignedInRequest, payout_id: int) -> HttpResponse:
    """The payment did not arrive; the credits go back."""
    done = _("Noted as failed. The credits are back in the wallet.")
    form = ReasonForm(request.POST)
    return _decided(request, payout_id, form, services.payout_fail, done, "reason")


def _decided(
    request: SignedInRequest,
    payout_id: int,
    form: forms.Form,
    service: Callable[..., object],
    done: Done,
    word: str,
) -> HttpResponse:
    """Carry out one decision about a payout; `word` is the form's field and the service's."""
    get_object_or_404(Payout, pk=payout_id)
    return decide_with(
        request,
        form,
        lambda: service(
            payout_id=payout_id,
            actor=request.user,
            verified_at=second_factor_at(request),
            **{word: form.cleaned_data[word]},
        ),
        done=done,
        back=resolve_url("desk:payout", payout_id),
    )


def _unless_back(done: str) -> Callable[[Payout], str]:
    """The message of a step, or that the payout went back because its approval did not stand."""
    back = _(
        "Nothing was paid: the one who approved it may not any more, or it was more than seven days"
        " ago. It has to be approved again."
    )
    return lambda payout: back if payout.state == PayoutState.REQUESTED else done


def _confirmed(request: SignedInRequest) -> bool:
    """Whether the second factor is fresh enough for a decision."""
    shown = second_factor_at(request)
    if shown is None:
        return False
    allowed = settings.LEDGER_SECOND_FACTOR_SECONDS
    return (timezone.now() - shown).total_seconds() <= allowed
