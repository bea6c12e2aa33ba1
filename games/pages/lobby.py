"""The lobby: open tables with filters, one's own tables, quick pairing, people online."""

from collections import Counter
from collections.abc import Iterable
from typing import Any, Final
from urllib.parse import urlencode

from django.contrib.auth import get_user_model
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET

from games import settlement
from games.forms.lobby import CodeForm, FilterForm
from games.forms.quick import quick_form
from games.live.whereabouts import people_online, person_seen
from games.models import Table
from games.modes.terms import Terms
from games.pages.cards import Waiting, again_row, favourite_rows, quick_card, tables_waiting
from games.pages.played import played_count
from games.pages.refusals import refusal_text
from games.pages.words import terms_facts, terms_words
from games.selectors import (
    prices,
    prices_read_once,
    table_state,
    table_terms,
    tables_running_of,
)
from games.services.pairs import PairStanding, pair_standings
from games.services.seats import StoodUpTooOften, pause_of_seats

OPEN_TABLES_MAX: Final = 100
ONLINE_MAX: Final = 40

Row = dict[str, Any]


@require_GET
@prices_read_once()
def lobby(request: HttpRequest) -> HttpResponse:
    """The open tables, the reader's own, and the ways to a new one."""
    listed = _list_context(request)
    form, balance_cents = quick_form({}, shows=True), listed["balance_cents"]
    context = {
        **listed,
        "quick": {**quick_card(form, balance_cents, listed["waiting"]), "plain": True},
        "favourites": favourite_rows(request.user.pk),
        "again": again_row(request.user.pk),
        "online": people_rows(people_online(ONLINE_MAX)),
        "code_form": CodeForm(),
    }
    return render(request, "games/lobby.html", context)


@require_GET
def lobby_tables(request: HttpRequest) -> HttpResponse:
    """The part of the lobby that changes by itself."""
    response = render(request, "games/lobby_tables.html", _list_context(request))
    chosen = {name: request.GET[name] for name in FilterForm.base_fields if request.GET.get(name)}
    query = f"?{urlencode(chosen)}" if chosen else ""
    response["HX-Replace-Url"] = reverse("lobby") + query
    return response


def _list_context(request: HttpRequest) -> Row:
    user_id = request.user.pk
    balance_cents = None
    if user_id:
        person_seen(user_id)
        balance_cents = settlement.balance_cents(user_id)
    mine = list(tables_running_of(user_id).select_related(None)) if user_id else []
    filters = FilterForm(request.GET, auto_id="filter_%s")
    listed = tables_waiting(OPEN_TABLES_MAX)
    pairs = pairs_of(user_id, [table.opener_id for table in listed])
    rows = [_row(table, user_id, balance_cents, pairs.get(table.opener_id)) for table in listed]
    wanted = filters.wanted()
    return {
        "waiting": Counter(row["terms"] for row in rows if not row["mine"]),
        "tables": [row for row in rows if row["mine"] or fits(row, wanted, user_id)],
        "tables_hidden": sum(not row["mine"] and not fits(row, wanted, user_id) for row in rows),
        "filters": filters,
        "my_tables": [_my_row(table, user_id) for table in mine] if user_id else [],
        "balance_cents": balance_cents,
        "may_open": not any(table.phase == "open" for table in mine),
        "played_count": played_count(),
        "pause": pause_text(user_id) if user_id else "",
    }


def pause_text(user_id: int) -> str:
    """The lobby's message for a player during a pause; none for others."""
    until_ms = pause_of_seats(user_id)
    return "" if until_ms is None else refusal_text(StoodUpTooOften("", until_ms=until_ms))


def fits(row: Row, wanted: dict[str, Any], user_id: int | None) -> bool:
    """Whether a table passes the reader's filters."""
    if wanted.get("mode", row["mode"]) != row["mode"]:
        return False
    if wanted.get("variant", row["variant"]) != row["variant"]:
        return False
    if wanted.get("affordable") and not row["affordable"]:
        return False
    if wanted.get("near") and user_id:
        strength = row["opener"]["strength"]  # a guest has none
        return bool(strength and abs(_strength(user_id, row["terms"]) - strength) <= 1)
    return True


def _strength(user_id: int, terms: Terms) -> int:
    pool = settlement.rating_pool(variant=terms.game_key, stake_cents=terms.stake_cents)
    return settlement.strength_of(settlement.standings([user_id], pool)[user_id])


def pairs_of(user_id: int | None, others: Iterable[int]) -> dict[int, PairStanding]:
    """Where the reader stands with each of the others under the house's pair limit."""
    if user_id is None:
        return {}
    return pair_standings(user_id, set(others) - {user_id}, prices().pair_limit)


def table_row(
    table: Table,
    user_id: int | None,
    balance_cents: int | None,
    pair: PairStanding | None = None,
) -> Row:
    """A table that waits, with everything it costs and pays; `pair`: the reader and the opener."""
    terms = table_terms(table)
    waits = Waiting(table.pk, table.opener_id, table.people[0], table.strength_span, terms)
    row = _row(waits, user_id, balance_cents, pair)
    return {**row, "code": table.code, **terms_words(terms), **terms_facts(terms)}


def _row(
    table: Waiting, user_id: int | None, balance_cents: int | None, pair: PairStanding | None
) -> Row:
    """A table that waits, as the list shows it; its words are fragments, made from the terms."""
    terms = table.terms
    return {
        "id": table.id,
        "opener": table.opener,
        "terms": terms,
        "mode": terms.mode,
        "variant": terms.game_key,
        "strength_span": table.strength_span,
        "mine": table.opener_id == user_id,
        "affordable": balance_cents is not None and balance_cents >= terms.stake_cents,
        "pair": pair,
    }


def _my_row(table: Table, user_id: int) -> Row:
    state = table_state(table)
    seat = state.seat_of(user_id)
    return {
        "id": table.pk,
        "stake_cents": table.stake_cents,
        "opponent": table.people[1 - seat] if seat is not None else None,
        "my_turn": state.decider == seat,
        "code": table.code,
        "terms": state.terms,
    }


def people_rows(user_ids: list[int]) -> list[Row]:
    """Names with their strength in the prize pool, the strongest first."""
    people = get_user_model().objects.filter(pk__in=user_ids, is_active=True, is_guest=False)
    standings = settlement.standings(user_ids, "prize")
    rows = [
        {"name": name, "elo": standings[pk].whole, "strength": standings[pk].strength}
        for pk, name in people.values_list("pk", "username")
    ]
    return sorted(rows, key=lambda row: (-row["elo"], row["name"]))
