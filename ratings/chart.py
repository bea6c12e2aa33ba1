"""A line of ratings over days as points of an SVG drawing: arithmetic only."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import Final

from backgammon.pictures.marks import number
from kit.charts import ChartFrame, ChartLevel, ChartTick

FRAME: Final = ChartFrame(width=640, height=230, left=44, right=584, top=14, bottom=200)
"""The numbers of the grid stand left of it, the last rating right, the dates below."""

STEP: Final = 50
"""Grid lines are at multiples of this rating."""

DATES: Final = 5
"""At most as many dates stand below the line."""

POINTS_MAX: Final = 180
"""As many days are drawn, one every three units; of more, every second, third …"""


@dataclass(frozen=True, slots=True)
class RatingSpot:
    """The rating at the end of a day, as shown, and where it is drawn."""

    day: date
    elo: int
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class RatingChart:
    """The line's places, the grid behind it, dates below."""

    places: tuple[RatingSpot, ...]
    levels: tuple[ChartLevel, ...]
    ticks: tuple[ChartTick, ...]
    lowest: int
    highest: int
    frame: ChartFrame = FRAME

    @property
    def points(self) -> str:
        """The line as the attribute of a polyline."""
        return " ".join(f"{place.x},{place.y}" for place in self.places)

    @property
    def start(self) -> str:
        """The first day, as 2026-03-01."""
        return self.places[0].day.isoformat()

    @property
    def days(self) -> str:
        """The day of each place, counted from the first."""
        start = self.places[0].day
        return " ".join(str((place.day - start).days) for place in self.places)

    @property
    def elos(self) -> str:
        """The rating at each place, as shown."""
        return " ".join(str(place.elo) for place in self.places)

    @property
    def end(self) -> RatingSpot:
        """The newest rating."""
        return self.places[-1]

    @property
    def is_long(self) -> bool:
        """Return True if dates need a year more than a day."""
        return (self.places[-1].day - self.places[0].day).days > 300


def line(closes: Sequence[tuple[date, Decimal]], *, first: Decimal) -> RatingChart:
    """Draw the ratings at the end of these days, oldest first, from `first` the day before them.

    `closes` has at least one day, and each day once.
    """
    start = closes[0][0] - timedelta(days=1)
    kept = [(start, float(first)), *((day, float(elo)) for day, elo in closes)]
    days = (kept[-1][0] - start).days
    lowest, highest = min(elo for _, elo in kept), max(elo for _, elo in kept)
    low = int(lowest // STEP) * STEP
    high = max(low + STEP, -int(-highest // STEP) * STEP)
    stride = STEP * max(1, (high - low) // (4 * STEP))
    shown = sorted({start + timedelta(days=days * n // (DATES - 1)) for n in range(DATES)})

    def x(day: date) -> float:
        return round(FRAME.column((day - start).days, days + 1), 1)

    return RatingChart(
        places=tuple(
            RatingSpot(day, round(elo), x(day), round(FRAME.row(elo, low, high), 1))
            for day, elo in kept
        ),
        levels=FRAME.levels(range(low, high + 1, stride), low, high, str),
        ticks=tuple(ChartTick(number(x(day)), day) for day in shown),
        lowest=round(lowest),
        highest=round(highest),
    )
