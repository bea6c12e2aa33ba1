"""Every page in the language its reader chose."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.translation.trans_real import parse_accept_lang_header

from accounts.devices import device_cookie_set
from accounts.house.parts import Part
from accounts.house.reader import House, house_now


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
        if house.content(Part.LANGUAGES):
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
