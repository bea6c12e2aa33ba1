"""A look at the pages as they would be: name and colours that an administrator has not yet saved.

The look is a signed cookie of the administrator's own browser, good for ten minutes. It counts for
reading pages alone, and for nothing that decides anything.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse

from accounts.models import User
from accounts.preferences import Theme
from house.parts import Content, HousePart, contents_usable
from house.reader import house_previewed

COOKIE: Final = "house_look"
SECONDS: Final = 600
PARTS: Final = frozenset({HousePart.NAME, HousePart.COLOURS})
"""The parts that change pages only."""

THEMES: Final = (Theme.AHORN.value, Theme.NUSSBAUM.value)
_SALT: Final = "pasch.house.look"
_RIGHT: Final = "house.decide_house"
_READING: Final = frozenset({"GET", "HEAD"})


def look_begin(
    response: HttpResponse, user: User, part: HousePart, content: Content, theme: str
) -> HttpResponse:
    """Let this person's browser show this content for a while, in this theme."""
    value = {"user": user.pk, "part": part.value, "content": content, "theme": theme}
    response.set_cookie(
        COOKIE,
        signing.dumps(value, salt=_SALT),
        max_age=SECONDS,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    return response


def look_of(request: HttpRequest) -> Mapping[str, Any] | None:
    """The look of this request; None without one, or where it is another person's or too old."""
    try:
        said = signing.loads(request.COOKIES.get(COOKIE, ""), salt=_SALT, max_age=SECONDS)
    except signing.BadSignature:
        return None
    user = request.user
    if not user.is_authenticated or user.pk != said["user"] or not user.has_perm(_RIGHT):
        return None
    return dict(said)


class HouseLook:
    """Show the look of an administrator who asked for one. Stands after the authentication."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request."""
        if COOKIE not in request.COOKIES or request.method not in _READING:
            return self.get_response(request)
        look = look_of(request)
        contents = dict(contents_usable({look["part"]: look["content"]})) if look else {}
        if look is None or not contents.keys() <= PARTS:
            return self.get_response(request)
        request.house_look = look  # type: ignore[attr-defined]  # read by templates
        with house_previewed(contents):
            return self.get_response(request)
