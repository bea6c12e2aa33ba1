"""The PR over the years as a drawing: every place on it, and the numbers below and beside it."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, timedelta
from typing import Any, Final
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from accounts.models import User
from analysis.decisions.curve import (
    CurveMatch,
    CurvePeriod,
    RunningMean,
    curve_of,
    curve_variants,
    is_long,
    lucks_of,
    periods_of_curve,
    running_luck,
    running_pr,
)
from analysis.imports.listed import Lists
from analysis.pages.numbers import of_result, plain, signed
from analysis.pages.source_words import source_words
from backgammon.counting.figures import PR_SCALE
from backgammon.pictures.marks import number
from games.services.archive import ARCHIVE
from kit.charts import ChartFrame, ChartLevel, ChartTick, grid, path

Row = dict[str, Any]

FRAME: Final = ChartFrame(width=640, height=280, left=40, right=628, top=12, bottom=248)
#: of the drawing of luck.
LOW: Final = ChartFrame(width=640, height=170, left=40, right=628, top=12, bottom=138)

#: of more matches than this, some that follow each other are one mark.
MARKS_MOST: Final = 400

_LEAST: Final = 4.0
_DATES_MOST: Final = 8
#: this part of the marks is within the drawing; the others stand at its edge.
_WITHIN: Final = 0.95


@dataclass(frozen=True, slots=True)
class CurveMark:
    """A match, or some that follow each other. `look` is the source, "" for several of them."""

    x: str
    y: str
    look: str
    title: str
    href: str


@dataclass(frozen=True, slots=True)
class CurveDrawing:
    """A drawing. `areas` and `lines` are parts of paths: there are none without enough matches."""

    frame: ChartFrame
    levels: tuple[ChartLevel, ...]
    ticks: tuple[ChartTick, ...]
    marks: tuple[CurveMark, ...]
    line: str
    area: str = ""


def curve_shown(person: User, asked: Mapping[str, str], lists: Lists | None) -> Row:
    """Return the values for `analysis/curve.html`; none for a person without such a match."""
    variants = curve_variants(person)
    if not variants:
        return {}
    wanted = asked.get("variant", "")
    variant = wanted if wanted in dict(variants) else variants[0][0]
    with_luck = asked.get("luck") == "1"
    matches = curve_of(person, variant, lists, luck=with_luck)
    shown: Row = {"variant": variant, "variants": variants, "luck": with_luck}
    if not matches:
        return {"curve": shown}
    means = running_pr(matches)
    drawn = _Drawn(matches, asked)
    return {
        "curve": shown
        | {
            "matches": len(matches),
            "together": drawn.together,
            "pr": drawn.of_pr(means),
            "lucks": drawn.of_luck(in_points=False) if with_luck else None,
            "lucks_points": drawn.of_luck(in_points=True) if with_luck else None,
            "sources": _sources(matches, asked.get("source", "")),
            "now": _now(matches, means),
            "periods": [_period(each) for each in periods_of_curve(matches)][::-1],
            "long": is_long(matches),
        }
    }


def _sources(matches: Sequence[CurveMatch], chosen: str) -> list[Row]:
    counts = Counter(match.source for match in matches)
    return [
        {"key": key, "name": source_words(key), "matches": count, "chosen": key == chosen}
        for key, count in counts.most_common()
    ]


def _now(matches: Sequence[CurveMatch], means: Sequence[RunningMean | None]) -> Row:
    """The mean now, over everything, and what changed since the first mean."""
    known = [mean for mean in means if mean is not None]
    counted = sum(match.counted for match in matches)
    last = known[-1] if known else None
    return {
        "pr": plain(last.value) if last else "",
        "band": f"{plain(last.band.low)}–{plain(last.band.high)}" if last and last.band else "",
        "all": plain(PR_SCALE * sum(match.lost for match in matches) / counted),
        "counted": counted,
        "change": signed(known[-1].value - known[0].value, 1) if len(known) > 1 else "",
        "since": matches[means.index(known[0])].ended_at if known else None,
    }


def _period(each: CurvePeriod) -> Row:
    return {
        "day": each.day,
        "matches": each.matches,
        "counted": each.counted,
        "pr": plain(each.pr),
        "luck": of_result(each.luck, points=False),
        "luck_points": of_result(each.luck_points, points=True),
    }


class _Drawn:
    """The drawings of some matches, the oldest first, which share their places."""

    def __init__(self, matches: Sequence[CurveMatch], asked: Mapping[str, str]) -> None:
        self.matches, self.asked = matches, asked
        self.together = -(-len(matches) // MARKS_MOST)
        self.first = matches[0].ended_at - timedelta(days=1)
        self.seconds = (matches[-1].ended_at - self.first).total_seconds()

    def of_pr(self, means: Sequence[RunningMean | None]) -> CurveDrawing:
        """The PR of the matches, and the mean with its band."""
        rates = sorted(match.pr for match in self.matches)
        highs = [mean.value for mean in means if mean]
        most = max(_LEAST, rates[int(_WITHIN * (len(rates) - 1))], *highs)
        step, reach = grid(most)

        def height(rate: float) -> float:
            return FRAME.row(rate, 0.0, reach)

        line = self._thin([(m, mean) for m, mean in zip(self.matches, means, strict=True) if mean])
        banded = [(self._x(m), mean.band) for m, mean in line if mean.band]
        upper = path([(x, height(band.high)) for x, band in banded])
        lower = path([(x, height(band.low)) for x, band in reversed(banded)])
        return CurveDrawing(
            frame=FRAME,
            levels=FRAME.levels(
                (at * step for at in range(round(reach / step) + 1)),
                0.0,
                reach,
                lambda rate: plain(rate, 0),
            ),
            ticks=self._ticks(),
            marks=self._marks([(match, match.pr) for match in self.matches], height, plain),
            line=path([(self._x(match), height(mean.value)) for match, mean in line]),
            area=f"{upper}L{lower[1:]}Z" if upper else "",
        )

    def of_luck(self, *, in_points: bool) -> CurveDrawing | None:
        """The luck of the matches to points, or of the others, and its mean; None without any."""
        lucks = lucks_of(self.matches, in_points=in_points)
        if not lucks:
            return None
        means = running_luck([luck for _match, luck in lucks])
        sizes = sorted(abs(luck) for _match, luck in lucks)
        most = max(0.05, sizes[int(_WITHIN * (len(sizes) - 1))])
        reach = grid(100 * most)[1] / 100

        def words(luck: float) -> str:
            return of_result(luck, points=in_points)

        def height(luck: float) -> float:
            return LOW.row(luck, -reach, reach)

        line = self._thin([(m, mean) for (m, _l), mean in zip(lucks, means, strict=True)])
        return CurveDrawing(
            frame=LOW,
            levels=LOW.levels(
                (-reach, 0.0, reach),
                -reach,
                reach,
                lambda luck: signed(luck if in_points else 100 * luck, 1 if in_points else 0),
            ),
            ticks=self._ticks(),
            marks=self._marks(lucks, height, words),
            line=path([(self._x(match), height(mean)) for match, mean in line]),
        )

    def _marks(
        self,
        values: Sequence[tuple[CurveMatch, float]],
        height: Callable[[float], float],
        words: Callable[[float], str],
    ) -> tuple[CurveMark, ...]:
        """The matches as marks, some that follow each other as one if there are many."""
        found = []
        for first in range(0, len(values), self.together):
            part = values[first : first + self.together]
            newer = values[first + self.together :][:1]
            weights = sum(match.counted for match, _value in part)
            mean = sum(match.counted * value for match, value in part) / weights
            looks = {match.source for match, _value in part}
            found.append(
                CurveMark(
                    x=number(self._x(part[len(part) // 2][0])),
                    y=number(height(mean)),
                    look=looks.pop() if len(looks) == 1 else "",
                    title=f"{_title(part)}: {words(mean)}",
                    href=self._address(part, newer),
                )
            )
        return tuple(found)

    def _address(
        self, part: Sequence[tuple[CurveMatch, float]], newer: Sequence[tuple[CurveMatch, float]]
    ) -> str:
        """The report of a match; several are shown in the list."""
        if self.together == 1:
            match = part[0][0]
            page = "imported_report" if match.is_brought else "match_report"
            return reverse(page, args=[match.id])
        pairs = [pair for pair in self.asked.items() if pair[0] not in ("after", "until", "page")]
        pairs += [("after", ARCHIVE.mark(match)) for match, _value in newer]
        return f"{reverse('archive')}?{urlencode(pairs)}#matches"

    def _thin(self, spots: list[tuple[CurveMatch, Any]]) -> list[tuple[CurveMatch, Any]]:
        """So many spots as there are marks; the last is always there."""
        return spots[:: -self.together][::-1]

    def _x(self, match: CurveMatch) -> float:
        share = (match.ended_at - self.first).total_seconds() / self.seconds
        return FRAME.left + (FRAME.right - FRAME.left) * share

    def _ticks(self) -> tuple[ChartTick, ...]:
        """The beginnings of years, or of months, or both ends."""
        ends = (self.first, self.matches[-1].ended_at)
        first, last = (each.astimezone(UTC).date() for each in ends)
        days = _beginnings(first, last, years=is_long(self.matches))
        days = days[:: -(-len(days) // _DATES_MOST) or 1]
        return tuple(
            ChartTick(number(FRAME.left + (FRAME.right - FRAME.left) * self._share(day)), day)
            for day in days
        )

    def _share(self, day: date) -> float:
        days = (day - self.first.astimezone(UTC).date()).days
        return min(1.0, max(0.0, 86_400 * days / self.seconds))


def _beginnings(first: date, last: date, *, years: bool) -> list[date]:
    if (last - first).days < 62:
        return [first, last]
    months = range(12 * first.year + first.month, 12 * last.year + last.month)
    days = [date(each // 12, each % 12 + 1, 1) for each in months]
    return [day for day in days if day.month == 1] if years else days


def _title(part: Sequence[tuple[CurveMatch, float]]) -> str:
    first, last = part[0][0], part[-1][0]
    days = [date_format(each.ended_at, "SHORT_DATE_FORMAT") for each in (first, last)]
    if len(part) == 1:
        return f"{days[0]}, {first.opponent}"
    return _("{count} matches, {first} to {last}").format(
        count=len(part), first=days[0], last=days[1]
    )
