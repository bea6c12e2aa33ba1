"""Pages that may be a moment old are read at the replica, if the house has one.

They show the past to anybody: the ranking and the players. A page about credits, a table, or what
waits for a decision is never among them. A browser that just changed something gets a cookie, and
reads at the primary until the replica surely has it. So does everybody while no replica follows.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from django.conf import settings
from django.db import Error
from django.http import Http404, HttpRequest, HttpResponse

from pasch.observability.counts import REPLICA_PAGES
from pasch.postgresql.replica import LAG_SECONDS_MAX, SKEW_SECONDS_MAX, reading, replica

#: the names of their addresses
STALE: Final = frozenset(
    {
        "ranking",
        "player",
        "player_matches",
        "player_changes",
        "player_versus",
        "api_ranking",
        "api_player",
    }
)
COOKIE: Final = "changed"
#: longer than what a page may lack
COOKIE_SECONDS: Final = LAG_SECONDS_MAX + SKEW_SECONDS_MAX
_READING: Final = frozenset({"GET", "HEAD"})
logger = logging.getLogger("pasch.postgresql")


class StalePages:
    """Middleware: reads the pages in `STALE` at the replica. The last one before the views."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request; a browser that changed something reads at the primary for a while."""
        response = self.get_response(request)
        if replica.is_configured and request.method not in _READING:
            response.set_cookie(
                COOKIE,
                "1",
                max_age=COOKIE_SECONDS,
                secure=settings.SESSION_COOKIE_SECURE,
                httponly=True,
                samesite="Lax",
            )
        return response

    def process_view(
        self,
        request: HttpRequest,
        view: Callable[..., HttpResponse],
        arguments: Sequence[Any],
        named: Mapping[str, Any],
    ) -> HttpResponse | None:
        """The page as the replica has it; None leaves it to the primary."""
        match = request.resolver_match
        if match is None or match.view_name not in STALE or request.method not in _READING:
            return None
        if not replica.is_configured:
            return None
        response = None
        if COOKIE not in request.COOKIES and replica.is_usable():
            response = _read(request, view, arguments, named)
        REPLICA_PAGES.labels("primary" if response is None else "replica").inc()
        return response


def _read(
    request: HttpRequest,
    view: Callable[..., HttpResponse],
    arguments: Sequence[Any],
    named: Mapping[str, Any],
) -> HttpResponse | None:
    """The page; None if the replica fails, or does not have yet what was asked for.

    Right after a migration even a table may be missing there. An error of the page itself comes
    again at the primary.
    """
    try:
        if not replica.follows():
            return None
        with reading():
            response = view(request, *arguments, **named)
    except Http404:
        return None
    except Error as error:
        replica.failed(error)
        logger.warning("read at the primary instead: %s", error)
        return None
    return None if response.status_code == 404 else response
