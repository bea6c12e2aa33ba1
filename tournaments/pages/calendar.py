"""The calendar: sit-and-gos that fill, what comes, what runs, what is over, what is one's own."""

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from games import settlement
from games.modes.registry import mode_of
from tournaments.models import Tournament
from tournaments.offers import BY_KEY
from tournaments.pages.feeds import public_addresses
from tournaments.pages.words import SIDE_PRIZES, line_of
from tournaments.pools import Pool
from tournaments.selectors import announced, entered_by, filling, finished, running, running_count
from tournaments.services.running import pool_of
from tournaments.services.store import table_terms_of, terms_of
from tournaments.services.words import name_of

TABS: Final = ("coming", "running", "finished", "mine")

#: the seats of larger fields are a number alone.
SEATS_DRAWN_MAX: Final = 16

Row = dict[str, Any]


@require_GET
def calendar(request: HttpRequest) -> HttpResponse:
    """All tournaments, by tabs; for htmx, only the part that changes."""
    tab = request.GET.get("tab", TABS[0])
    tab = tab if tab in TABS else TABS[0]
    part = request.headers.get("HX-Request")
    page = "tournaments/calendar_part.html" if part else "tournaments/calendar.html"
    context = {"tab": tab, **public_addresses(request), **_context(request, tab)}
    return render(request, page, context)


def _context(request: HttpRequest, tab: str) -> Row:
    user_id = request.user.pk
    mine = entered_by(user_id) if user_id else []
    entered = {tournament.pk for tournament in mine}
    balance_cents = settlement.balance_cents(user_id) if user_id else None
    context: Row = {"balance_cents": balance_cents}
    runs = running(user_id) if tab == "running" else None
    context["running_count"] = running_count(user_id) if runs is None else len(runs)
    context["mine_count"] = len(mine)
    if tab == "coming":
        context["entered"] = [row_of(each) for each in mine]
        context["sit_and_gos"] = [
            row_of(each, entered=each.pk in entered, balance_cents=balance_cents)
            for each in filling(user_id)
        ]
        context["rows"] = [row_of(each, entered=each.pk in entered) for each in announced(user_id)]
        _mark_next(context["sit_and_gos"])
    elif tab == "running":
        context["rows"] = [row_of(each, entered=each.pk in entered) for each in runs or ()]
    elif tab == "finished":
        context["rows"] = [row_of(each) for each in finished(user_id)]
    else:
        found = entered_by(user_id, all_of_them=True) if user_id else []
        context["rows"] = [row_of(each, entered=True) for each in found]
    return context


def _mark_next(rows: list[Row]) -> None:
    """Mark the sit-and-go that is nearest to full and can be paid; free ones before others."""
    open_to_me = [row for row in rows if not row["entered"] and row["affordable"]]
    if open_to_me:
        nearest = min(open_to_me, key=lambda row: (row["free"], row["fee_cents"] > 0))
        nearest["next"] = True


def row_of(
    tournament: Tournament, *, entered: bool = False, balance_cents: int | None = None
) -> Row:
    """A tournament with what it costs and pays; of one that fills also if it were full."""
    terms, taken = terms_of(tournament), getattr(tournament, "taken", 0)
    now, full = pool_of(tournament, taken), pool_of(tournament, terms.most)
    fee_cents, table_terms = tournament.fee_cents, table_terms_of(tournament)
    return {
        "tournament": tournament,
        "id": tournament.pk,
        "name": name_of(tournament),
        "line": line_of(tournament),
        "taken": taken,
        "most": terms.most,
        "least": terms.least,
        "free": terms.most - taken,
        "seats": seats_of(taken, terms.most),
        "fee_cents": fee_cents,
        "rake_each_cents": fee_cents * tournament.rake_bps // 10_000,
        "prizes_cents": now.prizes_cents,
        "first_cents": now.of_places()[0] if fee_cents and taken else 0,
        "full": full,
        "full_places": places_rows(full.of_places()) if fee_cents else [],
        "full_sides": sides_rows(full) if fee_cents else [],
        "target": None if tournament.satellite_of is None else name_of(tournament.satellite_of),
        "entered": entered,
        "with_bots": tournament.offer in BY_KEY and BY_KEY[tournament.offer].with_bots,
        "rated": mode_of(table_terms).rated(table_terms),
        "affordable": not fee_cents or (balance_cents is not None and balance_cents >= fee_cents),
    }


def seats_of(taken: int, most: int) -> list[bool]:
    """Whether each seat is taken, of so few that they are drawn."""
    return [True] * taken + [False] * (most - taken) if most <= SEATS_DRAWN_MAX else []


def sides_rows(pool: Pool, winners: Sequence[str] = ()) -> list[Row]:
    """The prizes beside those of the places, with the names of those who won them."""
    return [
        {"title": title, "cents": cents, "winner": winner}
        for title, cents, winner in zip_longest(SIDE_PRIZES, pool.sides_cents, winners)
        if cents
    ]


def places_rows(prizes: tuple[int, ...]) -> list[Row]:
    """The prizes by place, equal neighbours together: 3–4."""
    rows: list[Row] = []
    for number, cents in enumerate(prizes, start=1):
        if rows and rows[-1]["cents"] == cents:
            rows[-1]["last"] = number
        else:
            rows.append({"first": number, "last": number, "cents": cents})
    return rows
