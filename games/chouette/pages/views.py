"""The list of chouettes, the page of a table, and the rules."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST, require_safe

from games.chouette.engine.terms import PEOPLE_LEAST, PEOPLE_MOST
from games.chouette.models import Circle
from games.chouette.pace import BANK_MS, CUBE_MS, DELAY_MS, PAUSE_MS
from games.chouette.pages.forms import OpeningForm
from games.chouette.selectors import chouette_get, place_of, tables_open
from games.chouette.services import dice
from games.chouette.services.opening import circle_open
from games.chouette.services.playing import GONE_SECONDS
from games.selectors import prices
from games.table.errors import TableError
from kit.requests import SignedInRequest
from kit.sentences import sentence


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
