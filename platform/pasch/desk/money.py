"""The figures of the house: what counts now, what counted before, and a change for two people."""

from django.conf import settings
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render, resolve_url
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games.modes.prices import figures_of
from games.selectors import prices
from house.history import part_number
from house.parts import HousePart
from kit.requests import SignedInRequest
from ledger.selectors_desk import proposals_waiting
from pasch.desk.access import (
    desk_page,
    second_factor_at,
    second_factor_is_fresh,
)
from pasch.desk.decisions import decide
from pasch.desk.house import house_history
from pasch.desk.house_words import changes
from pasch.desk.money_forms import PricesForm
from pasch.desk.money_words import examples, figure_rows
from pasch.desk.proposals import proposal_rows
from pasch.staff.house import RIGHT, house_propose, subject_of

ROWS = 10


@desk_page(RIGHT)
@require_http_methods(["GET", "HEAD", "POST"])
def money(request: SignedInRequest) -> HttpResponse:
    """Show the figures in force and their history; preview a change, or propose it."""
    now, number = prices(), part_number(HousePart.PRICES)
    form = PricesForm(request.POST if request.method == "POST" else None, now=now, number=number)
    asked = request.method == "POST" and form.is_valid()
    if asked and form.prices is not None and "propose" in request.POST:
        new, said = form.prices, form.cleaned_data
        return decide(
            request,
            lambda: house_propose(
                actor=request.user,
                part=HousePart.PRICES,
                content=figures_of(new),
                number=said["number"],
                reason=said["reason"],
                verified_at=second_factor_at(request),
            ),
            done=_("Proposed. Another administrator confirms or refuses it."),
            back=resolve_url("desk:money"),
        )
    waiting = proposals_waiting(
        request.user.get_all_permissions(), subject=subject_of(HousePart.PRICES)
    )
    context = {
        "rows": figure_rows(now),
        "form": form,
        "changes": changes(HousePart.PRICES, figures_of(now), figures_of(form.prices))
        if asked and form.prices
        else [],
        "examples": examples(now, form.prices) if asked and form.prices else [],
        "waiting": proposal_rows(waiting, request.user),
        "confirmed": second_factor_is_fresh(request),
        "page": Paginator(house_history(HousePart.PRICES), ROWS).get_page(request.GET.get("page")),
        "single_administrator": settings.LEDGER_SINGLE_ADMINISTRATOR,
    }
    return render(request, "desk/money.html", context)
