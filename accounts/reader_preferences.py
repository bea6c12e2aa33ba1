"""The choices of a reader: with the account, else in a cookie of the browser, else the default.

The cookie also serves people with an account, on pages before they log in.
"""

from collections.abc import Iterable, Mapping
from typing import Final
from urllib.parse import parse_qsl, urlencode
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.utils.functional import SimpleLazyObject

from accounts.guests import guest_of
from accounts.models import User
from accounts.preferences import (
    COLUMNS,
    HOUSE_LOOK,
    PREFERENCES,
    USUAL_LOOK,
    Preference,
    Theme,
    Value,
)
from house.parts import HousePart
from house.reader import house_now

COOKIE: Final = "preferences"
YEAR_SECONDS: Final = 365 * 24 * 60 * 60
#: a cookie that is longer was not made here
COOKIE_MAX: Final = 2_000


def choices_of(request: HttpRequest) -> dict[str, Value]:
    """All preferences with the values that hold for the reader.

    The board of the house holds for readers who have chosen none, and for administrators who look
    at it before it is saved. In a house without one, it and Pasch's usual board are the same.
    """
    made = made_choices(request)
    values = {key: made.get(key, each.default) for key, each in PREFERENCES.items()}
    look = getattr(request, "house_look", None)
    looked_at = look is not None and look["part"] == HousePart.COLOURS
    none_own = house_now().board is None
    for key, usual in USUAL_LOOK.items():
        if looked_at or (none_own and values[key] == usual):
            values[key] = HOUSE_LOOK
    return values


def made_choices(request: HttpRequest) -> dict[str, Value]:
    """The reader's choices: with the account, and on the device what the account leaves."""
    user = getattr(request, "user", None)
    account = account_choices(user) if getattr(user, "is_authenticated", False) else {}
    return {**device_choices(request.COOKIES), **account}


def account_choices(user: User | AnonymousUser | None) -> dict[str, Value]:
    """The choices of the account; keys and values the house no longer has are left out."""
    stored = dict(getattr(user, "preferences", None) or {})
    for key in COLUMNS:
        if value := getattr(user, key, ""):
            stored[key] = value
    return {key: value for key, value in stored.items() if _known(key, value)}


def zone_of(request: HttpRequest) -> ZoneInfo:
    """The time zone that the reader has chosen; UTC while that is left to the device."""
    return ZoneInfo(str(choices_of(request)["zone"]) or "UTC")


def country_shown(person: User) -> str:
    """The code of the country that everybody sees beside a person's name, or nothing."""
    return str(account_choices(person).get("country", ""))


def device_choices(cookies: Mapping[str, str]) -> dict[str, Value]:
    """The choices of this browser, from its cookies; anything else in them is left out."""
    text = cookies.get(COOKIE, "")
    chosen: dict[str, Value] = {}
    pairs = parse_qsl(text, keep_blank_values=True) if len(text) <= COOKIE_MAX else []
    for key, value in pairs:
        known = PREFERENCES.get(key)
        if known is None or key == "language":
            continue
        try:
            chosen[key] = known.parse(value)
        except ValueError:
            continue
    language = cookies.get(settings.LANGUAGE_COOKIE_NAME, "")
    if language and PREFERENCES["language"].allows(language):
        chosen["language"] = language
    return chosen


def remember(request: HttpRequest, response: HttpResponse, chosen: Mapping[str, Value]) -> None:
    """Store choices in the browser, besides those it has."""
    if "language" in chosen:
        _remember_language(request, response, str(chosen["language"]))
    kept = {**device_choices(request.COOKIES), **chosen}
    kept.pop("language", None)
    text = urlencode({key: _text(value) for key, value in kept.items()})
    _set(request, response, COOKIE, text)


def choices_in_form(data: Mapping[str, str], keys: Iterable[str]) -> dict[str, Value]:
    """The values of those preferences in a form. Raises ValueError, naming the key."""
    chosen = {}
    for key in keys:
        if key not in PREFERENCES:
            raise ValueError(f"{key}: no such preference")
        chosen[key] = PREFERENCES[key].parse(data.get(key))
    return chosen


def _known(key: str, value: object) -> bool:
    known: Preference | None = PREFERENCES.get(key)
    return known is not None and known.allows(value)


def _text(value: Value) -> str:
    return str(int(value)) if isinstance(value, bool) else str(value)


def _remember_language(request: HttpRequest, response: HttpResponse, language: str) -> None:
    if language:
        _set(request, response, settings.LANGUAGE_COOKIE_NAME, language)
    else:
        response.delete_cookie(settings.LANGUAGE_COOKIE_NAME, samesite="Lax")


def _set(request: HttpRequest, response: HttpResponse, name: str, value: str) -> None:
    response.set_cookie(
        name,
        value,
        max_age=YEAR_SECONDS,
        secure=request.is_secure(),
        httponly=True,
        samesite="Lax",
    )


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
