"""Rates and luck by month as drawings: every place on them, in units of a view box."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from analysis.pages.numbers import plain, signed
from analysis.progress import ProgressMonth
from backgammon.pictures.marks import number
from kit.charts import ChartFrame, ChartLevel, ChartTick, grid, path

FRAME: Final = ChartFrame(width=640, height=300, left=44, right=624, top=14, bottom=270)
#: of the drawing of luck.
LOW: Final = ChartFrame(width=640, height=160, left=44, right=624, top=14, bottom=130)
_BAR: Final = 18
_LEAST: Final = 4.0
_UNITS_A_MONTH: Final = (FRAME.right - FRAME.left) / 12


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
    """A drawing; `line` joins the spots that have a band."""

    frame: ChartFrame
    levels: tuple[ChartLevel, ...]
    ticks: tuple[ChartTick, ...]
    spots: tuple[MonthSpot, ...] = ()
    bars: tuple[LuckBar, ...] = ()
    line: str = ""


def rate_chart(months: Sequence[ProgressMonth]) -> ProgressDrawing | None:
    """The PR of each month with its band; None if no month has a band. 0 is at the bottom."""
    sure = [month.rate.pr or 0.0 for month in months if month.rate.band]
    if not sure:
        return None
    most = max(sure) * 1.5
    highs = [month.rate.band.high for month in months if month.rate.band]
    step, reach = grid(max(_LEAST, min(max(highs), most)))

    def height(rate: float) -> float:
        return FRAME.row(rate, 0.0, reach)

    places = _places(months)
    spots, sure_spots = [], []
    for month in months:
        rate, x = month.rate, places[month.day]
        if rate.pr is None:
            continue
        band = ""
        if rate.band is not None:
            low, high = number(height(rate.band.low)), number(height(rate.band.high))
            band = f"M{number(x)} {low}V{high}"
            sure_spots.append((x, height(rate.pr)))
        spots.append(MonthSpot(number(x), number(height(rate.pr)), band))
    lines = (at * step for at in range(round(reach / step) + 1))
    return ProgressDrawing(
        frame=FRAME,
        levels=FRAME.levels(lines, 0.0, reach, lambda rate: plain(rate, 0)),
        ticks=_ticks(months, places),
        spots=tuple(spots),
        line=path(sure_spots),
    )


def luck_chart(lucks: Sequence[tuple[ProgressMonth, float]]) -> ProgressDrawing | None:
    """The luck of each month, in matches or points; None without any."""
    if not lucks:
        return None
    _step, reach = grid(max(1.0, *(abs(luck) for _, luck in lucks)))
    middle = LOW.row(0.0, -reach, reach)

    def bar(month: ProgressMonth, value: float) -> LuckBar:
        y = LOW.row(value, -reach, reach)
        return LuckBar(
            number(places[month.day] - _BAR / 2),
            number(min(y, middle)),
            number(max(1.0, abs(y - middle))),
            value >= 0,
        )

    months = [month for month, _ in lucks]
    places = _places(months)
    return ProgressDrawing(
        frame=LOW,
        levels=LOW.levels((-reach, 0.0, reach), -reach, reach, lambda luck: signed(luck, 0)),
        ticks=_ticks(months, places),
        bars=tuple(bar(month, value) for month, value in lucks),
    )


def _places(months: Sequence[ProgressMonth]) -> dict[date, float]:
    """The place of each month; the newest is on the right, gaps stay gaps."""
    last = _count(months[-1].day)
    return {
        month.day: FRAME.right - _UNITS_A_MONTH * (last - _count(month.day) + 0.5)
        for month in months
    }


def _count(day: date) -> int:
    return day.year * 12 + day.month


def _ticks(months: Sequence[ProgressMonth], places: dict[date, float]) -> tuple[ChartTick, ...]:
    return tuple(ChartTick(number(places[month.day]), month.day) for month in months)
