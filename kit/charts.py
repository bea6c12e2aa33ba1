"""Charts as plain values: a frame, lines across it, dates below it, and the way of a line.

`shell/chart_frame.html` draws the frame of any of them; `x` and `y` are texts as SVG has them.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from backgammon.pictures.marks import number

#: steps between the lines of a grid: the first that needs at most four of them.
_STEPS: Final = (1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0)
_LINES_MOST: Final = 4


@dataclass(frozen=True, slots=True)
class ChartLevel:
    """A line across the chart and its number."""

    y: str
    text: str


@dataclass(frozen=True, slots=True)
class ChartTick:
    """A date below the chart."""

    x: str
    day: date


@dataclass(frozen=True, slots=True)
class ChartFrame:
    """A drawing of `width` × `height` units; its line lies between the four others."""

    width: int
    height: int
    left: int
    right: int
    top: int
    bottom: int

    def column(self, index: int, count: int) -> float:
        """Return the x of the place `index` of `count`, the last of which is on the right."""
        return self.left + (self.right - self.left) * index / max(count - 1, 1)

    def row(self, value: float, low: float, high: float) -> float:
        """Return the y of a value; `high` is at the top, and what lies outside at the edge."""
        share = (min(high, max(low, value)) - low) / ((high - low) or 1)
        return self.bottom - share * (self.bottom - self.top)

    def levels(
        self, values: Iterable[float], low: float, high: float, text: Callable[[float], str]
    ) -> tuple[ChartLevel, ...]:
        """Return the lines across at these values."""
        return tuple(ChartLevel(number(self.row(each, low, high)), text(each)) for each in values)


def path(spots: Sequence[tuple[float, float]]) -> str:
    """Return a line through these spots as the data of a path; empty for none."""
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in spots) if spots else ""


def grid(most: float) -> tuple[float, float]:
    """Return the step of a grid from 0 that holds `most`, and the number at its end."""
    step = next((each for each in _STEPS if most <= each * _LINES_MOST), _STEPS[-1])
    return step, step * -(-most // step)
