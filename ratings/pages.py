"""The page of the ranking list."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from ratings import selectors
from ratings.pools import MAIN_POOLS, pool_chosen, pool_groups, pool_label

SEARCH_LENGTH = 24


@require_safe
def ranking(request: HttpRequest) -> HttpResponse:
    """List the players of a pool by rating; one's own row is always in sight."""
    pools = selectors.pools(MAIN_POOLS)
    pool = pool_chosen(pools, request.GET.get("pool", ""))
    search = request.GET.get("search", "").strip()[:SEARCH_LENGTH]
    page = selectors.ranking(pool, search=search, asked=request.GET)
    own = None
    if request.user.is_authenticated:
        own = selectors.ranking_of(request.user.pk, pool)
    context = {
        "pool": pool,
        "pool_label": pool_label(pool),
        "pools": pool_groups(pools),
        "search": search,
        "page": page,
        "own": own,
        "reader_id": request.user.pk,
        "own_is_on_page": own is not None and any(r.user_id == own.user_id for r in page),
    }
    return render(request, "ratings/ranking.html", context)
