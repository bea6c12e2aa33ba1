"""Browsers that a person has logged in from: known by a signed cookie, one entry for each person.

A known browser has a count of wrong passwords of its own (accounts/login_limits.py), so nobody else
can lock it out. The cookie logs nobody in.
"""

import secrets
from typing import Any, Final

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse

SALT: Final = "pasch.device"
YEAR_SECONDS: Final = 365 * 24 * 60 * 60
#: as many people of one browser are known; the one who has not logged in for longest goes first.
PEOPLE_MAX: Final = 5


def device_of(request: HttpRequest, user_id: int) -> str | None:
    """The name of this browser for this person; None if they never logged in from here."""
    return _known(request).get(str(user_id))


def device_learn(request: HttpRequest, user_id: int) -> None:
    """From the answer to this request on, this browser is known to be used by this person."""
    request._device_user = user_id  # type: ignore[attr-defined] # DeviceMiddleware reads it


def device_cookie_set(request: HttpRequest, response: HttpResponse) -> None:
    """Send the cookie where this request has taught us something."""
    user_id = getattr(request, "_device_user", None)
    if user_id is None:
        return
    known = _known(request)
    name = known.pop(str(user_id), None) or secrets.token_urlsafe(12)
    kept = dict(list(known.items())[1 - PEOPLE_MAX :])
    response.set_cookie(
        settings.DEVICE_COOKIE_NAME,
        signing.dumps({**kept, str(user_id): name}, salt=SALT),
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
