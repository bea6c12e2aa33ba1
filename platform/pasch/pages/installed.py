"""The installed app: its manifest, its service worker, and the page that is shown offline.

The worker caches that page and its styles and nothing else. All other pages come from the server,
so no balance and no table is ever out of date.
"""

import hashlib
from typing import Final

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.preferences import Theme
from accounts.reader_preferences import THEME_COLOURS
from house.reader import house_now
from pasch.house_identity import logo_shown, style_address

#: pictures of the sign (static/favicon.svg) in static/icons/: name, size in pixels, purpose
ICONS: Final = (
    ("pasch-192.png", 192, "any"),
    ("pasch-512.png", 512, "any"),
    ("pasch-maskable-512.png", 512, "maskable"),
)
STYLES: Final = ("css/tokens.css", "css/base.css", "css/components.css", "css/brand.css")


@require_safe
def manifest(request: HttpRequest) -> HttpResponse:
    """The web app manifest, with which a phone puts the house on its home screen."""
    manifest = {
        "id": "/",
        "name": house_now().name,
        "short_name": house_now().name,
        "description": _("Online backgammon: ranked, live, and played for credits."),
        "lang": get_language(),
        "start_url": reverse("home"),
        "scope": "/",
        "display": "standalone",
        "background_color": THEME_COLOURS[Theme.NUSSBAUM],
        "theme_color": THEME_COLOURS[Theme.NUSSBAUM],
        "categories": ["games"],
        "icons": [
            {
                "src": static(f"icons/{name}"),
                "sizes": f"{size}x{size}",
                "type": "image/png",
                "purpose": purpose,
            }
            for name, size, purpose in ICONS
        ]
        + [{"src": static("favicon.svg"), "sizes": "any", "type": "image/svg+xml"}],
        "shortcuts": [
            {"name": _("Play"), "url": reverse("lobby")},
            {"name": _("Position of the day"), "url": reverse("exercise_today")},
            {"name": _("Watch"), "url": reverse("watch")},
        ],
    }
    return JsonResponse(manifest, content_type="application/manifest+json")


@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """The offline page, in every language because it is cached before it is needed."""
    return HttpResponse(_offline_page())


def _offline_page() -> str:
    texts = []
    for language in house_now().languages:
        with override(language):
            texts.append(
                {
                    "language": language,
                    "title": _("There is no connection"),
                    "text": _(
                        "%(house)s is played live, so without the internet there is nothing to"
                        " show. A running match waits for you as long as your clock has time."
                    )
                    % {"house": house_now().name},
                    "again": _("Try again"),
                }
            )
    return render_to_string("pasch/offline.html", {"texts": texts})


@require_safe
def worker(request: HttpRequest) -> HttpResponse:
    """The service worker of the offline page; its version changes with the page."""
    page = _offline_page()
    logo = logo_shown()
    pages = [reverse("offline"), style_address(), logo.address if logo else ""]
    context = {
        "version": hashlib.sha256(page.encode()).hexdigest()[:12],
        "page": reverse("offline"),
        "kept": [*filter(None, pages), *map(static, STYLES), static("favicon.svg")],
    }
    response = render(request, "pasch/worker.js", context, content_type="text/javascript")
    response["Cache-Control"] = "no-cache"
    return response
