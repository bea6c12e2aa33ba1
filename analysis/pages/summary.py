"""The figures of both players as the report shows them, and what they come to in one sentence."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _

from analysis.pages.numbers import UNKNOWN, of_result, percent, plain
from analysis.pages.report_decisions import ReportDecision
from analysis.pages.reported import ReportedMatch
from backgammon.analysis.json_lines import Line
from backgammon.counting.figures import PR_SCALE, without_luck

#: the scale of the drawn bands ends here; what lies beyond is cut.
BAND_MOST: Final = 30.0
_SMALL_GIFT: Final = 0.02


@dataclass(frozen=True, slots=True)
class Marks:
    """How many errors of a mark a player made."""

    mark: str
    count: int


@dataclass(frozen=True, slots=True)
class PlayerFigures:
    """One row of the figures. `bar` has the band and the rate as drawn, in per cent of the scale.

    `few` says that too few decisions were counted for a band, and `grade` is "" for no class.
    """

    seat: int
    name: str
    score: int
    pr: str
    band: str
    bar: tuple[float, float, float] | None
    few: bool
    counted: int
    grade: str
    plays: str
    plays_counted: int
    cubes: str
    cubes_counted: int
    marks: tuple[Marks, ...]
    luck: str
    lucky: bool | None
    without_luck: str
    snowie: str
    cost: str

    @property
    def band_width(self) -> float:
        """How wide the band is drawn, in per cent of the scale."""
        return 0.0 if self.bar is None else round(self.bar[1] - self.bar[0], 1)


def grade_words(key: str | None) -> str:
    """The name of a class; "" for none."""
    names = {
        "world_champion": _("World champion"),
        "world_class": _("World class"),
        "expert": _("Expert"),
        "advanced": _("Advanced"),
        "intermediate": _("Intermediate"),
        "casual": _("Casual player"),
        "beginner": _("Beginner"),
    }
    return str(names.get(key or "", ""))


def player_figures(
    match: ReportedMatch,
    lines: Sequence[Line],
    rows: Sequence[ReportDecision],
    seat: int,
    *,
    points: bool,
) -> PlayerFigures:
    """The figures of a seat, out of the report's and of its decisions."""
    line, other = lines[seat], lines[1 - seat]
    own = [row for row in rows if row.seat == seat]
    plays = [row for row in own if row.kind == "play"]
    cubes = [row for row in own if row.kind != "play"]
    band, gift = line["band"], line["gift"]
    result = match.result(seat, points=points)
    clean = None if result is None else without_luck(result, gift, other["gift"])
    return PlayerFigures(
        seat=seat,
        name=match.names[seat],
        score=match.score[seat],
        pr=plain(line["pr"]),
        band=UNKNOWN if band is None else f"{plain(band[0])}–{plain(band[1])}",
        bar=None if band is None else (_part(band[0]), _part(band[1]), _part(line["pr"])),
        few=band is None,
        counted=line["counted"],
        grade=grade_words(line["class"]),
        plays=plain(_rate(plays)),
        plays_counted=sum(row.counted for row in plays),
        cubes=plain(_rate(cubes)),
        cubes_counted=sum(row.counted for row in cubes),
        marks=tuple(
            Marks(mark, sum(row.mark == mark for row in own)) for mark in ("??", "?", "?!")
        ),
        luck=of_result(gift, points=points),
        lucky=None if not gift else gift > 0,
        without_luck=of_result(clean, points=points, sign=points),
        snowie=plain(line["snowie"]),
        cost=of_result(line["cost"], points=points, sign=False),
    )


def _rate(rows: Sequence[ReportDecision]) -> float | None:
    counted = sum(row.counted for row in rows)
    return PR_SCALE * sum(row.loss or 0.0 for row in rows) / counted if counted else None


def _part(rate: float) -> float:
    return round(100 * min(rate, BAND_MOST) / BAND_MOST, 1)


def verdict(figures: Sequence[Line], names: Sequence[str], *, points: bool) -> list[str]:
    """The player whom the dice helped, and whether the rates differ by more than chance."""
    said = []
    gifts = [line["gift"] for line in figures]
    if None not in gifts:
        ahead = 0 if gifts[0] >= gifts[1] else 1
        size = gifts[ahead] - gifts[1 - ahead]
        if size < _SMALL_GIFT:
            said.append(_("Luck was even."))
        elif points:
            said.append(
                _("{name} was luckier, by {points} points.").format(
                    name=names[ahead], points=plain(size, 1)
                )
            )
        else:
            said.append(
                _("The dice gave {name} {share} of the match.").format(
                    name=names[ahead], share=percent(size, 0)
                )
            )
    said.append(_rates_said(figures, names))
    return said


def _rates_said(figures: Sequence[Line], names: Sequence[str]) -> str:
    bands = [line["band"] for line in figures]
    if None in bands:
        return _("There are too few decisions to say who played better.")
    if max(band[0] for band in bands) <= min(band[1] for band in bands):
        return _("The two PRs are too close to say who played better.")
    better = 0 if figures[0]["pr"] < figures[1]["pr"] else 1
    return _("{name} played better.").format(name=names[better])
