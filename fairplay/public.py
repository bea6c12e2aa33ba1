"""The figures of each month for everybody, made from the rows; they name nobody."""

from collections import Counter
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final

from django.db.models import Count, Q
from django.db.models.functions import TruncMonth
from django.utils import timezone

from fairplay import settlement
from fairplay.models import Case, CaseMatch, Screening, ScreeningLevel, ScreeningStage
from fairplay.procedure import CaseState

MONTHS_SHOWN: Final = 12


@dataclass(frozen=True, slots=True)
class CaseMonth:
    """A month's cases by what became of them, and the credits given back in it.

    `screened` are results for credits that were screened, `held` those with held winnings. A case
    counts in the month in which it was opened.
    """

    month: date
    cases: int
    confirmed: int
    overturned: int
    cleared: int
    open: int
    returned_cents: int
    screened: int
    held: int


def months() -> list[CaseMonth]:
    """The last months with anything in them, newest first."""
    cases = _by_month(Case.objects.all(), "opened_at", _CASES)
    returned = _returned_by_month()
    screened = _by_month(
        Screening.objects.filter(stage=ScreeningStage.KNOWN),
        "made_at",
        {"screened": Count("pk"), "held": Count("pk", filter=Q(level=ScreeningLevel.HOLD))},
    )
    found = sorted({*cases, *returned, *screened}, reverse=True)[:MONTHS_SHOWN]
    return [
        CaseMonth(
            month=month.date(),
            **{name: cases.get(month, {}).get(name, 0) for name in _CASES},
            returned_cents=returned[month],
            screened=screened.get(month, {}).get("screened", 0),
            held=screened.get(month, {}).get("held", 0),
        )
        for month in found
    ]


_CASES: Final = {
    "cases": Count("pk"),
    "confirmed": Count("pk", filter=Q(state=CaseState.CONFIRMED)),
    "overturned": Count("pk", filter=Q(state=CaseState.CLEARED, appealed=True)),
    "cleared": Count("pk", filter=Q(state__in=[CaseState.CLEARED, CaseState.LAPSED])),
    "open": Count("pk", filter=Q(closed_at=None)),
}


def _by_month(rows: Any, column: str, sums: dict[str, Any]) -> dict[datetime, dict[str, Any]]:
    zone = timezone.get_default_timezone()
    found = rows.annotate(month=TruncMonth(column, tzinfo=zone)).values("month").annotate(**sums)
    return {row["month"]: row for row in found}


def _returned_by_month() -> Counter[datetime]:
    """The credits that refunds gave back, in cents, by the month of the refund."""
    zone = timezone.get_default_timezone()
    rows = CaseMatch.objects.filter(refunded_at__isnull=False).select_related("match")
    dated = rows.annotate(month=TruncMonth("refunded_at", tzinfo=zone))
    months_of = {row.match.reference: row.month for row in dated}
    returned: Counter[datetime] = Counter()
    for reference, cents in settlement.returned_by(months_of).items():
        returned[months_of[reference]] += cents
    return returned
