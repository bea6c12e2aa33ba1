"""The pages of logins: the browser of one in words, the puzzle to register, providers."""

import re
from typing import Any, Final

from django import template
from django.conf import settings
from django.utils.translation import gettext as _

from accounts.crowds import SIGN_UP, Puzzle
from accounts.providers.configuration import LoginProvider

register = template.Library()

#: the first that fits counts: most browsers name others, too
BROWSERS: Final = (
    (r"Edg", "Edge"),
    (r"OPR/|Opera", "Opera"),
    (r"SamsungBrowser", "Samsung Internet"),
    (r"Firefox/|FxiOS", "Firefox"),
    (r"Chrome/|CriOS|Chromium", "Chrome"),
    (r"Safari/", "Safari"),
)
SYSTEMS: Final = (
    (r"Windows", "Windows"),
    (r"Android", "Android"),
    (r"iPhone|iPad", "iOS"),
    (r"Mac OS X|Macintosh", "macOS"),
    (r"CrOS", "ChromeOS"),
    (r"Linux|X11", "Linux"),
)


@register.filter
def browser_words(user_agent: str) -> str:
    """The browser and the system that a login names; programs name neither."""
    found = [_first(BROWSERS, user_agent), _first(SYSTEMS, user_agent)]
    return ", ".join(filter(None, found)) or user_agent[:40] or _("unknown device")


@register.simple_tag(takes_context=True)
def signup_puzzle(context: dict[str, Any]) -> Puzzle | None:
    """A puzzle for this browser; None while so few sign up that none is needed."""
    address = context["request"].META.get("REMOTE_ADDR", "")
    if not context.get("proof_needed") and not SIGN_UP.is_crowded(address):
        return None
    return SIGN_UP.puzzle(address)


def _first(patterns: tuple[tuple[str, str], ...], user_agent: str) -> str:
    return next((name for pattern, name in patterns if re.search(pattern, user_agent)), "")


@register.simple_tag
def login_providers() -> tuple[LoginProvider, ...]:
    """Return the operator's providers, in the operator's order."""
    return tuple(settings.LOGIN_PROVIDERS)
