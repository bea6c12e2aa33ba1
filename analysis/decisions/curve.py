"""PR over the years: every analysed match of a person, played or brought, and the mean of the last.

Matches against bots and those whose day is not known are left out, and variants are never mixed:
an error costs more in some of them than in others.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from itertools import groupby
from math import exp, sqrt
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.db.models import Q, QuerySet

from accounts.models import User
from analysis.models import DecidedMatch
from backgammon.counting.figures import PR_SCALE, Band
from games.models import Match
from games.selectors import between_people

#: the mean is that of so many of the last matches, and needs so many decisions.
WINDOW: Final = 100
DECISIONS_LEAST: Final = 100

#: a band needs so many matches.
_BAND_LEAST: Final = 5
_DEVIATIONS: Final = 1.96

#: over more days than this the numbers are those of years, else of months.
_YEARS_FROM_DAYS: Final = 1100

_READ: Final = (
    *("played_at", "match", "imported", "opponent", "seat", "source", "counted", "lost"),
    *("match__player_0__username", "match__player_1__username"),
)
_LUCK: Final = (
    *("report__figures__0__gift", "report__figures__1__gift"),
    *("match__terms__contest", "imported__transcript__length"),
)


class CurveMatch(NamedTuple):
    """A match on the curve; `luck` is in points of unlimited play if `in_points`."""

    ended_at: datetime
    id: UUID
    is_brought: bool
    opponent: str
    source: str
    counted: int
    lost: float
    luck: float | None = None
    in_points: bool = False

    @property
    def pr(self) -> float:
        """The PR of the match, which has a counted decision."""
        return PR_SCALE * self.lost / self.counted


@dataclass(frozen=True, slots=True)
class RunningMean:
    """The mean of the last matches at one of them; few matches have no band."""

    value: float
    band: Band | None


@dataclass(frozen=True, slots=True)
class CurvePeriod:
    """A year, or a month, by its first day."""

    day: date
    matches: int
    counted: int
    pr: float
    luck: float | None
    luck_points: float | None


def curve_variants(person: User) -> list[tuple[str, int]]:
    """Return the variants of a person's analysed matches, the most played first."""
    found = DecidedMatch.objects.filter(person=person).values_list("variant", flat=True)
    return sorted(Counter(found).items(), key=lambda each: (-each[1], each[0]))


def curve_of(
    person: User, variant: str, lists: Sequence[QuerySet[Any]] | None, *, luck: bool = False
) -> list[CurveMatch]:
    """Return the matches in a variant, the oldest first; of these lists alone, if there are any."""
    found = DecidedMatch.objects.filter(person=person, variant=variant, counted__gt=0)
    if lists is not None:
        found = found.filter(_listed(lists))
    found = found.filter(between_people("match") | Q(imported__played_on__isnull=False))
    rows = found.order_by("played_at", "pk").values_list(*_READ, *(_LUCK if luck else ()))
    return [_match(row) for row in rows]


def _listed(lists: Sequence[QuerySet[Any]]) -> Q:
    wanted = Q(pk=None)
    for rows in lists:
        name = "match" if rows.model is Match else "imported"
        wanted |= Q(**{f"{name}__in": rows.order_by().values("pk")})
    return wanted


def _match(row: Sequence[Any]) -> CurveMatch:
    ended_at, here, brought, opponent, seat, source, counted, lost, *rest = row
    first, second, *luck = rest
    known = CurveMatch(
        ended_at=ended_at,
        id=brought or here,
        is_brought=here is None,
        opponent=opponent or (second if seat == 0 else first) or "",
        source=source,
        counted=counted,
        lost=lost,
    )
    if not luck:
        return known
    *gifts, contest, length = luck
    in_points = not length if here is None else contest != "points"
    return known._replace(luck=gifts[seat], in_points=in_points)


# --- the mean of the last matches -----------------------------------------------------------------


def running_pr(matches: Sequence[CurveMatch]) -> list[RunningMean | None]:
    """Return the PR of the last matches at each of them, each decision with the same weight.

    None until enough decisions are counted. The band, with 95 %, comes from how the matches differ.
    """
    found: list[RunningMean | None] = []
    sums = _Sums()
    for place, match in enumerate(matches):
        sums.add(match, 1)
        if place >= WINDOW:
            sums.add(matches[place - WINDOW], -1)
        found.append(sums.mean())
    return found


@dataclass(slots=True)
class _Sums:
    matches: int = 0
    counted: int = 0
    lost: float = 0.0
    squares: int = 0
    products: float = 0.0
    losses: float = 0.0

    def add(self, match: CurveMatch, sign: int) -> None:
        counted, lost = match.counted, match.lost
        self.matches += sign
        self.counted += sign * counted
        self.lost += sign * lost
        self.squares += sign * counted * counted
        self.products += sign * counted * lost
        self.losses += sign * lost * lost

    def mean(self) -> RunningMean | None:
        if self.counted < DECISIONS_LEAST:
            return None
        rate, count = self.lost / self.counted, self.matches
        value = PR_SCALE * rate
        if count < _BAND_LEAST or value <= 0:
            return RunningMean(value, None)
        spread = self.losses - 2 * rate * self.products + rate * rate * self.squares
        error = sqrt(max(0.0, spread) * count / (count - 1)) / self.counted
        factor = exp(_DEVIATIONS * error / rate)
        return RunningMean(value, Band(value / factor, value * factor))


def running_luck(lucks: Sequence[float]) -> list[float]:
    """Return the mean luck of the last matches at each of them."""
    found, total = [], 0.0
    for place, luck in enumerate(lucks):
        total += luck - (lucks[place - WINDOW] if place >= WINDOW else 0.0)
        found.append(total / min(place + 1, WINDOW))
    return found


# --- years and months -----------------------------------------------------------------------------


def is_long(matches: Sequence[CurveMatch]) -> bool:
    """Return True for matches over so many years that months would be too many."""
    return (matches[-1].ended_at - matches[0].ended_at).days > _YEARS_FROM_DAYS


def periods_of_curve(matches: Sequence[CurveMatch]) -> Iterator[CurvePeriod]:
    """Yield the years, or the months, with a match, the oldest first."""
    years = is_long(matches)

    def first_day(match: CurveMatch) -> date:
        day = match.ended_at.astimezone(UTC).date()
        return day.replace(day=1, month=1) if years else day.replace(day=1)

    for day, found in groupby(matches, first_day):
        of_day = list(found)
        counted = sum(match.counted for match in of_day)
        yield CurvePeriod(
            day=day,
            matches=len(of_day),
            counted=counted,
            pr=PR_SCALE * sum(match.lost for match in of_day) / counted,
            luck=_mean_luck(of_day, in_points=False),
            luck_points=_mean_luck(of_day, in_points=True),
        )


def _mean_luck(matches: Iterable[CurveMatch], *, in_points: bool) -> float | None:
    lucks = lucks_of(matches, in_points=in_points)
    return sum(luck for _match, luck in lucks) / len(lucks) if lucks else None


def lucks_of(matches: Iterable[CurveMatch], *, in_points: bool) -> list[tuple[CurveMatch, float]]:
    """Return the matches of this kind whose luck is known, each with its luck."""
    return [
        (match, match.luck)
        for match in matches
        if match.luck is not None and match.in_points == in_points
    ]
