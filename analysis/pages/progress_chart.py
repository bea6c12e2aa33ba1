"""Rates and luck by month as drawings: every place on them, in units of a view box."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from analysis.pages.numbers import plain, signed
from analysis.progress import ProgressMonth
from backgammon.pictures.marks import number

WIDTH: Final = 640
LEFT: Final = 44
RIGHT: Final = 624
TOP: Final = 14
BOTTOM: Final = 270
HEIGHT: Final = 300

#: of the drawing of luck.
LOW: Final = 130
SMALL: Final = 160
_BAR: Final = 18

#: steps between the lines of the grid: the first that needs at most four of them.
_STEPS: Final = (1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0)
_LINES_MOST: Final = 4
_LEAST: Final = 4.0
_UNITS_A_MONTH: Final = (RIGHT - LEFT) / 12


@dataclass(frozen=True, slots=True)
class RateLevel:
    """A line across a drawing."""

    y: str
    text: str


@dataclass(frozen=True, slots=True)
class MonthSpot:
    """A month with its rate; one with few decisions has no band."""

    x: str
    y: str
    band: str


@dataclass(frozen=True, slots=True)
class LuckBar:
    """A month's luck as a bar."""

    x: str
    y: str
    height: str
    good: bool


@dataclass(frozen=True, slots=True)
class ProgressDrawing:
    """A drawing of `WIDTH` × `height` units; `line` joins the spots that have a band."""

    levels: tuple[RateLevel, ...]
    ticks: tuple[tuple[str, date], ...]
    spots: tuple[MonthSpot, ...] = ()
    bars: tuple[LuckBar, ...] = ()
    line: str = ""
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = RIGHT
    bottom: int = BOTTOM


def rate_chart(months: Sequence[ProgressMonth]) -> ProgressDrawing | None:
    """The PR of each month with its band; None if no month has a band. 0 is at the bottom."""
    sure = [month.rate.pr or 0.0 for month in months if month.rate.band]
    if not sure:
        return None
    most = max(sure) * 1.5
    highs = [month.rate.band.high for month in months if month.rate.band]
    step, reach = _grid(max(_LEAST, min(max(highs), most)))

    def height(rate: float) -> float:
        return BOTTOM - min(rate, reach) / reach * (BOTTOM - TOP)

    places = _places(months)
    spots, line = [], []
    for month in months:
        rate, x = month.rate, number(places[month.day])
        if rate.pr is None:
            continue
        y, band = number(height(rate.pr)), ""
        if rate.band is not None:
            band = f"M{x} {number(height(rate.band.low))}V{number(height(rate.band.high))}"
            line.append(f"{x} {y}")
        spots.append(MonthSpot(x, y, band))
    return ProgressDrawing(
        levels=tuple(
            RateLevel(number(height(at * step)), plain(at * step, 0))
            for at in range(round(reach / step) + 1)
        ),
        ticks=_ticks(months, places),
        spots=tuple(spots),
        line="M" + "L".join(line),
    )


def luck_chart(lucks: Sequence[tuple[ProgressMonth, float]]) -> ProgressDrawing | None:
    """The luck of each month, in matches or points; None without any."""
    if not lucks:
        return None
    _step, reach = _grid(max(1.0, *(abs(luck) for _, luck in lucks)))
    middle = (TOP + LOW) / 2

    def height(value: float) -> float:
        return middle - value / reach * (LOW - TOP) / 2

    months = [month for month, _ in lucks]
    places = _places(months)
    return ProgressDrawing(
        levels=tuple(
            RateLevel(number(height(at)), signed(at, 0)) for at in (-reach, 0.0, reach)
        ),
        ticks=_ticks(months, places),
        bars=tuple(
            LuckBar(
                number(places[month.day] - _BAR / 2),
                number(min(height(value), middle)),
                number(max(1.0, abs(height(value) - middle))),
                value >= 0,
            )
            for month, value in lucks
        ),
        height=SMALL,
        bottom=LOW,
    )  # fmt: skip


def _grid(most: float) -> tuple[float, float]:
    """The step of the grid and the number at its end."""
    step = next((each for each in _STEPS if most <= each * _LINES_MOST), _STEPS[-1])
    return step, step * -(-most // step)


def _places(months: Sequence[ProgressMonth]) -> dict[date, float]:
    """The place of each month; the newest is on the right, gaps stay gaps."""
    last = _count(months[-1].day)
    return {
        month.day: RIGHT - _UNITS_A_MONTH * (last - _count(month.day) + 0.5) for month in months
    }


def _count(day: date) -> int:
    return day.year * 12 + day.month


def _ticks(
    months: Sequence[ProgressMonth], places: dict[date, float]
) -> tuple[tuple[str, date], ...]:
    def labelled() -> Iterator[tuple[str, date]]:
        for month in months:
            yield number(places[month.day]), month.day

    return tuple(labelled())
