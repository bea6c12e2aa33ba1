"""Every page in the language its reader chose."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils import translation

from accounts.devices import device_cookie_set


class PreferredLanguageMiddleware:
    """Use the account's language; without one stays what LocaleMiddleware found.

    Stands after AuthenticationMiddleware. Asks for the account only when a session came along.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request in the reader's language."""
        if request.session.session_key and (language := getattr(request.user, "language", "")):
            translation.activate(language)
            request.LANGUAGE_CODE = translation.get_language()
        return self.get_response(request)


class DeviceMiddleware:
    """Send the cookie that identifies the browser after a login."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request."""
        response = self.get_response(request)
        device_cookie_set(request, response)
        return response
