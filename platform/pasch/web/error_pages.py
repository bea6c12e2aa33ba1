"""Pages for requests that are refused before a view runs: a form without its token, a bad request.

They are rendered without session and database, so that they appear whatever failed.
"""

from http import HTTPStatus
from urllib.parse import urlsplit

from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import REASON_NO_CSRF_COOKIE
from django.template.loader import render_to_string
from django.utils.http import url_has_allowed_host_and_scheme

_TOO_LARGE = (RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """The page for a form without a valid token: cookies are off, or the form is out of date.

    It links back to the page of the form, if the browser named it.
    """
    context = {"no_cookies": reason == REASON_NO_CSRF_COOKIE, "back": _page_before(request)}
    page = render_to_string("403_csrf.html", context)
    return HttpResponse(page, status=HTTPStatus.FORBIDDEN, headers={"Cache-Control": "no-store"})


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The page for a request that cannot be read: 413 if it is too large, else 400."""
    too_large = isinstance(exception, _TOO_LARGE)
    status = HTTPStatus.REQUEST_ENTITY_TOO_LARGE if too_large else HTTPStatus.BAD_REQUEST
    return HttpResponse(render_to_string(f"{status.value}.html"), status=status)


def _page_before(request: HttpRequest) -> str:
    """The path of the page that sent the form; "" if it is unknown or of another site."""
    page = request.META.get("HTTP_REFERER", "")
    hosts = {request.get_host()}
    if not url_has_allowed_host_and_scheme(page, hosts, require_https=request.is_secure()):
        return ""
    parts = urlsplit(page)
    return f"{parts.path}?{parts.query}" if parts.query else parts.path
