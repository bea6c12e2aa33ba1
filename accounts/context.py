"""What every page knows about its reader."""

from django.http import HttpRequest

from accounts.models import Theme

THEME_COOKIE = "theme"


def preferences(request: HttpRequest) -> dict[str, object]:
    """Give templates `theme`: of the account, else of the device's cookie, else the house's own.

    The server writes it into the page, so that no page is ever drawn in another theme first.
    """
    return {"theme": theme_of(request)}


def theme_of(request: HttpRequest) -> str:
    """Return the theme to draw a page in."""
    user = getattr(request, "user", None)
    chosen = getattr(user, "theme", "") or request.COOKIES.get(THEME_COOKIE, "")
    return chosen if chosen in Theme.values else Theme.NUSSBAUM.value
