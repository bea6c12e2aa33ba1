"""The parts of a full report that are kept: sums by theme, and its errors as exercises.

Both are rows of their own, made with the report.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Exists, OuterRef, Q

from analysis.exercises.themes import Theme, theme_of
from analysis.models import DecisionRow, ErrorExercise, Report, ThemeSum
from backgammon.counting.decisions import Answer, DecidedPlay, Decision, Doubling
from backgammon.counting.figures import PR_SCALE, Band, band_of_sums
from backgammon.counting.positions import roll_of

#: sums and exercises come from reports of this depth alone.
DEPTH: Final = "full"

#: a counted decision that lost so much can be an exercise.
ERROR: Final = 0.040

_READ: Final = (
    *("pk", "game", "number", "seat", "counted", "loss"),
    *("line__gift", "line__span", "line__xgid"),
)


@dataclass(frozen=True, slots=True)
class ErrorRate:
    """A PR with what it was counted from; there is no band with few decisions."""

    counted: int = 0
    lost: float = 0.0
    counted_lost: float = 0.0
    squares: float = 0.0

    def __add__(self, other: "ErrorRate") -> "ErrorRate":
        return ErrorRate(
            self.counted + other.counted,
            self.lost + other.lost,
            self.counted_lost + other.counted_lost,
            self.squares + other.squares,
        )

    @property
    def pr(self) -> float | None:
        """The PR; None without a counted decision."""
        return PR_SCALE * self.lost / self.counted if self.counted else None

    @property
    def band(self) -> Band | None:
        """Where the PR lies with 95 %; None with few decisions or without any error."""
        return band_of_sums(self.counted, self.counted_lost, self.squares)


@dataclass(slots=True)
class _Sum:
    counted: int = 0
    lost: float = 0.0
    counted_lost: float = 0.0
    squares: float = 0.0
    gift: float = 0.0

    def add(self, row: dict[str, Any]) -> None:
        loss = row["loss"] or 0.0
        self.lost += loss
        self.gift += row["line__gift"] or 0.0
        if row["counted"]:
            self.counted += 1
            self.counted_lost += loss
            self.squares += loss * loss


def sums_store(report: Report, made: Iterable[Decision]) -> None:
    """Store the sums and the exercises of a full report, in the caller's transaction.

    `made` are the decisions of the match.
    """
    known = {(each.place.game, each.place.number): each for each in made}
    sums: dict[tuple[int, Theme], _Sum] = defaultdict(_Sum)
    errors, in_points = [], False
    for row in DecisionRow.objects.filter(report=report).values(*_READ):
        decision = known[row["game"], row["number"]]
        theme = decision_theme(decision)
        sums[row["seat"], theme].add(row)
        in_points = in_points or bool(row["line__span"] and row["line__span"][0] < 0)
        is_error = row["counted"] and (row["loss"] or 0.0) >= ERROR
        if is_error and row["line__xgid"] and can_be_asked(decision):
            errors.append(
                ErrorExercise(
                    decision_id=row["pk"],
                    report=report,
                    seat=row["seat"],
                    theme=theme,
                    loss=row["loss"],
                )
            )
    ThemeSum.objects.bulk_create(
        ThemeSum(
            report=report,
            seat=seat,
            theme=theme,
            counted=each.counted,
            lost=each.lost,
            counted_lost=each.counted_lost,
            squares=each.squares,
            gift=each.gift,
            in_points=in_points,
        )
        for (seat, theme), each in sums.items()
    )
    ErrorExercise.objects.bulk_create(errors)


def decision_theme(decision: Decision) -> Theme:
    """The theme of a decision of a match."""
    results = (
        [each.result for each in decision.choices] if isinstance(decision, DecidedPlay) else []
    )
    return theme_of(decision.kind, decision.situation, results)


def can_be_asked(decision: Decision) -> bool:
    """Whether the position alone leads to the same question.

    Not so for the answer to a beaver, and for plays under a rule that only this match or its first
    turn has.
    """
    if isinstance(decision, Answer):
        return decision.turns == 1
    if isinstance(decision, Doubling):
        return True
    again = roll_of(decision.situation, (decision.dice[0], decision.dice[1]))
    return {each.result for each in again.choices} == {each.result for each in decision.choices}


def superseded(path: str = "report") -> Exists:
    """Whether the report at this path ("": the row itself) has a newer full one of its match.

    Of a match of the house or a transcript: a comparison with what is not there finds nothing.
    """
    way = f"{path}__" if path else ""
    newer = Report.objects.filter(depth=DEPTH, pk__gt=OuterRef(f"{way}pk"))
    return Exists(
        newer.filter(Q(match=OuterRef(f"{way}match")) | Q(transcript=OuterRef(f"{way}transcript")))
    )
