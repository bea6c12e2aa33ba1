"""An exercise as it is set and answered: a row of the house, or an error of one's own."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from analysis.counting.decisions import Choice
from analysis.counting.judging import DOUBLE, NO_DOUBLE
from analysis.counting.positions import roll_of, situation_of
from analysis.counting.situation import Situation
from analysis.exercises.grading import Graded, difficulty_of, graded
from analysis.exercises.themes import theme_of
from analysis.models import DecisionRow, Exercise
from games.rules.errors import RulesError
from games.rules.notation import format_play, match_play
from games.rules.variants import by_key
from games.rules.xgid import Xgid

Line = dict[str, Any]

#: the answers to a question about the cube.
CHOICES: Final = {"double": (NO_DOUBLE, DOUBLE), "take": ("take", "drop")}

_OWN: Final = "own-"


class NoAnswer(Exception):
    """What was sent answers nothing: no legal play of the roll, or no choice of the question."""

    code = "no_answer"


@dataclass(frozen=True, slots=True)
class Task:
    """One exercise; `line` has the judged options as a decision of a report has them.

    `key` is its name in an address. `situation` is that of the player on roll; at a take the
    reader is the opponent. `exercise_id` or `decision` is set, the row that it comes from.
    """

    key: str
    kind: str
    theme: str
    difficulty: int
    xgid: Xgid
    situation: Situation
    line: Line
    engine: str
    exercise_id: int | None = None
    decision: DecisionRow | None = None

    @property
    def dice(self) -> tuple[int, int] | None:
        """The roll to be played; None at the cube."""
        return self.xgid.dice

    @property
    def is_own(self) -> bool:
        """Whether it is an error of the reader's own."""
        return self.decision is not None


def key_of(exercise_id: int | None, decision_id: int | None) -> str:
    """The name of an exercise in an address."""
    return f"{_OWN}{decision_id}" if exercise_id is None else str(exercise_id)


def own_id(key: str) -> int | None:
    """The decision that a key of an own error names; None for another key."""
    number = key.removeprefix(_OWN)
    return int(number) if key.startswith(_OWN) and number.isdecimal() else None


def task_of_exercise(row: Exercise) -> Task:
    """An exercise of the house."""
    xgid = Xgid.parse(row.xgid)
    return Task(
        key=key_of(row.pk, None),
        kind=row.kind,
        theme=row.theme,
        difficulty=row.difficulty,
        xgid=xgid,
        situation=situation_of(xgid),
        line=row.line,
        engine=f"{row.engine} {row.version} · {row.ply}-ply",
        exercise_id=row.pk,
    )


def task_of_decision(row: DecisionRow) -> Task:
    """A decision of a report; its row is given with its report and the match.

    :raises RulesError: if its line has no position that can be read.
    """
    report = row.report
    xgid = Xgid.parse(row.line.get("xgid") or "")
    situation = situation_of(xgid, report.match.variant)
    results = []
    if xgid.dice is not None:
        results = [choice.result for choice in roll_of(situation, xgid.dice).choices]
    return Task(
        key=key_of(None, row.pk),
        kind=row.kind,
        theme=theme_of(row.kind, situation, results),
        difficulty=difficulty_of(row.line.get("gap") or 0.0, misleading=False),
        xgid=xgid,
        situation=situation,
        line=row.line,
        engine=f"{report.engine} {report.version} · {row.ply}-ply",
        decision=row,
    )


def answer_of(task: Task, text: str) -> Graded:
    """The grade of an answer: a play in notation, or a choice.

    :raises NoAnswer: if it is neither a legal play nor a choice of this question.
    """
    options = [(option["text"], option["equity"]) for option in task.line["options"]]
    if task.dice is None:
        if text not in CHOICES[task.kind]:
            raise NoAnswer(f"{text!r} is no choice of a question about a {task.kind}")
        return graded(text, options)
    try:
        made = roll_of(task.situation, task.dice, text).played
    except RulesError as error:
        raise NoAnswer(str(error)) from error
    assert made is not None, "a play was given"
    return graded(_written(task, made, [name for name, _ in options]), options)


def _written(task: Task, made: Choice, options: Sequence[str]) -> str:
    """A play as the options write it; as itself if it is none of them."""
    variant, position = by_key(task.situation.variant), task.situation.position
    assert task.dice is not None, "a play has dice"
    legal = variant.legal_plays(position, task.dice)
    for text in options:
        if legal.graph.follow(match_play(position, legal, text)) == made.result:
            return text
    return format_play(variant, position, made.moves)
