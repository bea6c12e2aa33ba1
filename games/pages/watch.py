"""Matches that anybody may watch, each on a small board."""

from collections.abc import Iterator
from typing import Any, Final
from uuid import UUID

import msgspec
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET, require_safe

from games.models import Table
from games.pages.words import terms_words
from games.selectors import table_state, tables_played
from games.table.view import glance

#: as many boards are on one page; among so many tables, the last touched, they are looked for.
BOARDS_MAX: Final = 24
LOOKED_AT_MAX: Final = 100

Row = dict[str, Any]


@require_safe
def watch(request: HttpRequest) -> HttpResponse:
    """The matches that are played now, those of the strongest players first."""
    rows = sorted(tables_watchable(), key=_strength, reverse=True)
    shown = rows[:BOARDS_MAX]
    context = {
        "tables": [
            {**played_row(row), "mine": request.user.pk in row["player_ids"]} for row in shown
        ],
        "views": {str(row["id"]): board_of(row) for row in shown},
        "tables_left": len(rows) - len(shown),
    }
    return render(request, "games/watch.html", context)


@require_GET
def watch_boards(request: HttpRequest) -> HttpResponse:
    """The current state of the page's boards; `more` is set if it has room for other tables.

    A table that is unknown or takes no watchers is left out. A malformed id is refused (400).
    """
    try:
        ids = [UUID(text) for text in request.GET.getlist("table")[:BOARDS_MAX]]
    except ValueError:
        return HttpResponseBadRequest("table: not the id of a table\n", content_type="text/plain")
    states = [(table.pk, table_state(table)) for table in Table.objects.filter(pk__in=ids)]
    views = {str(pk): glance(state) for pk, state in states if state.terms.watchers}
    running = sum(view.phase not in ("over", "closed") for view in views.values())
    more = running < BOARDS_MAX and any(
        row["id"] not in ids for row in tables_watchable(BOARDS_MAX + 1)
    )
    return JsonResponse({"tables": msgspec.to_builtins(views), "more": more})


def tables_watchable(at_first: int = LOOKED_AT_MAX) -> Iterator[Row]:
    """Tables with their two players and their states; none that takes no watchers.

    Reads `at_first` of them, and the others only for a caller who has not enough of these.
    """
    played, seen = tables_played().defer("fair"), set[UUID]()
    for begin, end in ((0, at_first), (at_first, LOOKED_AT_MAX)):
        for table in played[begin:end]:
            row = None if table.pk in seen else _row(table)
            seen.add(table.pk)
            if row is not None:
                yield row


def _row(table: Table) -> Row | None:
    state = table_state(table)
    if not state.terms.watchers or state.match is None:
        return None
    return {
        "id": table.pk,
        "players": table.people,
        "player_ids": (table.opener_id, table.guest_id),
        "stake_cents": table.stake_cents,
        "state": state,
    }


def played_row(row: Row) -> Row:
    """A watchable table as templates/games/played.html shows it: with its score and its terms."""
    state = row["state"]
    return {**row, "score": state.match.score, **terms_words(state.terms)}


def board_of(row: Row) -> Row:
    """The view for the board of a watchable table."""
    return dict(msgspec.to_builtins(glance(row["state"])))


def _strength(row: Row) -> int:
    """The ratings together; a guest counts nothing."""
    return sum(person["elo"] or 0 for person in row["players"])
