"""The house on a home screen: its manifest, and the one page that is shown without a network.

The worker keeps that page and its styles, and nothing else: no other page ever comes out of a
browser's memory, so no balance and no table is ever an old one.
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

from accounts.context import THEME_COLOURS
from accounts.models import Theme
from pasch.assets.icons import ICONS

STYLES: Final = ("css/tokens.css", "css/base.css", "css/components.css")
LANGUAGES: Final = ("de", "en")


@require_safe
def manifest(request: HttpRequest) -> HttpResponse:
    """What a phone wants to know to put the house on its home screen."""
    told = {
        "id": "/",
        "name": "Pasch",
        "short_name": "Pasch",
        "description": _("Online backgammon: ranked, live, and played for credits."),
        "lang": get_language(),
        "start_url": reverse("lobby"),
        "scope": "/",
        "display": "standalone",
        "background_color": THEME_COLOURS[Theme.NUSSBAUM],
        "theme_color": THEME_COLOURS[Theme.NUSSBAUM],
        "categories": ["games"],
        "icons": [
            {
                "src": static(f"icons/{icon.name}"),
                "sizes": f"{icon.size}x{icon.size}",
                "type": "image/png",
                "purpose": "maskable" if icon.fills else "any",
            }
            for icon in ICONS
            if "touch" not in icon.name
        ]
        + [{"src": static("favicon.svg"), "sizes": "any", "type": "image/svg+xml"}],
    }
    return JsonResponse(told, content_type="application/manifest+json")


@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """The page for when there is no network, in every language: it is kept before it is needed."""
    return HttpResponse(_offline_page())


def _offline_page() -> str:
    told = []
    for language in LANGUAGES:
        with override(language):
            told.append(
                {
                    "language": language,
                    "title": _("There is no connection"),
                    "text": _(
                        "Pasch is played live, so without the internet there is nothing to show. "
                        "A running match waits for you as long as your clock has time."
                    ),
                    "again": _("Try again"),
                }
            )
    return render_to_string("pasch/offline.html", {"told": told})


@require_safe
def worker(request: HttpRequest) -> HttpResponse:
    """The script that shows the offline page; another page or style makes it another script."""
    page = _offline_page()
    context = {
        "version": hashlib.sha256(page.encode()).hexdigest()[:12],
        "page": reverse("offline"),
        "kept": [reverse("offline"), *map(static, STYLES), static("favicon.svg")],
    }
    response = render(request, "pasch/worker.js", context, content_type="text/javascript")
    response["Cache-Control"] = "no-cache"
    return response
