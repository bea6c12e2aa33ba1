"""The pages of lobby and table: parse, call a service or a selector, render."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from games import settlement
from games.models import Match, Table
from games.prizes.payout import break_even_percent
from games.selectors import (
    prices,
    table_get,
    table_state,
    tables_open,
    tables_running_of,
    terms_offered,
)
from games.services.tables import (
    StakeNotPossible,
    table_close,
    table_join,
    table_open,
)
from games.table.errors import TableError
from games.table.terms import CLOCKS, Terms

OPEN_TABLES_MAX = 100

#: what a player reads when a service refuses; by the code of the error.
REFUSALS = {
    "insufficient_credits": gettext_lazy("Your credits do not suffice for this stake."),
    "limit_reached": gettext_lazy("This stake would go beyond a limit that a player has set."),
    "play_paused": gettext_lazy("A player takes a break from playing for credits."),
    "stakes_stopped": gettext_lazy("The house takes no new stakes at the moment."),
    "account_frozen": gettext_lazy("A wallet is frozen; please write to the house."),
    "opponent_insufficient_credits": gettext_lazy("The other player can no longer pay the stake."),
    "one_open_table": gettext_lazy("You already have an open table. Play or close it first."),
    "table_full": gettext_lazy("Somebody else sat down at this table first."),
    "own_table": gettext_lazy("This is your own table: somebody else has to sit down."),
    "bad_terms": gettext_lazy("The house does not offer a table on these terms."),
    "wrong_phase": gettext_lazy("The match has begun; the table cannot be closed any more."),
    "match_over": gettext_lazy("This table is closed already."),
}


@require_GET
def lobby(request: HttpRequest) -> HttpResponse:
    """The open tables, the reader's own, and the form for a new one."""
    return render(request, "games/lobby.html", _lobby_context(request))


@require_GET
def lobby_tables(request: HttpRequest) -> HttpResponse:
    """The part of the lobby that changes by itself."""
    return render(request, "games/lobby_tables.html", _lobby_context(request))


def _lobby_context(request: HttpRequest) -> dict[str, Any]:
    user_id = request.user.pk
    balance_cents = settlement.balance_cents(user_id) if user_id else None
    mine = list(tables_running_of(user_id)) if user_id else []
    return {
        "tables": [
            _row(table, user_id, balance_cents) for table in tables_open()[:OPEN_TABLES_MAX]
        ],
        "my_tables": [_my_row(table, user_id) for table in mine],
        "stakes": [_stake_row(cents, balance_cents) for cents in prices().prize_stakes_cents],
        "clocks": [_clock_row(name) for name in CLOCKS],
        "balance_cents": balance_cents,
        "may_open": not any(table.phase == "open" for table in mine),
    }


def _terms_row(terms: Terms) -> dict[str, Any]:
    """What a table costs and pays: shown before anybody agrees to it."""
    return {
        "stake_cents": terms.stake_cents,
        "pot_cents": terms.pot_cents,
        "rake_cents": terms.rake_cents,
        "winner_cents": terms.pot_cents - terms.rake_cents,
        "worst_case_cents": terms.stake_cents,
        "break_even_percent": break_even_percent(terms.rake_bps),
    }


def _stake_row(cents: int, balance_cents: int | None) -> dict[str, Any]:
    terms = terms_offered(mode="prize5", stake_cents=cents)
    affordable = balance_cents is not None and balance_cents >= cents
    return {"cents": cents, "affordable": affordable, **_terms_row(terms)}


def _row(table: Table, user_id: int | None, balance_cents: int | None) -> dict[str, Any]:
    terms = table_state(table).terms
    return {
        "id": table.pk,
        "opener": table.people[0],
        "mode": table.mode,
        "target_points": terms.target_points,
        "clock_label": _clock_label(terms),
        "mine": table.opener_id == user_id,
        "affordable": balance_cents is not None and balance_cents >= terms.stake_cents,
        **_terms_row(terms),
    }


def _my_row(table: Table, user_id: int) -> dict[str, Any]:
    state = table_state(table)
    seat = state.seat_of(user_id)
    return {
        "id": table.pk,
        "mode": table.mode,
        "target_points": state.terms.target_points,
        "stake_cents": table.stake_cents,
        "opponent": table.people[1 - seat] if seat is not None else None,
        "my_turn": state.decider == seat,
    }


def _clock_label(terms: Terms) -> str:
    """The clock in short: free seconds each turn, then the reserve as minutes and seconds."""
    minutes, seconds = divmod(terms.reserve_ms // 1000, 60)
    return _("%(delay)s s + %(minutes)s:%(seconds)s") % {
        "delay": terms.delay_ms // 1000,
        "minutes": minutes,
        "seconds": f"{seconds:02d}",
    }


def _clock_row(name: str) -> dict[str, Any]:
    terms = terms_offered(mode="prize5", stake_cents=prices().prize_stakes_cents[0], clock=name)
    return {"name": name, "label": _clock_label(terms), "chosen": name == "normal"}


@login_required
@require_POST
def open_table(request: HttpRequest) -> HttpResponse:
    """Open a table and go to it."""
    stake = request.POST.get("stake_cents", "")
    try:
        table = table_open(
            user=request.user,
            mode=request.POST.get("mode", "prize5"),
            stake_cents=int(stake) if stake.isdecimal() and len(stake) < 10 else -1,
            clock=request.POST.get("clock", "normal"),
        )
    except TableError as error:
        messages.error(request, refusal_text(error))
        return redirect("lobby")
    return redirect("table", table_id=table.pk)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, table_id: UUID) -> HttpResponse:
    """Show what sitting down costs, and sit down when that is confirmed."""
    table = _table_or_404(table_id)
    if table_state(table).seat_of(request.user.pk) is not None:
        return redirect("table", table_id=table_id)
    if request.method == "POST":
        return _join(request, table_id)
    if table.phase != "open":
        messages.error(request, REFUSALS["table_full"])
        return redirect("lobby")
    balance_cents = settlement.balance_cents(request.user.pk)
    row = _row(table, request.user.pk, balance_cents)
    context = {"table": row, "balance_cents": balance_cents}
    return render(request, "games/table_join.html", context)


def _join(request: HttpRequest, table_id: UUID) -> HttpResponse:
    try:
        table_join(user=request.user, table_id=table_id)
    except TableError as error:
        messages.error(request, refusal_text(error))
        return redirect("lobby")
    return redirect("table", table_id=table_id)


@require_GET
def table(request: HttpRequest, table_id: UUID) -> HttpResponse:
    """The table: its players play here, everybody else watches."""
    return render(request, "games/table.html", {"table_id": _table_or_404(table_id).pk})


@login_required
@require_POST
def cancel(request: HttpRequest, table_id: UUID) -> HttpResponse:
    """Close a table of one's own that nobody has joined."""
    try:
        table_close(user=request.user, table_id=table_id)
    except TableError as error:
        messages.error(request, refusal_text(error))
    return redirect("lobby")


@require_GET
def match(request: HttpRequest, match_id: UUID) -> HttpResponse:
    """A match, at the table where it was played."""
    return redirect("table", table_id=get_object_or_404(Match, pk=match_id).table_id)


def _table_or_404(table_id: UUID) -> Table:
    table = table_get(table_id)
    if table is None:
        raise Http404
    return table


def refusal_text(error: TableError) -> str:
    """The refusal in the reader's language."""
    code = error.code
    if isinstance(error, StakeNotPossible):
        code = str(error.fields.get("reason", code))
        if code == "insufficient_credits" and error.fields.get("who") == "opponent":
            code = "opponent_insufficient_credits"
    return str(REFUSALS.get(code) or _("That is not possible now."))
