"""The session of a request, its language, its browser, and the crowd that it comes in."""

from collections.abc import Callable
from typing import Final

from django.conf import settings
from django.contrib.sessions.middleware import SessionMiddleware
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.utils.translation.trans_real import parse_accept_lang_header

from accounts.crowds import Crowded
from accounts.login_marks import device_cookie_set
from house.parts import HousePart
from house.reader import House, house_now

PERSONAL: Final = ("/account", "/wallet", "/api", "/desk", "/admin")
"""Pages that show what is nobody else's business: no browser keeps them."""

UNSENT: Final = ("csrfmiddlewaretoken", "proof")
"""Fields that the page with the puzzle has anew."""


class CurrentSessionMiddleware(SessionMiddleware):
    """Delete the session's cookie only where this very request ended the session.

    A login replaces the session, and with it the cookie. A request of another tab may still have
    the old cookie, and its answer may arrive after the login's. Django's own middleware deletes
    the cookie then, which is the new one by that time: the reader would be logged out at once.
    """

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """Add or delete the session's cookie; no shared cache keeps what was made for it."""
        response = super().process_response(request, response)
        if request.session.is_empty() and not request.session.modified:
            response.cookies.pop(settings.SESSION_COOKIE_NAME, None)
        if request.session.accessed and not response.has_header("Cache-Control"):
            own = request.path.startswith(PERSONAL)
            response["Cache-Control"] = "private, no-store" if own else "private"
        return response


class PreferredLanguageMiddleware:
    """Use the account's language; without one stays what LocaleMiddleware found.

    A house that has chosen its languages shows no other one.

    Stands after AuthenticationMiddleware. Asks for the account only when a session came along.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request in the reader's language."""
        house = house_now()
        language = getattr(request.user, "language", "") if request.session.session_key else ""
        if house.content(HousePart.LANGUAGES):
            language = language if language in house.languages else language_asked(request, house)
        if language:
            translation.activate(language)
            request.LANGUAGE_CODE = translation.get_language()
        return self.get_response(request)


def language_asked(request: HttpRequest, house: House) -> str:
    """The first of this house's languages that the device or the browser asks for."""
    asked = [request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, "")]
    header = request.META.get("HTTP_ACCEPT_LANGUAGE", "")
    asked += [code.partition("-")[0] for code, _weight in parse_accept_lang_header(header)]
    return next((code for code in asked if code in house.languages), house.usual_language)


class DeviceMiddleware:
    """Send the cookie that identifies the browser after a login."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request."""
        response = self.get_response(request)
        device_cookie_set(request, response)
        return response


class CrowdMiddleware:
    """Answer who needs a proof of work with a page that solves it and sends the request again.

    Stands last, so that the page passes through all others.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request."""
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """The page with the puzzle; it begins by itself unless a proof has just been refused."""
        if not isinstance(error, Crowded):
            return None
        sent = [(n, v) for n, vs in request.POST.lists() if n not in UNSENT for v in vs]
        puzzle = error.door.puzzle(request.META.get("REMOTE_ADDR", ""))
        context = {"sent": sent, "puzzle": puzzle, "again": "proof" in request.POST}
        return render(request, "shell/crowded.html", context, status=429)
