"""The figures of a player: error rates with their band, luck, and the result without it.

`docs/analysis.md` has the formulas with their sources. An unknown figure is None, never 0.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import exp, sqrt
from typing import Final

from backgammon.counting.chances import Span
from backgammon.counting.decisions import DecidedPlay, Decision
from backgammon.counting.judging import Judgement

#: what one point of equity per decision is in PR, and in thousandths of a point.
PR_SCALE: Final = 500.0
SNOWIE_SCALE: Final = 1000.0

#: a class is named from so many counted decisions on.
CLASS_LEAST: Final = 200

#: classes by the PR below which they begin; the names are keys for the texts of the pages.
CLASSES: Final = (
    (2.5, "world_champion"),
    (5.0, "world_class"),
    (7.5, "expert"),
    (12.5, "advanced"),
    (17.5, "intermediate"),
    (22.5, "casual"),
)
LAST_CLASS: Final = "beginner"

#: a band has 95 %: so many standard errors, widened by so many decisions' worth where few are
#: counted, because a few large errors make up most of the sum.
_DEVIATIONS: Final = 1.96
_WIDENING: Final = 12
_BAND_LEAST: Final = 20


@dataclass(frozen=True, slots=True)
class Judged:
    """A decision with its judgement.

    `luck` is that of the roll in points of the present cube, None where there is no roll or it was
    not computed. `span` turns equity into the unit of the result, as the player on roll sees it.
    """

    decision: Decision
    judgement: Judgement
    span: Span
    luck: float | None = None

    @property
    def seat(self) -> int:
        """The seat that decided."""
        return self.decision.place.seat

    @property
    def cost(self) -> float | None:
        """The loss in the unit of the result; None if it is unknown."""
        loss = self.judgement.loss
        return None if loss is None else self.span.part(loss)

    @property
    def gift(self) -> float | None:
        """The luck of the roll in the unit of the result; None if it is unknown."""
        return None if self.luck is None else self.span.part(self.luck)


@dataclass(frozen=True, slots=True)
class Band:
    """Where a rate lies with 95 %."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of one seat in one match, or in several.

    `lost` and `luck` are in points of equity, each with the cube of its time as 1. `cost` and
    `gift` are the same in the unit of the result: parts of the match, or points without one.
    """

    decisions: int
    counted: int
    lost: float
    shown: int
    pr: float | None
    band: Band | None
    snowie: float | None
    luck: float | None
    cost: float | None
    gift: float | None

    @property
    def grade(self) -> str | None:
        """The key of the class; None with too few decisions."""
        return grade_of(self.pr, self.counted)


def figures(judged: Iterable[Judged], seat: int) -> Figures:
    """The figures of a seat; both seats' decisions go in, for the rolls of both count in one."""
    rows = tuple(judged)
    own = [row for row in rows if row.seat == seat]
    losses = [row.judgement.loss for row in own if row.judgement.loss is not None]
    counted = [row.judgement.loss for row in own if row.judgement.counted]
    rolls = sum(isinstance(row.decision, DecidedPlay) for row in rows)
    lost = sum(losses)
    return Figures(
        decisions=len(own),
        counted=len(counted),
        lost=lost,
        shown=sum(bool(row.judgement.mark) for row in own),
        pr=PR_SCALE * lost / len(counted) if counted else None,
        band=band([loss for loss in counted if loss is not None]),
        snowie=SNOWIE_SCALE * lost / rolls if rolls else None,
        luck=_sum(row.luck for row in own if isinstance(row.decision, DecidedPlay)),
        cost=_sum(row.cost for row in own if row.judgement.loss is not None),
        gift=_sum(row.gift for row in own if isinstance(row.decision, DecidedPlay)),
    )


def _sum(values: Iterable[float | None]) -> float | None:
    """The sum; None if a part is unknown or there is none."""
    known = []
    for value in values:
        if value is None:
            return None
        known.append(value)
    return sum(known) if known else None


def band(losses: Sequence[float]) -> Band | None:
    """The 95 % band of the PR of these counted decisions; None for few, or without any error."""
    return band_of_sums(len(losses), sum(losses), sum(loss * loss for loss in losses))


def band_of_sums(count: int, lost: float, squares: float) -> Band | None:
    """The same band by the sum of the counted losses and of their squares.

    The error of the mean is taken on a scale of ratios, so the band never reaches below 0 and is
    longer above, as sums of few large errors are.
    """
    if count < _BAND_LEAST or not lost:
        return None
    mean = lost / count
    variance = max(0.0, squares - lost * mean) / (count - 1)
    error = sqrt(variance / count)
    factor = exp(_DEVIATIONS * (1 + _WIDENING / count) * error / mean)
    return Band(PR_SCALE * mean / factor, PR_SCALE * mean * factor)


def grade_of(pr: float | None, counted: int) -> str | None:
    """The class of a PR; None below the number of decisions that a name needs."""
    if pr is None or counted < CLASS_LEAST:
        return None
    return next((name for below, name in CLASSES if pr < below), LAST_CLASS)


def without_luck(result: float, own: float | None, other: float | None) -> float | None:
    """A result less what the dice gave: the own luck off, the opponent's on.

    All three in the same unit: parts of the match with 1 for a match won and 0 for one lost, or
    points. The mean over many matches is the same as that of the results, and it varies less.
    """
    if own is None or other is None:
        return None
    return result - own + other
