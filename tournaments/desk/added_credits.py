"""Tournaments with a fee before their draw, and the credits that the house adds to their pools."""

from typing import Any

from django import forms
from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import render, resolve_url
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from kit.requests import SignedInRequest
from ledger.desk.access import desk_page, second_factor_at, second_factor_is_fresh
from ledger.desk.decisions import decide
from ledger.desk.forms import reason_field
from ledger.desk.proposals import proposal_rows
from ledger.forms import CreditsField
from ledger.models import Proposal
from ledger.selectors_desk import proposals_waiting
from ledger.services.decisions import alone_cents_spent
from tournaments.models import Phase, Tournament
from tournaments.selectors import with_entries
from tournaments.services.adding import KIND, RIGHT, may_be_added_to, prizes_add
from tournaments.services.words import name_of


class AddForm(forms.Form):
    """Credits of the house for one of these pools."""

    tournament = forms.TypedChoiceField(label=gettext_lazy("Tournament"))
    amount = CreditsField(
        label=gettext_lazy("Amount"), help_text=gettext_lazy("In credits."), least_cents=1
    )
    reason = reason_field()

    def __init__(self, *args: Any, pools: list[Tournament], **kwargs: Any) -> None:
        """Offer the pools to which nothing was added yet."""
        super().__init__(*args, **kwargs)
        self.pools = {str(each.pk): each for each in pools if may_be_added_to(each)}
        field = self.fields["tournament"]
        assert isinstance(field, forms.TypedChoiceField)
        field.choices = [(key, name_of(each)) for key, each in self.pools.items()]
        field.coerce = self.pools.get


@desk_page(f"ledger.{RIGHT}")
@require_http_methods(["GET", "HEAD", "POST"])
def tournaments(request: SignedInRequest) -> HttpResponse:
    """Show the pools that fill, and add credits of the house to one."""
    pools = _pools()
    form = AddForm(request.POST if request.method == "POST" else None, pools=pools)
    if request.method == "POST" and form.is_valid():
        said = form.cleaned_data
        return decide(
            request,
            lambda: prizes_add(
                actor=request.user,
                tournament_id=said["tournament"].pk,
                cents=said["amount"],
                reason=said["reason"],
                verified_at=second_factor_at(request),
            ),
            done=_done,
            back=resolve_url("desk:tournaments"),
        )
    rights = request.user.get_all_permissions()
    waiting = [each for each in proposals_waiting(rights) if each.kind == KIND]
    context = {
        "pools": [(each, name_of(each)) for each in pools],
        "form": form,
        "waiting": proposal_rows(waiting, request.user),
        "confirmed": second_factor_is_fresh(request),
        "alone_cents": alone_cents_spent(request.user),
        "limit_cents": settings.LEDGER_ALONE_CENTS,
    }
    return render(request, "desk/tournaments.html", context)


def _pools() -> list[Tournament]:
    found = Tournament.objects.filter(phase=Phase.REGISTERING, fee_cents__gt=0)
    return list(with_entries(found).order_by("starts_at", "created_at"))


def _done(outcome: Tournament | Proposal) -> str:
    if isinstance(outcome, Proposal):
        return _("Proposed. A second person confirms or refuses it.")
    return _("Added to the pool.")
