"""Credits given and taken by hand: proposed by one, above a limit decided by another."""

from typing import Any, Final
from uuid import UUID

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render, resolve_url
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from kit.requests import SignedInRequest
from ledger.desk.access import desk_page, second_factor_at, second_factor_is_fresh
from ledger.desk.decisions import decide
from ledger.desk.forms import PersonField, new_key, reason_field
from ledger.desk.proposals import proposal_rows
from ledger.forms import CreditsField
from ledger.models import Adjustment
from ledger.selectors_desk import proposals_waiting
from ledger.services.adjustments import KIND, adjustment_make
from ledger.services.decisions import alone_cents_spent

ROWS = 25
GIVE: Final = "give"
TAKE: Final = "take"


class AdjustmentForm(forms.Form):
    """Credits given to or taken from a player."""

    player = PersonField()
    direction = forms.ChoiceField(
        label=gettext_lazy("What"),
        choices=((GIVE, gettext_lazy("Give credits")), (TAKE, gettext_lazy("Remove credits"))),
        initial=GIVE,
        widget=forms.RadioSelect,
    )
    amount = CreditsField(
        label=gettext_lazy("Amount"), help_text=gettext_lazy("In credits."), least_cents=1
    )
    reason = reason_field()
    key = forms.CharField(widget=forms.HiddenInput)

    def clean(self) -> dict[str, Any]:
        """Add `amount_cents`: above zero where credits are given, below where they are taken."""
        cleaned = super().clean() or {}
        cents = cleaned.get("amount") or 0
        cleaned["amount_cents"] = cents if cleaned.get("direction") == GIVE else -cents
        return cleaned

    def clean_key(self) -> str:
        """Return the key of this proposal: sent twice, it happens once."""
        try:
            return str(UUID(self.cleaned_data["key"]))
        except ValueError as error:
            raise ValidationError(_("This form is not valid."), code="key") from error


@desk_page("ledger.adjust_credits")
@require_http_methods(["GET", "HEAD", "POST"])
def adjustments(request: SignedInRequest) -> HttpResponse:
    """Make or propose an adjustment; show those that wait and those that were booked."""
    form = AdjustmentForm(
        request.POST if request.method == "POST" else None,
        initial={"key": new_key(), "player": request.GET.get("player", "")},
    )
    if request.method == "POST" and form.is_valid():
        said = form.cleaned_data
        return decide(
            request,
            lambda: adjustment_make(
                actor=request.user,
                user=said["player"],
                amount_cents=said["amount_cents"],
                reason=said["reason"],
                client_key=said["key"],
                verified_at=second_factor_at(request),
            ),
            done=_("Noted. Below you see whether it is booked or waits for a second person."),
            back=resolve_url("desk:adjustments"),
        )
    booked = Adjustment.objects.select_related("user", "proposed_by", "confirmed_by")
    page = Paginator(booked.order_by("-id"), ROWS)
    waiting = proposals_waiting(request.user.get_all_permissions(), kind=KIND)
    context = {
        "form": form,
        "waiting": proposal_rows(waiting, request.user),
        "page": page.get_page(request.GET.get("page")),
        "confirmed": second_factor_is_fresh(request),
        "alone_cents": alone_cents_spent(request.user),
        "limit_cents": settings.LEDGER_ALONE_CENTS,
    }
    return render(request, "desk/adjustments.html", context)
