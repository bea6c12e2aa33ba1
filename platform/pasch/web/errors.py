"""Errors of the domain as answers: the one place that turns a cause into a status and a shape.

Every refusal looks the same to a program: `{"code": ..., "message": ...}`, where `code` is stable
and `message` is a sentence for people.
"""

import sys
import time
from http import HTTPStatus
from math import ceil
from typing import Any, Final, cast
from urllib.parse import urlsplit

from django.core.exceptions import (
    PermissionDenied,
    RequestDataTooBig,
    TooManyFieldsSent,
    TooManyFilesSent,
    ValidationError,
)
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import REASON_NO_CSRF_COOKIE
from django.template.loader import render_to_string
from django.utils.http import url_has_allowed_host_and_scheme
from redis.exceptions import ConnectionError as NoValkey
from redis.exceptions import TimeoutError as LateValkey
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import exception_handler as framework_handler

from analysis.questions import AskedTooMuch
from backgammon.rules.errors import RulesError
from games.table.errors import BadTerms, Later, NotSeated
from kit.errors import Refusal
from kit.sentences import plain_sentence
from ledger.errors import (
    AccountFrozen,
    AddressUnverified,
    MalformedPosting,
    NotAllowed,
    ProofStale,
    SecondFactorStale,
)

# The first class that fits decides: exceptions to a family stand before the family.
STATUS: tuple[tuple[type[Exception], HTTPStatus], ...] = (
    (BadTerms, HTTPStatus.BAD_REQUEST),
    (NotSeated, HTTPStatus.FORBIDDEN),
    (AccountFrozen, HTTPStatus.FORBIDDEN),
    (NotAllowed, HTTPStatus.FORBIDDEN),
    (SecondFactorStale, HTTPStatus.FORBIDDEN),
    (ProofStale, HTTPStatus.FORBIDDEN),
    (AddressUnverified, HTTPStatus.FORBIDDEN),
    (MalformedPosting, HTTPStatus.BAD_REQUEST),
    (RulesError, HTTPStatus.BAD_REQUEST),
    (Later, HTTPStatus.TOO_MANY_REQUESTS),
    (AskedTooMuch, HTTPStatus.TOO_MANY_REQUESTS),
    (Refusal, HTTPStatus.CONFLICT),
)


#: the errors raised while PostgreSQL or Valkey is away
AWAY: Final = (OperationalError, InterfaceError, NoValkey, LateValkey)
RETRY_SECONDS: Final = 5
UNAVAILABLE: Final = {
    "code": "unavailable",
    "message": f"A server of the house does not answer; ask again in {RETRY_SECONDS} seconds.",
}
BROKEN: Final = {"code": "server_error", "message": "The fault is ours and has been written down."}


def server_error(request: HttpRequest) -> HttpResponse:
    """The page for an internal error: 500, or 503 with Retry-After while a server is away.

    API requests get the same in the API's shape.
    """
    away = isinstance(sys.exc_info()[1], AWAY)
    headers = {"Retry-After": str(RETRY_SECONDS), "Cache-Control": "no-store"} if away else {}
    status = HTTPStatus.SERVICE_UNAVAILABLE if away else HTTPStatus.INTERNAL_SERVER_ERROR
    if request.path.startswith("/api/"):
        return JsonResponse(UNAVAILABLE if away else BROKEN, status=status, headers=headers)
    return HttpResponse(render_to_string(f"{status.value}.html"), status=status, headers=headers)


def status_of(error: Exception) -> HTTPStatus | None:
    """The HTTP status of a domain error; None when it is none, so that a bug stays a bug."""
    return next((status for family, status in STATUS if isinstance(error, family)), None)


def exception_handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """Answer an exception of the REST interface in the one shape; None makes it a server error."""
    status = status_of(error)
    if status is not None:
        told: dict[str, Any] = {"code": cast("Any", error).code, "message": _message(error)}
        if isinstance(error, BadTerms) and "field" in error.fields:
            told["fields"] = {str(error.fields["field"]): [str(error)]}
        return Response(told, status=status, headers=_retry_after(error))
    if isinstance(error, ValidationError):
        error = exceptions.ValidationError(error.messages)
    elif isinstance(error, RequestDataTooBig):
        error = exceptions.ParseError("The body is too large.")
    response = framework_handler(error, context)
    if response is not None:
        response.data = _shape(error, response.data)
    return response


def _message(error: Exception) -> str:
    """The sentence for people; the rules of the game have only a text for programs."""
    return plain_sentence(error) if isinstance(error, Refusal) else str(error)


def _retry_after(error: Exception) -> dict[str, str]:
    """When to try again, for temporary refusals."""
    if not isinstance(error, Later):
        return {}
    until_ms = int(str(error.fields["until_ms"]))
    return {"Retry-After": str(max(1, ceil(until_ms / 1000 - time.time())))}


def _shape(error: Exception, data: Any) -> dict[str, Any]:
    """An error of the framework, in our shape."""
    if isinstance(error, exceptions.ValidationError):
        return {"code": "invalid", "message": "The request is not valid.", "fields": data}
    if isinstance(error, Http404):
        error = exceptions.NotFound()
    elif isinstance(error, PermissionDenied):
        error = exceptions.PermissionDenied()
    code = error.get_codes() if isinstance(error, exceptions.APIException) else "refused"
    shape = {"code": code, "message": str(getattr(error, "detail", error))}
    return shape | getattr(error, "fields", {})


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
