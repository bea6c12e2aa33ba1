"""Vouchers at the desk: make a batch, see what became of each, revoke one."""

from datetime import timedelta
from typing import Any, Final

from django import forms
from django.conf import settings
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render, resolve_url
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from kit.requests import SignedInRequest
from kit.sentences import sentence
from ledger import selectors_desk
from ledger.desk.access import (
    desk_page,
    second_factor_ask,
    second_factor_at,
    second_factor_is_fresh,
)
from ledger.desk.decisions import decide_with
from ledger.desk.forms import NOTE_LENGTH, ReasonForm, new_key
from ledger.errors import LedgerError, SecondFactorStale
from ledger.forms import CreditsField
from ledger.models import PROPOSAL_LIFE, Voucher
from ledger.services.decisions import alone_cents_spent
from ledger.services.vouchers import COUNT_MAX, voucher_make, voucher_revoke

ROWS = 50

_KEY = "desk_voucher_form"
EXPIRY_DAYS_MAX: Final = 3650


class VoucherBatchForm(forms.Form):
    """A batch of vouchers."""

    amount = CreditsField(
        label=gettext_lazy("Value per voucher"),
        help_text=gettext_lazy("In credits."),
        least_cents=1,
    )
    count = forms.IntegerField(
        label=gettext_lazy("How many"), min_value=1, max_value=COUNT_MAX, initial=1
    )
    note = forms.CharField(
        label=gettext_lazy("What for"),
        max_length=NOTE_LENGTH,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        help_text=gettext_lazy("Goes into the journal."),
    )
    days = forms.IntegerField(
        label=gettext_lazy("Valid for days"),
        min_value=1,
        max_value=EXPIRY_DAYS_MAX,
        required=False,
        help_text=gettext_lazy("Empty: for ever."),
    )
    key = forms.CharField(widget=forms.HiddenInput)

    def clean(self) -> dict[str, Any]:
        """Add `expires_at`: None, or so many days from now."""
        cleaned = super().clean() or {}
        days = cleaned.get("days")
        cleaned["expires_at"] = timezone.now() + timedelta(days=days) if days else None
        return cleaned


@desk_page("ledger.make_voucher")
@require_http_methods(["GET", "HEAD", "POST"])
def vouchers(request: SignedInRequest) -> HttpResponse:
    """List the vouchers and make new ones."""
    form = VoucherBatchForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        return _make(request, form.cleaned_data)
    request.session[_KEY] = key = new_key()
    if not form.is_bound:
        form.initial["key"] = key
    page = Paginator(selectors_desk.vouchers(), ROWS).get_page(request.GET.get("page"))
    context = {
        "form": form,
        "form_key": key,
        "page": page,
        "revoke_form": ReasonForm(),
        "now": timezone.now(),
        "confirmed": second_factor_is_fresh(request),
        "alone_cents": alone_cents_spent(request.user),
        "limit_cents": settings.LEDGER_ALONE_CENTS,
        "single": settings.LEDGER_SINGLE_ADMINISTRATOR,
        "lapsed_before": timezone.now() - PROPOSAL_LIFE,
    }
    return render(request, "desk/vouchers.html", context)


def _make(request: SignedInRequest, said: dict[str, Any]) -> HttpResponse:
    """Make the vouchers and answer with their codes.

    The codes are in this one answer and nowhere else, so there is nothing to redirect to; the
    form's key is used up, so that loading the answer again makes no second batch.
    """
    if request.session.pop(_KEY, None) != said["key"]:
        messages.error(request, _("This form was sent already, or another was opened since."))
        return redirect("desk:vouchers")
    try:
        made = voucher_make(
            actor=request.user,
            amount_cents=said["amount"],
            count=said["count"],
            note=said["note"],
            verified_at=second_factor_at(request),
            expires_at=said["expires_at"],
        )
    except SecondFactorStale:
        return second_factor_ask(request, resolve_url("desk:vouchers"))
    except LedgerError as error:
        messages.error(request, sentence(error, staff=True))
        return redirect("desk:vouchers")
    return render(request, "desk/vouchers_made.html", {"made": made, "first": made[0].voucher})


@desk_page("ledger.make_voucher")
@require_POST
def revoke(request: SignedInRequest, voucher_id: int) -> HttpResponse:
    """Make an unused voucher worthless."""
    get_object_or_404(Voucher, pk=voucher_id)
    form = ReasonForm(request.POST)
    return decide_with(
        request,
        form,
        lambda: voucher_revoke(
            voucher_id=voucher_id, actor=request.user, reason=form.cleaned_data["reason"]
        ),
        done=_("Revoked."),
        back=resolve_url("desk:vouchers"),
    )
