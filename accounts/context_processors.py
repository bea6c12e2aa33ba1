"""Template context about the reader, for every page."""

from typing import Final

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from accounts.guests import guest_of
from accounts.models import User
from accounts.preferences import Theme, Value
from accounts.reader_preferences import choices_of

#: `--bg` of each theme in static/css/tokens.css: browsers colour their own frame with it.
THEME_COLOURS: Final = {
    Theme.NUSSBAUM.value: "#15110e",
    Theme.AHORN.value: "#f3ede2",
    Theme.KONTRAST.value: "#000000",
}


def preferences(request: HttpRequest) -> dict[str, object]:
    """Give templates what the reader has chosen, as `preferences`, and the `theme` of the page.

    The server writes theme, board and checkers into the page, so that no page is first drawn in
    others; an administrator's look at other colours (`house_look`) has its own theme. The theme
    `device` follows the device's own scheme by style sheets alone. `guest` is the guest who reads,
    or a false value; it is looked up on first use.
    """
    choices = choices_of(request)
    look = getattr(request, "house_look", None)
    theme = look["theme"] if look else choices["theme"]
    return {
        "house_look": look,
        "preferences": choices,
        "theme": theme,
        "theme_colours": theme_colours(theme),
        "guest": SimpleLazyObject(lambda: _guest(request)),
    }


def theme_colours(theme: Value) -> list[tuple[str, str]]:
    """The colours of the browser's frame as pairs of media query and colour."""
    if colour := THEME_COLOURS.get(str(theme)):
        return [("", colour)]
    return [
        ("(prefers-color-scheme: dark)", THEME_COLOURS[Theme.NUSSBAUM]),
        ("(prefers-color-scheme: light)", THEME_COLOURS[Theme.AHORN]),
    ]


def _guest(request: HttpRequest) -> User | None:
    if not hasattr(request, "session") or request.user.is_authenticated:
        return None
    return guest_of(request.session)
