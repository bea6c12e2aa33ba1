"""How much is played: the running games in the header, and the numbers of matches and tables."""

import time
from collections.abc import Callable, Collection
from typing import Final, Generic, TypeVar
from uuid import UUID

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from accounts.guests import person_of
from games.models import Challenge
from games.modes.terms import Terms
from games.selectors import challenges_waiting_for, tables_played_count
from games.selectors_lobby import terms_of_open, terms_opened_by
from games.services.running import running_of


@require_GET
def running(request: HttpRequest) -> HttpResponse:
    """The part of the header with the running games; fetched when one of them changed."""
    person_id = person_of(request)
    besides = _ids(request.GET.getlist("besides"))
    rows = [] if person_id is None else running_of(person_id, besides)
    context = {"running": rows, "challenges": _challenges(request) if besides else []}
    response = render(request, "games/running.html", context)
    response["Cache-Control"] = "no-store"
    return response


def _challenges(request: HttpRequest) -> Collection[Challenge]:
    """The challenges that the reader can answer; a table's page shows them in its header alone."""
    user = request.user
    return challenges_waiting_for(user.pk) if user.is_authenticated else ()


def _ids(texts: list[str]) -> list[UUID]:
    """The ids among these texts; what is no id names no table."""
    found = []
    for text in texts:
        try:
            found.append(UUID(text))
        except ValueError:
            continue
    return found


Counted = TypeVar("Counted")


class _Count(Generic[Counted]):
    """The last count of this process, made again after `COUNTS_SECONDS`.

    Counting goes through thousands of tables, and nobody decides anything by these numbers.
    """

    def __init__(self, count: Callable[[], Counted]) -> None:
        self._count = count
        self._last: Counted | None = None
        self.until = 0.0

    def now(self) -> Counted:
        """The count, `COUNTS_SECONDS` old at most."""
        now = time.monotonic()
        if self._last is None or now >= self.until:
            self._last = self._count()
            self.until = now + settings.COUNTS_SECONDS
        return self._last


_played: Final = _Count(tables_played_count)
_waiting: Final = _Count(terms_of_open)


def played_count() -> int:
    """How many matches are being played, `COUNTS_SECONDS` old at most."""
    return _played.now()


def terms_waiting(besides: int | None) -> dict[Terms, int]:
    """How many open tables wait on each terms, `COUNTS_SECONDS` old at most; not one person's."""
    counts = dict(_waiting.now())
    own = terms_opened_by(besides)
    if own in counts:
        counts[own] -= 1
    return counts
