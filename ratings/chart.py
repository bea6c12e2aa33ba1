"""A line of ratings as points of an SVG drawing: arithmetic only."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from ratings.elo import whole

WIDTH: Final = 340
HEIGHT: Final = 170
MARGIN: Final = 12
LEFT: Final = 34
"""Where the line begins; the labels of the grid stand left of it."""

STEP: Final = 50
"""Grid lines are at multiples of this rating."""


@dataclass(frozen=True, slots=True)
class GridLine:
    """A horizontal line at a round rating; `y` in drawing units."""

    elo: int
    y: float


@dataclass(frozen=True, slots=True)
class Chart:
    """A drawing of WIDTH × HEIGHT units: the line's points and the grid behind it."""

    points: str
    end: tuple[float, float]
    grid: tuple[GridLine, ...]
    lowest: int
    highest: int
    left: int = LEFT
    width: int = WIDTH
    height: int = HEIGHT


def polyline(elos: Sequence[Decimal], *, first: Decimal) -> Chart:
    """Draw the ratings from `first` through `elos`, evenly spaced; the newest is at the right."""
    values = [float(first), *map(float, elos)]
    low = int(min(values) // STEP) * STEP
    high = max(low + STEP, -int(-max(values) // STEP) * STEP)

    def y(value: float) -> float:
        return round(MARGIN + (high - value) / (high - low) * (HEIGHT - 2 * MARGIN), 1)

    step = (WIDTH - LEFT - MARGIN) / max(1, len(values) - 1)
    places = [(round(LEFT + i * step, 1), y(value)) for i, value in enumerate(values)]
    stride = STEP * max(1, (high - low) // (4 * STEP))
    return Chart(
        points=" ".join(f"{x},{height}" for x, height in places),
        end=places[-1],
        grid=tuple(GridLine(elo, y(elo)) for elo in range(low, high + 1, stride)),
        lowest=whole(min(first, *elos)),
        highest=whole(max(first, *elos)),
    )
