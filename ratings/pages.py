"""Pages of ratings: the ranking list and the public page of a player."""

from dataclasses import dataclass
from decimal import Decimal
from typing import cast

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from accounts.selectors import person_named
from ratings import privacy, selectors
from ratings.chart import polyline
from ratings.models import RatingChange
from ratings.pools import MAIN_POOLS, PoolLabel, pool_label, pool_order

SEARCH_LENGTH = 24
HISTORY_ROWS = 20
CHART_CHANGES = 100


@dataclass(frozen=True, slots=True)
class ShownChange:
    """One row of a player's page; `match` is None if the reader may not see the match."""

    delta: Decimal
    after: Decimal
    match: RatingChange | None


@require_safe
def ranking(request: HttpRequest) -> HttpResponse:
    """List the players of a pool by rating; one's own row is always in sight."""
    pools = selectors.pools(MAIN_POOLS)
    pool = _chosen_pool(request, pools)
    search = request.GET.get("search", "").strip()[:SEARCH_LENGTH]
    page = selectors.ranking(pool, search=search, page=request.GET.get("page", 1))
    own = None
    if request.user.is_authenticated:
        own = selectors.ranking_of(request.user.pk, pool)
    context = {
        "pool": pool,
        "pools": _labelled(pools),
        "search": search,
        "page": page,
        "own": own,
        "own_is_on_page": own is not None and any(r.user_id == own.user_id for r in page),
    }
    return render(request, "ratings/ranking.html", context)


@require_safe
def player(request: HttpRequest, username: str) -> HttpResponse:
    """Show a player's standing in every pool and how it came about, match by match."""
    person = person_named(username)
    if person is None:
        raise Http404
    if person.get_username() != username:
        return redirect("player", person.get_username())
    standings = selectors.pools_of(person.pk)
    pools = sorted({*MAIN_POOLS, *standings}, key=pool_order)
    pool = _chosen_pool(request, pools)
    history = selectors.history(person.pk, pool)
    recent = list(history[:CHART_CHANGES])
    context = {
        "person": person,
        "pool": pool,
        "pools": _labelled(pools),
        "view": standings.get(pool, selectors.RatingView()),
        "row": selectors.ranking_of(person.pk, pool),
        "record": selectors.record(person.pk, pool),
        "changes": _changes_page(request, history),
        "chart": polyline([change.after for change in reversed(recent)], first=recent[-1].before)
        if recent
        else None,
    }
    return render(request, "ratings/player.html", context)


def _changes_page(request: HttpRequest, history: QuerySet[RatingChange]) -> "Page[ShownChange]":
    """One page of rating changes; of private matches their effect on the rating alone."""
    page = Paginator(history, HISTORY_ROWS).get_page(request.GET.get("page", 1))
    changes = list(page.object_list)
    hidden = privacy.hidden_from(request.user, {change.reference for change in changes})
    shown = cast("Page[ShownChange]", page)
    shown.object_list = [
        ShownChange(change.delta, change.after, None if change.reference in hidden else change)
        for change in changes
    ]
    return shown


def _chosen_pool(request: HttpRequest, pools: list[str]) -> str:
    """Return the pool that was asked for if it exists, else the first."""
    asked = request.GET.get("pool", "")
    return asked if asked in pools else pools[0]


def _labelled(pools: list[str]) -> list[tuple[str, PoolLabel]]:
    return [(pool, pool_label(pool)) for pool in pools]
