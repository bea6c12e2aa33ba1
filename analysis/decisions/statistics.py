"""How well decisions were made, by theme, phase, kind or score, and over years or quarters.

One statement sums them up. PR has every loss over the counted decisions, as everywhere else.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, get_args

from django.db.models import Count, F, Q, QuerySet, Sum

from analysis.decisions.filters import OF_DECISION, SIZE_VALUES, DecisionFilter, year_and_quarter
from analysis.models import DecidedMatch, MyDecision
from analysis.sums import ErrorRate

By = Literal["theme", "phase", "kind", "score", "away"]
BYS: Final[tuple[By, ...]] = get_args(By)

Over = Literal["", "year", "quarter"]
OVERS: Final[tuple[Over, ...]] = get_args(Over)

_BLUNDER: Final = SIZE_VALUES.index("blunder")


@dataclass(frozen=True, slots=True)
class DecisionRate:
    """Some decisions: their rate, and how many of them are errors and blunders."""

    decisions: int = 0
    errors: int = 0
    blunders: int = 0
    rate: ErrorRate = field(default_factory=ErrorRate)

    def __add__(self, other: "DecisionRate") -> "DecisionRate":
        return DecisionRate(
            self.decisions + other.decisions,
            self.errors + other.errors,
            self.blunders + other.blunders,
            self.rate + other.rate,
        )

    @property
    def error_share(self) -> float | None:
        """Errors a counted decision; None without one."""
        return self.errors / self.rate.counted if self.rate.counted else None

    @property
    def is_few(self) -> bool:
        """Return True if so few decisions say little: there is no band for them."""
        return self.rate.band is None


@dataclass(frozen=True, slots=True)
class StatisticsRow:
    """The decisions with one value, all of them and by column, as years or quarters."""

    value: str
    total: DecisionRate
    parts: dict[str, DecisionRate]


@dataclass(frozen=True, slots=True)
class DecisionStatistics:
    """The rows in their order, the columns over which they are split, and the sum of all.

    By what both need to win ("away"), a row is what the player needs, a column the opponent.
    """

    rows: tuple[StatisticsRow, ...]
    columns: tuple[str, ...]
    total: DecisionRate
    totals: dict[str, DecisionRate]


def statistics_of(found: QuerySet[MyDecision], by: By, over: Over) -> DecisionStatistics:
    """Return the statistics of these decisions; by what both need there is no time."""
    cells: dict[tuple[str, str], DecisionRate] = {}
    for keys, rate in _sums(found, by, "" if by == "away" else over):
        cells[keys] = cells.get(keys, DecisionRate()) + rate
    columns = sorted({column for _value, column in cells if column}, key=_in_order)
    rows = [
        _row(value, {column: rate for (key, column), rate in cells.items() if key == value})
        for value in _values(by, {value for value, _column in cells})
    ]
    totals = {
        column: _sum([row.parts[column] for row in rows if column in row.parts])
        for column in columns
    }
    return DecisionStatistics(
        tuple(rows), tuple(columns), _sum([row.total for row in rows]), totals
    )


def of_one_variant(variants: Sequence[str], wanted: DecisionFilter) -> DecisionFilter:
    """Return the filter for one of these variants, the first unless another one is chosen.

    Variants are not mixed, because an error costs more in some of them.
    """
    chosen = wanted.chosen("variant")
    if len(chosen) == 1 or len(variants) < 2:
        return wanted
    offered = [each for each in variants if each in chosen] or variants
    return wanted.narrowed("variant", offered[0])


def _in_order(column: str) -> tuple[int, str]:
    return len(column), column


def _values(by: By, known: set[str]) -> list[str]:
    if by == "away":
        return sorted(known, key=_in_order)
    return [value for value in OF_DECISION[by] if value in known]


def _row(value: str, parts: dict[str, DecisionRate]) -> StatisticsRow:
    total = _sum(list(parts.values()))
    return StatisticsRow(value, total, {key: rate for key, rate in parts.items() if key})


def _sum(rates: Sequence[DecisionRate]) -> DecisionRate:
    return sum(rates, DecisionRate())


def _sums(
    found: QuerySet[MyDecision], by: By, over: Over
) -> Iterable[tuple[tuple[str, str], DecisionRate]]:
    """Every group of decisions with its value and its column.

    Over time the groups are those of matches: to read the day of each decision takes longer.
    """
    second = "opponent_away" if by == "away" else "match" if over else None
    keys = ("own_away" if by == "away" else by, *([second] if second else ()))
    rows: Iterable[Any] = found.order_by().values_list(*keys).annotate(
        decisions=Count("pk"),
        errors=Count("pk", filter=Q(size__gt=0)),
        blunders=Count("pk", filter=Q(size=_BLUNDER)),
        counted_=Count("pk", filter=Q(counted=True)),
        lost=Sum("loss"),
        counted_lost=Sum("loss", filter=Q(counted=True)),
        squares=Sum(F("loss") * F("loss"), filter=Q(counted=True)),
    )  # fmt: skip
    if second is None:
        return [((value, ""), _rate(sums)) for value, *sums in rows]
    rows = [(str(value), column, sums) for value, column, *sums in rows]
    if second == "opponent_away":
        return [((value, str(column)), _rate(sums)) for value, column, sums in rows]
    names = _columns({column for _value, column, _sums in rows}, over)
    added: defaultdict[tuple[str, str], list[Any]] = defaultdict(
        lambda: [0, 0, 0, 0, 0.0, 0.0, 0.0]
    )
    for value, match, sums in rows:
        into = added[value, names[match]]
        for place, number in enumerate(sums):
            into[place] += number or 0
    return [(key, _rate(sums)) for key, sums in added.items()]


def _columns(matches: set[int], over: Over) -> dict[int, str]:
    """The year or the quarter of each match."""
    found = DecidedMatch.objects.filter(pk__in=matches).values_list("pk", "played_at")
    place = 0 if over == "year" else 1
    return {pk: year_and_quarter(played_at)[place] for pk, played_at in found}


def _rate(sums: Sequence[Any]) -> DecisionRate:
    decisions, errors, blunders, counted, lost, counted_lost, squares = sums
    rate = ErrorRate(counted, lost or 0.0, counted_lost or 0.0, squares or 0.0)
    return DecisionRate(decisions, errors, blunders, rate)
