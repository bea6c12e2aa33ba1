"""How somebody decides: hard and easy decisions, without loss and in what time. Pure.

People find easy plays more often than hard ones, and take longer for the hard ones. With an engine
both differences shrink. This is shown to reviewers beside the judgement; it decides nothing.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

from analysis.exercises.grading import EASY, HARD
from fairplay.signals.play import EXACT

LEAST: Final = 20
"""So many decisions of a kind before anything is said about it."""


@dataclass(frozen=True, slots=True)
class MadeDecision:
    """A counted decision: the lead of its best option, its loss, and the seconds it took."""

    gap: float
    loss: float
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Habits:
    """Shares without loss, and median seconds; None where there are fewer than `LEAST`."""

    hard: float | None
    easy: float | None
    hard_seconds: float | None
    easy_seconds: float | None


def habits_of(decisions: Iterable[MadeDecision]) -> Habits:
    """The habits in these decisions; what is neither hard nor easy is left out."""
    made = list(decisions)
    hard = [each for each in made if each.gap < HARD]
    easy = [each for each in made if each.gap >= EASY]
    return Habits(_share(hard), _share(easy), _seconds(hard), _seconds(easy))


def _share(made: Sequence[MadeDecision]) -> float | None:
    if len(made) < LEAST:
        return None
    return sum(each.loss < EXACT for each in made) / len(made)


def _seconds(made: Sequence[MadeDecision]) -> float | None:
    timed = [each.seconds for each in made if each.seconds is not None]
    return median(timed) if len(timed) >= LEAST else None
