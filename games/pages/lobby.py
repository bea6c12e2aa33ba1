"""The lobby: open tables with filters, one's own tables, quick pairing, how much is played."""

from collections.abc import Collection, Iterable
from typing import Any, Final
from urllib.parse import urlencode
from uuid import UUID

from django.contrib.auth import get_user_model
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET

from accounts.faces import face_of
from accounts.guests import person_of
from games import settlement
from games.forms.filters import CodeForm, FilterForm
from games.forms.names import GAME_NAMES
from games.live.presence import people_online, people_online_count, person_seen
from games.models import Challenge, Table
from games.modes.registry import by_key as mode_by_key
from games.offered import free_game, variants_offered
from games.pages.cards import Waiting, again_row, favourite_rows, tables_waiting
from games.pages.counts import played_count
from games.pages.tiles import (
    choice_of,
    paces_of,
    stakes_of,
    stakes_offered,
    tiles,
    wait_words,
)
from games.pages.words import terms_facts, terms_words
from games.selectors import (
    challenges_waiting_for,
    prices,
    prices_read_once,
    table_state,
    table_terms,
    tables_running_of,
)
from games.selectors_lobby import (
    Sought,
    tables_counted,
    tables_sought,
)
from games.services.people import PairStanding, pair_standings
from games.services.running import running_of
from games.services.seats import StoodUpTooOften, pause_of_seats
from kit.paging import PLACES
from kit.sentences import sentence


@require_GET
def running(request: HttpRequest) -> HttpResponse:
    """The part of the header with the running games; fetched when one of them changed."""
    person_id = person_of(request)
    besides = _ids(request.GET.getlist("besides"))
    rows = [] if person_id is None else running_of(person_id, besides)
    context = {"running": rows, "challenges": _challenges(request) if besides else []}
    response = render(request, "games/running.html", context)
    response["Cache-Control"] = "no-store"
    return response


def _challenges(request: HttpRequest) -> Collection[Challenge]:
    """The challenges that the reader can answer; a table's page shows them in its header alone."""
    user = request.user
    return challenges_waiting_for(user.pk) if user.is_authenticated else ()


def _ids(texts: list[str]) -> list[UUID]:
    """The ids among these texts; what is no id names no table."""
    found = []
    for text in texts:
        try:
            found.append(UUID(text))
        except ValueError:
            continue
    return found


OPEN_TABLES_MAX: Final = 100
"""As many tables are on a page of the list."""

FILTERED_FROM: Final = 7
"""From as many open tables on the list has filters."""

ONLINE_MAX: Final = 40

Row = dict[str, Any]


@require_GET
@prices_read_once()
def lobby(request: HttpRequest) -> HttpResponse:
    """The games of one press, the house bots, and the tables that wait."""
    listed = _list_context(request)
    person_id = person_of(request)
    plays = person_id is not None and not listed["my_tables"] and bool(running_of(person_id))
    stakes = stakes_offered() if request.user.is_authenticated else ()
    choice = choice_of(request.GET, stakes)
    context = {
        **listed,
        "tiles": tiles(person_id, choice, listed["balance_cents"]),
        "asked": choice.asked,
        "stake_cents": choice.stake_cents,
        "gold": not listed["my_tables"] and not plays,
        "friend_query": urlencode({**choice.wishes, "private": "on"}),
        "paces": paces_of(choice),
        "stakes": stakes_of(choice, stakes),
        "wait": wait_words(),
        "friend": {**(free_game() or {}), "clock": choice.pace},
        "favourites": favourite_rows(request.user.pk),
        "again": again_row(request.user.pk),
        **_online(),
        "code_form": CodeForm(),
        "other_games_count": len(variants_offered(mode_by_key("normal"))) - 1,
    }
    return render(request, "games/lobby.html", context)


def _online() -> Row:
    """The people who are here: those seen last by name, and how many there are."""
    seen = people_online(ONLINE_MAX)
    online = people_rows(seen)
    all_named = len(seen) < ONLINE_MAX
    return {"online": online, "online_count": len(online) if all_named else people_online_count()}


@require_GET
def lobby_tables(request: HttpRequest) -> HttpResponse:
    """The part of the lobby that changes by itself."""
    response = render(
        request, "games/lobby_tables.html", {**_list_context(request), "swapped": True}
    )
    kept = ("pace", "stake", *FilterForm.base_fields, *PLACES)
    chosen = {name: request.GET[name] for name in kept if request.GET.get(name)}
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
    sought = _sought(filters.wanted(), user_id, balance_cents)
    page = tables_waiting(request.GET, OPEN_TABLES_MAX, tables_sought(sought, own_of=user_id))
    fitting, hidden = tables_counted(sought, own_of=user_id)
    pairs = pairs_of(user_id, [table.opener_id for table in page])
    return {
        "page": page,
        "place": {name: request.GET[name] for name in PLACES if request.GET.get(name)},
        "tables": [
            _row(table, user_id, balance_cents, pairs.get(table.opener_id)) for table in page
        ],
        "tables_fitting": fitting,
        "tables_hidden": hidden,
        "filters": filters,
        "has_filters": bool(filters.wanted()) or fitting >= FILTERED_FROM,
        "start_boards": sorted({table.terms.variant for table in page}),
        "my_tables": [_my_row(table, user_id) for table in mine] if user_id else [],
        "balance_cents": balance_cents,
        "played_count": played_count(),
        "pause": pause_text(user_id) if user_id else "",
    }


def _sought(wanted: Row, user_id: int | None, balance_cents: int | None) -> Sought:
    """The tables that the filters let through; a visitor can afford none, and all are near."""
    affordable, near = "affordable" in wanted, "near" in wanted and user_id is not None
    return Sought(
        mode=wanted.get("mode", ""),
        variant=wanted.get("variant", ""),
        stake_cents_most=(-1 if balance_cents is None else balance_cents) if affordable else None,
        strengths=settlement.strengths_in(GAME_NAMES, user_id) if near and user_id else None,
    )


def pause_text(user_id: int) -> str:
    """The lobby's message for a player during a pause; none for others."""
    until_ms = pause_of_seats(user_id)
    return "" if until_ms is None else sentence(StoodUpTooOften("", until_ms=until_ms))


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
        {
            "id": pk,
            "name": name,
            "bot": is_bot,
            "elo": standings[pk].whole,
            "strength": standings[pk].strength,
            "face": face_of(pk, name),
        }
        for pk, name, is_bot in people.values_list("pk", "username", "is_bot")
    ]
    return sorted(rows, key=lambda row: (-row["elo"], row["name"]))
