"""A line of ratings over days as points of an SVG drawing: arithmetic only."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import Final

WIDTH: Final = 640
HEIGHT: Final = 230
TOP: Final = 14
BOTTOM: Final = 200
"""Between these heights lies the line; the dates stand below."""

LEFT: Final = 44
RIGHT: Final = 584
"""Between these the line lies; the labels of the grid stand left of it, the last rating right."""

STEP: Final = 50
"""Grid lines are at multiples of this rating."""

DATES: Final = 5
"""At most as many dates stand below the line."""

POINTS_MAX: Final = 180
"""As many days are drawn, one every three units; of more, every second, third …"""


@dataclass(frozen=True, slots=True)
class GridLine:
    """A horizontal line at a round rating; `y` in drawing units."""

    elo: int
    y: float


@dataclass(frozen=True, slots=True)
class RatingSpot:
    """The rating at the end of a day, as shown, and where it is drawn."""

    day: date
    elo: int
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Tick:
    """A date below the line."""

    day: date
    x: float


@dataclass(frozen=True, slots=True)
class RatingChart:
    """A drawing of WIDTH × HEIGHT units: the line's places, the grid behind it, dates below."""

    places: tuple[RatingSpot, ...]
    grid: tuple[GridLine, ...]
    ticks: tuple[Tick, ...]
    lowest: int
    highest: int
    left: int = LEFT
    right: int = RIGHT
    bottom: int = BOTTOM
    width: int = WIDTH
    height: int = HEIGHT

    @property
    def points(self) -> str:
        """The line as the attribute of a polyline."""
        return " ".join(f"{place.x},{place.y}" for place in self.places)

    @property
    def grid_path(self) -> str:
        """All grid lines as one path."""
        return "".join(f"M{self.left} {line.y}H{self.right}" for line in self.grid)

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
        """Whether dates need a year more than a day."""
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

    def x(day: date) -> float:
        return round(LEFT + (day - start).days / days * (RIGHT - LEFT), 1)

    def y(value: float) -> float:
        return round(TOP + (high - value) / (high - low) * (BOTTOM - TOP), 1)

    stride = STEP * max(1, (high - low) // (4 * STEP))
    shown = sorted({start + timedelta(days=days * n // (DATES - 1)) for n in range(DATES)})
    return RatingChart(
        places=tuple(RatingSpot(day, round(elo), x(day), y(elo)) for day, elo in kept),
        grid=tuple(GridLine(elo, y(elo)) for elo in range(low, high + 1, stride)),
        ticks=tuple(Tick(day, x(day)) for day in shown),
        lowest=round(lowest),
        highest=round(highest),
    )
