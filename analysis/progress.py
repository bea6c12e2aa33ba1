"""How well a person plays over time: rates by month, by theme and of the last matches.

Everything comes from the sums of full reports, one report a match, the newest. Variants are never
mixed: an error costs more in some of them than in others.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import cache
from typing import Any, Final, Literal, NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet
from django.db.models.functions import ExtractMonth, ExtractYear

from accounts.models import User
from analysis.access import readable
from analysis.exercises.themes import CUBE_THEMES, THEMES
from analysis.models import Report
from analysis.sums import DEPTH, ErrorRate, superseded
from backgammon.counting.figures import Band
from games.models import Match
from games.selectors import between_people, may_see_all
from kit.database import read_cursor

#: so many months are shown, the present one among them, of so many of the last matches.
MONTHS: Final = 12
MATCHES_MAX: Final = 2_000

#: the last matches that the form is about, and those of them that are compared with the others; the
#: variant is the one that was played most in the last matches.
FORM: Final = 20
LATELY: Final = 5
FORM_OF: Final = 100

_ENGINE: Final = ("engine", "version")

#: stand for the ids of the person and of the reader where a statement is made once for all.
_PERSON: Final = -(2**40) - 1
_READER: Final = -(2**40) - 2

Seen = Literal["own", "staff", "visitor", "other"]
Trend = Literal["better", "worse", ""]


@dataclass(frozen=True, slots=True)
class ProgressMonth:
    """A month (UTC) by its first day.

    `luck` is what the dice gave more than to the opponents in matches to points, in matches;
    `luck_points` that of unlimited play, in points. None without such a match.
    """

    day: date
    matches: int
    rate: ErrorRate
    plays: ErrorRate
    cube: ErrorRate
    luck: float | None
    luck_points: float | None


@dataclass(frozen=True, slots=True)
class OfTheme:
    """The decisions of one theme; `share` is their part of all that was lost."""

    theme: str
    rate: ErrorRate
    share: float


@dataclass(frozen=True, slots=True)
class PlayedVariant:
    """A variant that a person has analysed matches in, and how many."""

    variant: str
    matches: int


@dataclass(frozen=True, slots=True)
class Progress:
    """The rates of a person in one variant over the last months, the oldest month first."""

    months: tuple[ProgressMonth, ...]
    themes: tuple[OfTheme, ...]
    rate: ErrorRate
    plays: ErrorRate
    cube: ErrorRate
    engines: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Form:
    """The last matches in one variant. `lately` are the last few, `before` those before them.

    `trend` is set only if the bands of both do not overlap. `costly` is the theme that cost most.
    """

    variant: str
    matches: int
    lately: ErrorRate
    before: ErrorRate
    trend: Trend
    costly: OfTheme | None

    @property
    def rate(self) -> ErrorRate:
        """All of the last matches."""
        return self.lately + self.before


@dataclass(frozen=True, slots=True)
class ProgressAsked:
    """A person's matches as a reader may see their analyses."""

    person: User
    reader: User | AnonymousUser

    @property
    def is_own(self) -> bool:
        """Whether the reader is the person."""
        return self.reader == self.person

    def latest(self, most: int) -> list["Analysed"]:
        """The newest full report of each of the last matches, the last match first."""
        statement, values = _latest(self._seen, most)
        ids = {_PERSON: self.person.pk, _READER: self.reader.pk}
        with read_cursor(Report) as cursor:
            cursor.execute(statement, [ids.get(value, value) for value in values])
            rows = cursor.fetchall()
        me = self.person.pk
        return [
            Analysed(pk, int(first != me), int(month), *rest) for pk, first, month, *rest in rows
        ]

    @property
    def _seen(self) -> Seen:
        """The kind of reader, which decides about the matches that they may see."""
        if self.is_own:
            return "own"
        if may_see_all(self.reader):
            return "staff"
        return "visitor" if self.reader.pk is None else "other"


@cache
def _latest(seen: Seen, most: int) -> tuple[str, tuple[Any, ...]]:
    """Return the statement of `ProgressAsked.latest` and its values.

    `_PERSON` and `_READER` stand where its people come in.

    It is the same for everybody of a kind, so a process makes it once: that takes ten times as
    long as the answer of the database.
    """
    theirs = Q(player_0=_PERSON) | Q(player_1=_PERSON)
    matches = _matches(seen).filter(theirs, between_people())
    found = Report.objects.filter(~Q(superseded("")), depth=DEPTH, match__in=matches)
    found = found.order_by("-match__ended_at", "-pk")
    ended = "match__ended_at"
    month = 12 * ExtractYear(ended, tzinfo=UTC) + ExtractMonth(ended, tzinfo=UTC)
    rows = found.values_list("pk", "match__player_0", month, "match__variant", *_ENGINE)[:most]
    statement, values = rows.query.sql_with_params()
    return statement, tuple(values)


def _matches(seen: Seen) -> QuerySet[Match]:
    if seen == "own":
        return Match.objects.all()
    return readable(_READER if seen == "other" else None, sees_all=seen == "staff")


class Analysed(NamedTuple):
    """A match with its newest full report; `month` counts from the year 0 (UTC)."""

    report: int
    seat: int
    month: int
    variant: str
    engine: str
    version: str


class _Part(NamedTuple):
    """The decisions of a theme in some matches, and the luck in them, less the opponents'.

    `bucket` is 0 for the last matches, 1 for those before that the
    form has, too, else 2.
    """

    month: int
    bucket: int
    theme: str
    in_points: bool
    counted: int
    lost: float
    counted_lost: float
    squares: float
    gift: float

    @property
    def is_play(self) -> bool:
        """Whether they are plays."""
        return self.theme not in CUBE_THEMES


#: the sums of these reports, in groups; a theme that only the opponents had is there for its luck.
_PARTS: Final = """
    SELECT k.month, k.bucket, s.theme, s.in_points,
           coalesce(sum(s.counted) FILTER (WHERE s.seat = k.seat), 0),
           coalesce(sum(s.lost) FILTER (WHERE s.seat = k.seat), 0),
           coalesce(sum(s.counted_lost) FILTER (WHERE s.seat = k.seat), 0),
           coalesce(sum(s.squares) FILTER (WHERE s.seat = k.seat), 0),
           sum(CASE WHEN s.seat = k.seat THEN s.gift ELSE -s.gift END)
    FROM unnest(%s::bigint[], %s::int[], %s::int[], %s::int[]) AS k (report, seat, month, bucket)
    JOIN analysis_themesum s ON s.report_id = k.report
    GROUP BY 1, 2, 3, 4
"""


def kinds_of(analysed: Iterable[Analysed]) -> list[PlayedVariant]:
    """The variants of these matches, the most played first."""
    counts = Counter(each.variant for each in analysed)
    return [
        PlayedVariant(*each)
        for each in sorted(counts.items(), key=lambda each: (-each[1], each[0]))
    ]


def form_of(analysed: Sequence[Analysed], variant: str) -> Form | None:
    """The form in a variant by the last matches; None without one in it."""
    last = [each for each in analysed if each.variant == variant][:FORM]
    return _form(variant, len(last), _parts(last)) if last else None


def progress_of(
    analysed: Sequence[Analysed], variant: str, now: datetime
) -> tuple[Progress, Form | None]:
    """The rates of the last months in a variant, and the form, from the last matches."""
    today = now.astimezone(UTC)
    first = 12 * today.year + today.month - MONTHS + 1
    chosen = [each for each in analysed if each.variant == variant]
    months = Counter(each.month for each in chosen if each.month >= first)
    lately = chosen[: months.total()]  # the last match is the first of them
    parts = _parts(chosen[: max(FORM, len(lately))])
    shown = [part for part in parts if part.month >= first]
    return (
        Progress(
            months=tuple(_months(shown, months)),
            themes=tuple(_of_themes(shown)),
            rate=_rate(shown),
            plays=_rate(part for part in shown if part.is_play),
            cube=_rate(part for part in shown if not part.is_play),
            engines=tuple(sorted({(each.engine, each.version) for each in lately})),
        ),
        _form(variant, min(FORM, len(chosen)), parts) if chosen else None,
    )


def _parts(analysed: Sequence[Analysed]) -> list[_Part]:
    """The sums of these matches, the last one first."""
    buckets = [0 if place < LATELY else 1 if place < FORM else 2 for place in range(len(analysed))]
    columns = (
        [each.report for each in analysed],
        [each.seat for each in analysed],
        [each.month for each in analysed],
        buckets,
    )
    with read_cursor(Report) as cursor:
        cursor.execute(_PARTS, columns)
        return [_Part(*row) for row in cursor.fetchall()]


def _form(variant: str, matches: int, parts: Sequence[_Part]) -> Form:
    lately = _rate(part for part in parts if part.bucket == 0)
    before = _rate(part for part in parts if part.bucket == 1)
    themes = _of_themes([part for part in parts if part.bucket < 2])
    costly = max(themes, key=lambda each: each.rate.lost, default=None)
    return Form(
        variant=variant,
        matches=matches,
        lately=lately,
        before=before,
        trend=_trend(lately.band, before.band),
        costly=costly if costly is not None and costly.rate.lost else None,
    )


def _trend(new: Band | None, old: Band | None) -> Trend:
    if new is None or old is None:
        return ""
    if new.high < old.low:
        return "better"
    return "worse" if new.low > old.high else ""


def _months(parts: Sequence[_Part], matches: Counter[int]) -> Iterable[ProgressMonth]:
    """The months with an analysed match, the oldest first."""
    for number in sorted(matches):
        of_month = [part for part in parts if part.month == number]
        yield ProgressMonth(
            day=date((number - 1) // 12, (number - 1) % 12 + 1, 1),
            matches=matches[number],
            rate=_rate(of_month),
            plays=_rate(part for part in of_month if part.is_play),
            cube=_rate(part for part in of_month if not part.is_play),
            luck=_luck(of_month, in_points=False),
            luck_points=_luck(of_month, in_points=True),
        )


def _luck(parts: Iterable[_Part], *, in_points: bool) -> float | None:
    gifts = [part.gift for part in parts if part.in_points == in_points]
    return sum(gifts) if gifts else None


def _rate(parts: Iterable[_Part]) -> ErrorRate:
    sums = [0, 0.0, 0.0, 0.0]
    for part in parts:
        sums[0] += part.counted
        sums[1] += part.lost
        sums[2] += part.counted_lost
        sums[3] += part.squares
    return ErrorRate(int(sums[0]), *sums[1:])


def _of_themes(parts: Sequence[_Part]) -> list[OfTheme]:
    """The themes with a counted decision, in their order."""
    rates = {theme: _rate(part for part in parts if part.theme == theme) for theme in THEMES}
    lost = sum(rate.lost for rate in rates.values())
    return [
        OfTheme(theme, rates[theme], rates[theme].lost / lost if lost else 0.0)
        for theme in THEMES
        if rates[theme].counted
    ]
