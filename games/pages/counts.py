"""Counts that many pages show, made once in some seconds in each process."""

import time
from collections.abc import Callable
from typing import Final, Generic, TypeVar

from django.conf import settings

from games.modes.terms import Terms
from games.selectors import tables_played_count
from games.selectors_lobby import terms_of_open, terms_opened_by
from games.selectors_pace import Paces, paces

Counted = TypeVar("Counted")


class _Count(Generic[Counted]):
    """The last count of this process, made again after `COUNTS_SECONDS`, so many times.

    Counting goes through thousands of tables, and nobody decides anything by these numbers.
    """

    def __init__(self, count: Callable[[], Counted], times: int = 1) -> None:
        self._count, self._times = count, times
        self._last: Counted | None = None
        self.until = 0.0

    def now(self) -> Counted:
        """The count of now, or the last one."""
        now = time.monotonic()
        if self._last is None or now >= self.until:
            self._last = self._count()
            self.until = now + self._times * settings.COUNTS_SECONDS
        return self._last


_played: Final = _Count(tables_played_count)
_waiting: Final = _Count(terms_of_open)
_paces: Final = _Count(paces, times=120)


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


def paces_now() -> Paces:
    """How long games take and people wait, as it was some minutes ago at most."""
    return _paces.now()
