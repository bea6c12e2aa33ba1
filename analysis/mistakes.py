"""The mistakes of a player in one match: how many there are, and the one that cost most."""

from dataclasses import dataclass

from analysis.models import DecisionRow, ErrorExercise, Report

#: the marks of a mistake; what is doubtful is none.
MARKS = ("??", "?")


@dataclass(frozen=True, slots=True)
class Mistakes:
    """How many mistakes a seat made in a report, its PR, and the costliest one."""

    count: int
    pr: float | None
    worst: DecisionRow | None


def mistakes_of(report: Report, seat: int) -> Mistakes:
    """Return the mistakes of a seat in a report."""
    own = DecisionRow.objects.filter(report=report, seat=seat, line__mark__in=MARKS)
    worst = own.order_by("-loss", "pk").first()
    return Mistakes(own.count() if worst else 0, report.figures[seat].get("pr"), worst)


def exercise_of(worst: DecisionRow) -> int | None:
    """Return the decision that asks for this mistake again as an exercise; None without one.

    Exercises come from the full report, and the mistake may come from a deeper one.
    """
    same = ErrorExercise.objects.filter(
        report__match=worst.report.match_id,
        decision__game=worst.game,
        decision__number=worst.number,
        seat=worst.seat,
    )
    return same.order_by("-decision").values_list("decision", flat=True).first()
