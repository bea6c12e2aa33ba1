"""The list of chouettes, a table, and the commands of its page."""

from typing import Any
from uuid import UUID

import msgspec
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST, require_safe

from games.chouette.commands import command_of
from games.chouette.models import Circle
from games.chouette.pages.forms import OpeningForm
from games.chouette.pages.words import refusal_text
from games.chouette.selectors import chouette_get, place_of, tables_open
from games.chouette.services import dice
from games.chouette.services.opening import circle_open
from games.chouette.services.playing import chouette_command
from games.chouette.view import chouette_view
from games.table.errors import TableError
from games.wire import FRAME_BYTES_MAX, encode
from kit.requests import SignedInRequest

#: a refusal that is not about the command as such has a status of its own.
STATUS_OF: dict[str, int] = {"no_such_chouette": 404, "busy": 503, "not_seated": 403}


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
        messages.error(request, refusal_text(error))
        return redirect("chouette:list")
    return redirect("chouette:table", circle_id=circle.pk)


@require_safe
def table(request: HttpRequest, circle_id: UUID) -> HttpResponse:
    """A table; anybody may watch."""
    circle = _found(circle_id)
    view = _plain(chouette_view(circle, request.user.pk))
    return render(request, "chouette/table.html", {"chouette": circle, "view": view})


@require_safe
def view(request: HttpRequest, circle_id: UUID) -> HttpResponse:
    """The view of a table for this reader, as JSON."""
    return _answer(_found(circle_id), request.user.pk)


@require_POST
def do(request: HttpRequest, circle_id: UUID) -> HttpResponse:
    """Carry out a command; the answer is the new view."""
    if not request.user.is_authenticated:
        return _refused("not_logged_in", _("Log in first."), 403)
    if len(request.body) > FRAME_BYTES_MAX:
        return _refused("bad_frame", _("This command cannot be read."), 413)
    try:
        command = command_of(request.body)
    except (msgspec.ValidationError, msgspec.DecodeError, RecursionError) as error:
        return _refused("bad_frame", str(error), 400)
    try:
        circle = chouette_command(user=request.user, circle_id=circle_id, command=command)
    except TableError as error:
        return _refused(error.code, refusal_text(error), STATUS_OF.get(error.code, 409))
    return _answer(circle, request.user.pk)


@require_safe
def dice_record(request: HttpRequest, circle_id: UUID) -> HttpResponse:
    """The records of all dice, with which anybody can check them (docs/dice.md)."""
    response = JsonResponse(dice.records(_found(circle_id)), json_dumps_params={"indent": 1})
    response["Content-Disposition"] = f'attachment; filename="chouette-{circle_id}-dice.json"'
    return response


def _found(circle_id: UUID) -> Circle:
    circle = chouette_get(circle_id)
    if circle is None:
        raise Http404
    return circle


def _plain(told: dict[str, Any]) -> Any:
    return msgspec.to_builtins(told, str_keys=True)


def _answer(circle: Circle, reader: int | None) -> HttpResponse:
    response = HttpResponse(encode(chouette_view(circle, reader)), content_type="application/json")
    response["Cache-Control"] = "no-store"
    return response


def _refused(code: str, message: str, status: int) -> HttpResponse:
    return JsonResponse({"code": code, "message": message}, status=status)
