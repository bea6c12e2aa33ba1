"""The decisions of a report, read from their rows."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from analysis.models import DecisionRow, Opinion, Report
from analysis.second_judge import opinions_of
from analysis.subjects import subject_of
from backgammon.analysis.json_lines import Line
from backgammon.counting.judging import SHOWN


@dataclass(frozen=True, slots=True)
class ReportDecision:
    """A decision; `line` is as `docs/analysis.md` describes it."""

    game: int
    number: int
    seat: int
    kind: str
    counted: bool
    loss: float | None
    luck: float | None
    line: Line
    opinion: Opinion | None = None

    @property
    def key(self) -> str:
        """Its name in an address: the game and the decision in it."""
        return f"{self.game}.{self.number}"

    @property
    def mark(self) -> str:
        """The mark beside an error; "" for none, and where the second engine sees no error."""
        return "" if self.disputed else str(self.line["mark"] or "")

    @property
    def disputed(self) -> bool:
        """Whether one engine calls this an error and the other does not, and no rollout decided."""
        if self.opinion is None or self.rolled is not None:
            return False
        return bool(self.line["mark"]) and self.opinion.loss < SHOWN

    @property
    def rolled(self) -> Line | None:
        """How exact the loss is where a rollout has decided about differing judges."""
        found: Line | None = self.line.get("rollout")
        return found

    @property
    def roll(self) -> str:
        """The roll of a play, else ""."""
        return "".join(map(str, self.line["dice"] or ()))

    @property
    def on_roll(self) -> int:
        """The seat whose view the position has."""
        return int(self.line.get("on_roll", self.seat))

    @property
    def score(self) -> str:
        """The score of the match before the game, seat 0's first; "" in unlimited play."""
        text = self.line.get("xgid")
        if not text:
            return ""
        fields = text.split(":")
        own, other, rule, length = fields[5:9]
        if length == "0":
            return ""
        first, second = (own, other) if self.on_roll == 0 else (other, own)
        return f"{first} : {second}" + (" C" if rule == "1" else "")

    @property
    def option_made(self) -> Line | None:
        """The option that was taken; None if nothing was decided."""
        return next((o for o in self.line["options"] if o["text"] == self.line["played"]), None)

    def result(self, equity: float) -> float | None:
        """The result, for the player who decides, that an equity of theirs stands for."""
        span = self.line.get("span")
        if span is None:
            return None
        lost, won = span
        if self.on_roll == self.seat:
            return float(lost + (equity + 1) / 2 * (won - lost))
        of_other = lost + (1 - equity) / 2 * (won - lost)
        return float((0 if lost < 0 else 1) - of_other)

    def result_after(self, seat: int, *, points: bool) -> float | None:
        """The result that a seat expects once this has been decided."""
        best = self.result(self.line["options"][0]["equity"])
        if best is None:
            return None
        own = best - (self.line["cost"] or 0.0)
        return own if seat == self.seat else (0 if points else 1) - own


def decisions_of(report: Report) -> list[ReportDecision]:
    """All decisions of a report, in their order."""
    rows = DecisionRow.objects.filter(report=report).order_by("game", "number")
    opinions = opinions_of(subject_of(report), report.engine, report.version)
    return [replace(decision_of(row), opinion=opinions.get((row.game, row.number))) for row in rows]


def decision_of(row: DecisionRow) -> ReportDecision:
    """One decision, without a second opinion."""
    return ReportDecision(
        row.game, row.number, row.seat, row.kind, row.counted, row.loss, row.luck, row.line
    )


def neighbours(keys: Sequence[str], errors: Sequence[str], key: str) -> dict[str, Any]:
    """The keys before and after one, among all decisions and among the errors; "" without one."""
    place = keys.index(key)
    before = [each for each in errors if keys.index(each) < place]
    after = [each for each in errors if keys.index(each) > place]
    return {
        "previous": keys[place - 1] if place else "",
        "next": keys[place + 1] if place + 1 < len(keys) else "",
        "error_before": before[-1] if before else "",
        "error_after": after[0] if after else "",
        "error_number": len(before) + 1 if key in errors else None,
        "errors": len(errors),
    }
