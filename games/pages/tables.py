"""The pages of one table: sit down, play or watch, close, invite to a private one."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST
from qrcode.main import QRCode

from accounts.guests import person_of
from games import settlement
from games.forms.filters import CodeForm
from games.live.presence import person_seen
from games.models import Table
from games.modes.registry import PRACTICE_KEYS
from games.pages.lobby import pairs_of, table_row
from games.pages.practice import person_or_guest
from games.pages.waiting import offer_shown
from games.pages.words import code_text, terms_line
from games.selectors import table_by_code, table_state, table_successor
from games.services.guests import GuestPlaysAlready
from games.services.tables import table_close, table_join
from games.table.errors import TableError, TableFull
from kit.requests import SignedInRequest
from kit.sentences import sentence

QUIET_MODULES = 2


@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, table_id: UUID) -> HttpResponse:
    """Show the table and what sitting down costs, and sit down when that is confirmed.

    A stranger sits down at a free table as a guest; for a stake the page leads to the login and
    the registration, which lead back here.
    """
    table = get_object_or_404(Table, pk=table_id)
    successor = table_successor(table)
    if successor is not None:
        return redirect("table_join", table_id=successor.pk)
    person_id = person_of(request)
    if table_state(table).seat_of(person_id) is not None:
        return redirect("table", table_id=table_id)
    if request.method == "POST":
        if table.stake_cents and not request.user.is_authenticated:
            return redirect_to_login(request.path)
        return _join(request, table_id)
    if table.phase != "open":
        messages.error(request, _why_taken(table))
        return redirect("lobby")
    user_id = request.user.pk
    balance_cents = None if user_id is None else settlement.balance_cents(user_id)
    pair = pairs_of(user_id, [table.opener_id]).get(table.opener_id)
    row = table_row(table, user_id, balance_cents, pair)
    context = {
        "table": row,
        "line": terms_line(row["terms"]),
        "balance_cents": balance_cents,
        "here": request.path,
    }
    return render(request, "games/table_join.html", context)


def _join(request: HttpRequest, table_id: UUID) -> HttpResponse:
    try:
        table_join(user=person_or_guest(request), table_id=table_id)
    except GuestPlaysAlready as error:
        messages.info(request, sentence(error))
        return redirect("table", table_id=error.fields["table"])
    except TableError as error:
        text = (
            _why_taken(get_object_or_404(Table, pk=table_id))
            if error.code == "table_full"
            else None
        )
        messages.error(request, text or sentence(error))
        return redirect("lobby")
    return redirect("table", table_id=table_id)


def _why_taken(table: Table) -> str:
    """Why nobody can sit down at a table that was open: another player did, or it was closed."""
    closed = table.phase == "closed" and table.guest_id is None
    if closed:
        return _("The player who opened this table has closed it or left.")
    return sentence(TableFull())


@require_GET
def table(request: HttpRequest, table_id: UUID) -> HttpResponse:
    """The table: its players play here, everybody else watches where that is welcome."""
    if request.user.pk:
        person_seen(request.user.pk)
    table = get_object_or_404(Table, pk=table_id)
    if table.opener_id == person_of(request):
        successor = table_successor(table)
        if successor is not None:
            return _back_to(request, successor)
    state = table_state(table)
    if not state.terms.watchers and state.seat_of(person_of(request)) is None:
        if table.phase == "open":
            return redirect("table_join", table_id=table_id)
        return render(request, "games/table_unwatched.html", status=403)
    context = {"table_id": table.pk, "link": _invitation(request, table)}
    if table.mode in PRACTICE_KEYS and table.opener_id == person_of(request):
        context["offer"] = offer_shown(table.opener_id)
    return render(request, "games/table.html", context)


def _back_to(request: HttpRequest, successor: Table) -> HttpResponse:
    """Lead an opener from a table that the guest left to the one that was opened in its place."""
    if successor.phase == "open":
        messages.info(request, _("The other player left the seat. Your table is open again."))
    return redirect("table", table_id=successor.pk)


@login_required
@require_POST
def cancel(request: SignedInRequest, table_id: UUID) -> HttpResponse:
    """Close the reader's own table before anyone has joined."""
    try:
        table_close(user=request.user, table_id=table_id)
    except TableError as error:
        messages.error(request, sentence(error))
    return redirect("lobby")


# --- private tables -------------------------------------------------------------------------------


@login_required
@require_GET
def invite(request: SignedInRequest, table_id: UUID) -> HttpResponse:
    """The code, the link and the picture of the link of one's own private table."""
    table = get_object_or_404(Table, pk=table_id)
    if table.code is None or table.opener_id != request.user.pk:
        raise Http404
    person_seen(request.user.pk)
    if request.headers.get("HX-Request"):
        return _invite_news(table)
    if table.phase != "open":
        return redirect("table", table_id=table_id)
    link = _invitation(request, table)
    context = {
        "table": table_row(table, request.user.pk, None),
        "code": code_text(table.code),
        "link": link,
        "picture": link_picture(link),
    }
    return render(request, "games/table_private.html", context)


def _invitation(request: HttpRequest, table: Table) -> str:
    """The link that leads to this table: with its code, which only its opener may give away."""
    if table.code is not None and table.opener_id == request.user.pk:
        return request.build_absolute_uri(reverse("table_code", args=[code_text(table.code)]))
    return request.build_absolute_uri(reverse("table", args=[table.pk]))


def _invite_news(table: Table) -> HttpResponse:
    """Nothing while the opener waits; a redirect to the table once a player has joined."""
    response = HttpResponse(status=204)
    if table.phase != "open":
        response["HX-Redirect"] = reverse("table", args=[table.pk])
        response.status_code = 200
    return response


def link_picture(link: str) -> dict[str, object]:
    """A QR code as an SVG path: `size` in modules, `path` a unit square for each dark one."""
    code: QRCode[Any] = QRCode(border=QUIET_MODULES)
    code.add_data(link)
    code.make(fit=True)
    rows = code.get_matrix()
    squares = [
        f"M{x} {y}h1v1h-1z" for y, row in enumerate(rows) for x, dark in enumerate(row) if dark
    ]
    return {"size": len(rows), "path": "".join(squares)}


@require_GET
def by_code(request: HttpRequest, code: str = "") -> HttpResponse:
    """Redirect to the private table of this code, from its link or as typed."""
    form = CodeForm({"code": code or request.GET.get("code", "")})
    table = table_by_code(form.cleaned_data["code"]) if form.is_valid() else None
    if table is None or table.phase == "closed":
        messages.error(request, _("There is no open table with this code."))
        return redirect("lobby")
    return redirect("table_join" if table.phase == "open" else "table", table_id=table.pk)
