"""Browsers from which a person has logged in: a signed cookie with one entry for each person.

Such a browser has its own count of wrong passwords (accounts/login_limits.py), so other people
cannot lock it out. The cookie is not a login. It also names the browser, the same for all its
people, so that accounts of one browser are found (accounts/login_marks.py).
"""

import secrets
from typing import Any, Final

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse

from accounts.login_marks import marks_note

SALT: Final = "pasch.device"
YEAR_SECONDS: Final = 365 * 24 * 60 * 60
#: the number of people stored per browser; the one with the oldest login is dropped first
PEOPLE_MAX: Final = 5
BROWSER: Final = "browser"
"""The entry with the browser's own name."""


def device_of(request: HttpRequest, user_id: int) -> str | None:
    """The name of this browser for this person; None if they never logged in from here."""
    return _known(request).get(str(user_id))


def device_learn(request: HttpRequest, user_id: int) -> None:
    """Store this person in the browser's cookie with the response to this request, and the marks
    of this login in the database."""
    browser = _known(request).get(BROWSER) or secrets.token_urlsafe(12)
    request._device = user_id, browser  # type: ignore[attr-defined] # DeviceMiddleware reads it
    marks_note(user_id, browser=browser, address=request.META.get("REMOTE_ADDR", ""))


def device_cookie_set(request: HttpRequest, response: HttpResponse) -> None:
    """Send the cookie where this request has taught us something."""
    learnt = getattr(request, "_device", None)
    if learnt is None:
        return
    user_id, browser = learnt
    known = _known(request)
    known.pop(BROWSER, None)
    name = known.pop(str(user_id), None) or secrets.token_urlsafe(12)
    kept = dict(list(known.items())[1 - PEOPLE_MAX :])
    response.set_cookie(
        settings.DEVICE_COOKIE_NAME,
        signing.dumps({BROWSER: browser, **kept, str(user_id): name}, salt=SALT),
        max_age=YEAR_SECONDS,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def _known(request: HttpRequest) -> dict[str, str]:
    """People by id, each with the name of this browser; the one who logged in last stands last."""
    value = request.COOKIES.get(settings.DEVICE_COOKIE_NAME, "")
    try:
        known: Any = signing.loads(value, salt=SALT, max_age=YEAR_SECONDS)
    except signing.BadSignature:
        return {}
    return known if isinstance(known, dict) else {}
