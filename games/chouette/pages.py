"""The list of chouettes, the page of a table, and the rules."""

from decimal import Decimal
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.formats import number_format
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_POST, require_safe

from games.chouette.engine.terms import PEOPLE_LEAST, PEOPLE_MOST
from games.chouette.models import Circle
from games.chouette.pace import BANK_MS, CUBE_MS, DELAY_MS, PAUSE_MS
from games.chouette.selectors import chouette_get, place_of, tables_open
from games.chouette.services import dice
from games.chouette.services.opening import BOTS, LIMITS_POINTS, RATES_CENTS, circle_open
from games.chouette.services.playing import GONE_SECONDS
from games.selectors import prices
from games.table.errors import TableError
from kit.requests import SignedInRequest
from kit.sentences import sentence


def _rates() -> list[tuple[int, Any]]:
    free = _("nothing")
    return [
        (cents, number_format(Decimal(cents) / 100, 2) if cents else free) for cents in RATES_CENTS
    ]


def _limits() -> list[tuple[int, Any]]:
    return [
        (points, ngettext("%(points)s point", "%(points)s points", points) % {"points": points})
        for points in LIMITS_POINTS
    ]


class OpeningForm(forms.Form):
    """The credits, if any, and the rules of the table."""

    rate_cents = forms.TypedChoiceField(
        label=_("Credits a point"), choices=_rates, coerce=int, initial=0
    )
    limit_points = forms.TypedChoiceField(
        label=_("Limit of a game"),
        choices=_limits,
        coerce=int,
        initial=8,
    )
    consulting = forms.ChoiceField(
        label=_("Advice for the captain"),
        choices=[
            ("own_cube", _("after their cube has been turned")),
            ("always", _("always")),
            ("never", _("never")),
        ],
        initial="own_cube",
    )
    cubes = forms.ChoiceField(
        label=_("Cubes"),
        choices=[("each", _("one for each member")), ("one", _("one for the whole team"))],
        initial="each",
        help_text=_("With one cube the captain doubles for all, and there are no beavers."),
    )
    jacoby = forms.BooleanField(label=_("Jacoby rule"), required=False, initial=True)
    beavers = forms.BooleanField(label=_("Beavers"), required=False, initial=True)
    lone_taker = forms.ChoiceField(
        label=_("If only one team member takes the box’s double"),
        choices=[("free", _("they play on")), ("beavers", _("they must beaver or drop"))],
        initial="free",
        required=False,
        help_text=_("Where the box doubled three or more at once and all others dropped."),
    )
    bots = forms.TypedChoiceField(
        label=_("House bots"),
        choices=[(number, str(number)) for number in range(len(BOTS) + 1)],
        coerce=int,
        initial=0,
    )

    def clean(self) -> dict[str, Any]:
        """Leave out what the form does not offer: a lone taker has no beaver without beavers."""
        wishes = super().clean() or self.cleaned_data
        has_beavers = wishes.get("beavers") and wishes.get("cubes") == "each"
        if not has_beavers or not wishes.get("lone_taker"):
            wishes["lone_taker"] = "free"
        return wishes


@require_GET
def listing(request: HttpRequest) -> HttpResponse:
    """The open tables, and the form that opens one."""
    return _listing(request, OpeningForm())


@require_safe
def listed(request: HttpRequest) -> HttpResponse:
    """The part of the list that changes by itself."""
    return render(request, "chouette/list_tables.html", _tables(request))


def _tables(request: HttpRequest) -> dict[str, Any]:
    reader = request.user.pk
    return {"tables": tables_open(reader), "mine": place_of(reader)}


def _listing(request: HttpRequest, form: OpeningForm, status: int = 200) -> HttpResponse:
    user = request.user
    context = {
        **_tables(request),
        "form": form,
        "can_open": user.is_authenticated and not user.is_bot and not user.is_guest,
    }
    return render(request, "chouette/list.html", context, status=status)


@login_required
@require_POST
def opening(request: SignedInRequest) -> HttpResponse:
    """Open a table and sit down."""
    form = OpeningForm(request.POST)
    if not form.is_valid():
        return _listing(request, form, status=422)
    try:
        circle = circle_open(user=request.user, **form.cleaned_data)
    except TableError as error:
        messages.error(request, sentence(error))
        return redirect("chouette:list")
    return redirect("chouette:table", circle_id=circle.pk)


@require_safe
def table(request: HttpRequest, circle_id: UUID) -> HttpResponse:
    """A table; anybody may watch."""
    return render(request, "chouette/table.html", {"chouette": _found(circle_id)})


@require_safe
def dice_record(request: HttpRequest, circle_id: UUID) -> HttpResponse:
    """The records of all dice, with which anybody can check them (docs/dice.md)."""
    response = JsonResponse(dice.records(_found(circle_id)), json_dumps_params={"indent": 1})
    response["Content-Disposition"] = f'attachment; filename="chouette-{circle_id}-dice.json"'
    return response


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """Show who plays against whom, the cubes, the rotation, time, credits and dice."""
    context = {
        "least": PEOPLE_LEAST,
        "most": PEOPLE_MOST,
        "cube_seconds": CUBE_MS // 1000,
        "delay_seconds": DELAY_MS // 1000,
        "bank_minutes": BANK_MS // 60_000,
        "pause_seconds": PAUSE_MS // 1000,
        "gone_minutes": GONE_SECONDS // 60,
        "rake_percent": prices().rake_bps / 100,
    }
    return render(request, "chouette/rules.html", context)


def _found(circle_id: UUID) -> Circle:
    circle = chouette_get(circle_id)
    if circle is None:
        raise Http404
    return circle
