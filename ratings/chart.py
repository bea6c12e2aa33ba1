"""A line of ratings over days as points of an SVG drawing: arithmetic only."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import Final

from ratings.elo import whole

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

POINTS_MAX: Final = 240
"""Of more days every second, third … is drawn, and always the last."""


@dataclass(frozen=True, slots=True)
class GridLine:
    """A horizontal line at a round rating; `y` in drawing units."""

    elo: int
    y: float


@dataclass(frozen=True, slots=True)
class Place:
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
class Chart:
    """A drawing of WIDTH × HEIGHT units: the line's places, the grid behind it, dates below."""

    places: tuple[Place, ...]
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
    def end(self) -> Place:
        """The newest rating."""
        return self.places[-1]

    @property
    def is_long(self) -> bool:
        """Whether dates need a year more than a day."""
        return (self.places[-1].day - self.places[0].day).days > 300


def line(closes: Sequence[tuple[date, Decimal]], *, first: Decimal) -> Chart:
    """Draw the ratings at the end of these days, oldest first, from `first` the day before them.

    `closes` has at least one day, and each day once.
    """
    kept = [(closes[0][0] - timedelta(days=1), first), *_thinned(closes)]
    start, days = kept[0][0], (kept[-1][0] - kept[0][0]).days
    elos = [float(elo) for _, elo in kept]
    low = int(min(elos) // STEP) * STEP
    high = max(low + STEP, -int(-max(elos) // STEP) * STEP)

    def x(day: date) -> float:
        return round(LEFT + (day - start).days / days * (RIGHT - LEFT), 1)

    def y(value: float) -> float:
        return round(TOP + (high - value) / (high - low) * (BOTTOM - TOP), 1)

    stride = STEP * max(1, (high - low) // (4 * STEP))
    shown = sorted({start + timedelta(days=days * n // (DATES - 1)) for n in range(DATES)})
    return Chart(
        places=tuple(Place(day, whole(elo), x(day), y(float(elo))) for day, elo in kept),
        grid=tuple(GridLine(elo, y(elo)) for elo in range(low, high + 1, stride)),
        ticks=tuple(Tick(day, x(day)) for day in shown),
        lowest=whole(min(elo for _, elo in kept)),
        highest=whole(max(elo for _, elo in kept)),
    )


def _thinned(closes: Sequence[tuple[date, Decimal]]) -> Sequence[tuple[date, Decimal]]:
    stride = -(-len(closes) // POINTS_MAX)
    return closes[::-1][::stride][::-1]
