"""When an exercise comes back: Leitner's boxes.

Found, it goes into the next box; close, it stays in its box; wrong, it goes back into the first.

Source: Sebastian Leitner, So lernt man lernen (1972); the intervals are the house's.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from analysis.exercises.grading import Grade, grade_of

#: how long an exercise rests in each box.
BOX_DAYS: Final = (1, 3, 7, 21, 60)


@dataclass(frozen=True, slots=True)
class Tried:
    """One try: what it lost, and when."""

    loss: float
    at: datetime


@dataclass(frozen=True, slots=True)
class BoxStanding:
    """Where an exercise stands for a person: its box from 1, when it is due, and the last grade."""

    box: int
    due_at: datetime
    last: Grade
    tries: int


def standing_of(tries: Iterable[Tried]) -> BoxStanding | None:
    """Where all tries of one exercise, the oldest first, have led; None without a try.

    A try before the exercise is due counts if it is wrong, and else changes nothing: who repeats
    what they have just seen has not remembered it.
    """
    found: BoxStanding | None = None
    for each in tries:
        found = _after(found, each)
    return found


def _after(before: BoxStanding | None, tried: Tried) -> BoxStanding:
    grade = grade_of(tried.loss)
    if before is None:
        box = 2 if grade == "found" else 1
        return BoxStanding(box, _due(tried.at, box), grade, 1)
    if grade in ("error", "blunder"):
        return BoxStanding(1, _due(tried.at, 1), grade, before.tries + 1)
    if tried.at < before.due_at:
        return BoxStanding(before.box, before.due_at, grade, before.tries + 1)
    box = min(before.box + (grade == "found"), len(BOX_DAYS))
    return BoxStanding(box, _due(tried.at, box), grade, before.tries + 1)


def _due(at: datetime, box: int) -> datetime:
    return at + timedelta(days=BOX_DAYS[box - 1])
