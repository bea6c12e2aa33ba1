"""Streaks: the days in a row on which somebody answered the position of the day.

A day is one of the reader's time zone. One missed day of seven is forgiven: it keeps the streak,
but does not make it longer. Nothing is stored but the answers.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final, Literal

#: so many days after a forgiven day another one can be forgiven.
FORGIVEN_DAYS: Final = 7

#: the latest days, with today as the last one.
WEEK_DAYS: Final = 7

DayState = Literal["answered", "forgiven", "today", "missed"]


@dataclass(frozen=True, slots=True)
class Streak:
    """The days in a row up to now, and the state of each of the latest days, the oldest first."""

    days: int
    week: tuple[tuple[date, DayState], ...]

    @property
    def is_seen(self) -> bool:
        """Return True if there was an answer on one of the latest days."""
        return any(state == "answered" for _day, state in self.week)


def streak_of(answered: Iterable[date], today: date) -> Streak:
    """Return the streak of somebody who answered on these days; today is not lost yet."""
    given = sorted(set(answered))
    forgiven: list[date] = []
    days, before = 0, None
    for day in given:
        is_next = before is not None and _goes_on(before, day, forgiven)
        days, before = days + 1 if is_next else 1, day
    if before is None or not _goes_on(before, today, forgiven):
        days = 0
    latest = [today - timedelta(days=back) for back in reversed(range(WEEK_DAYS))]
    states = ((day, _state(day, today, given, forgiven)) for day in latest)
    return Streak(days, tuple(states))


def _goes_on(before: date, day: date, forgiven: list[date]) -> bool:
    """Return True if no day between the two was lost; a single one is forgiven."""
    lost = before + timedelta(days=1)
    if lost >= day:
        return True
    is_free = not forgiven or lost - forgiven[-1] >= timedelta(days=FORGIVEN_DAYS)
    if lost + timedelta(days=1) < day or not is_free:
        return False
    forgiven.append(lost)
    return True


def _state(day: date, today: date, given: list[date], forgiven: list[date]) -> DayState:
    if day in given:
        return "answered"
    if day == today:
        return "today"
    return "forgiven" if day in forgiven else "missed"
