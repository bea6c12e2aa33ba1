"""For search engines: what they may read (`/robots.txt`), and a map of what everybody may read."""

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import escape
from django.views.decorators.http import require_safe

from backgammon.rules.match import SERIES
from backgammon.rules.variants import KEYS
from games.lessons.registry import ALL
from pasch.pages.papers import PAPERS

#: what is of no use to a search engine: forms, what only its owner sees, and programs' addresses.
NOT_READ: Final = (
    "/account/",
    "/accounts/",
    "/admin/",
    "/api/",
    "/desk/",
    "/health/",
    "/metrics/",
    "/play/open/",
    "/play/terms/",
    "/settings/",
    "/wallet/",
)
#: the pages that everybody may read and that stay
PAGES: Final = (
    "home",
    "lobby",
    "watch",
    "rules",
    "rules_openings",
    "rules_chouette",
    "learn",
    "exercises",
    "exercise_today",
    "analysis_board",
    "analysis_method",
    "ranking",
    "tournaments",
    "tournament_rules",
    "fair",
    "fair_dice",
    "fairplay",
    *(page.replace("-", "_") for page in PAPERS),
)
_HEAD: Final = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
)


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """Return which addresses search engines should leave out, and where the map is."""
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in NOT_READ)]
    lines.append(f"Sitemap: {request.build_absolute_uri(reverse('sitemap'))}")
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")


@require_safe
def sitemap(request: HttpRequest) -> HttpResponse:
    """Return the map of the site: pages that everybody may read, rules of each game, lessons."""
    games = (reverse("rules_game", args=[key]) for key in (*KEYS, *SERIES))
    lessons = (reverse("lesson", args=[each.key]) for each in ALL)
    entries = "".join(
        f"<url><loc>{escape(request.build_absolute_uri(path))}</loc></url>\n"
        for path in (*map(reverse, PAGES), *games, *lessons)
    )
    return HttpResponse(f"{_HEAD}{entries}</urlset>\n", content_type="application/xml")
