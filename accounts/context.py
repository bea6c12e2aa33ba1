"""Template context about the reader, for every page."""

from typing import Final

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from accounts.guests import guest_of
from accounts.models import Theme, User

THEME_COOKIE = "theme"

#: `--bg` of each theme in static/css/tokens.css: browsers colour their own frame with it.
THEME_COLOURS: Final = {
    Theme.NUSSBAUM.value: "#15110e",
    Theme.AHORN.value: "#f3ede2",
    Theme.KONTRAST.value: "#000000",
}


def preferences(request: HttpRequest) -> dict[str, object]:
    """Give templates `theme`: of the account, else of the device's cookie, else the house's own.

    The server writes it into the page, so that no page is first drawn in another theme, and
    browsers colour their own frame with `theme_colour`. `guest` is the guest who reads, or a false
    value; it is looked up on first use.
    """
    theme = theme_of(request)
    return {
        "theme": theme,
        "theme_colour": THEME_COLOURS[theme],
        "guest": SimpleLazyObject(lambda: _guest(request)),
    }


def _guest(request: HttpRequest) -> User | None:
    if not hasattr(request, "session") or request.user.is_authenticated:
        return None
    return guest_of(request.session)


def theme_of(request: HttpRequest) -> str:
    """Return the theme to draw a page in."""
    user = getattr(request, "user", None)
    chosen = getattr(user, "theme", "") or request.COOKIES.get(THEME_COOKIE, "")
    return chosen if chosen in Theme.values else Theme.NUSSBAUM.value
