"""An exercise as it is set and answered: a row of the house, or an error of a match."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from analysis.exercises.grading import Graded, difficulty_of, graded
from analysis.models import DecisionRow, Exercise
from analysis.stored import depth_words
from analysis.subjects import has_cube, subject_of
from backgammon.counting.decisions import Choice
from backgammon.counting.judging import DOUBLE, NO_DOUBLE
from backgammon.counting.positions import roll_of, situation_of
from backgammon.counting.situation import Situation
from backgammon.rules.errors import RulesError
from backgammon.rules.notation import format_play, match_play
from backgammon.rules.variants import by_key
from backgammon.rules.xgid import Xgid

Line = dict[str, Any]

#: the answers to a question about the cube.
CHOICES: Final = {"double": (NO_DOUBLE, DOUBLE), "take": ("take", "drop")}

Source = Literal["own", "others", "house", "set"]
"""One's own match, a match of other people, the house, or a set that one has made."""

#: what the keys of errors begin with.
_PREFIXES: Final[dict[Source, str]] = {"own": "own-", "others": "other-", "set": "set-"}


class NoAnswer(Exception):
    """The sent text answers nothing: no legal play of the roll, or no choice of the question."""

    code = "no_answer"


@dataclass(frozen=True, slots=True)
class Task:
    """One exercise; `line` has the judged options as a decision of a report has them.

    `key` is its name in an address. `situation` is that of the player on roll; at a take the
    reader is the opponent. `mirrored`: the home is on the other side. `exercise_id` or `decision`
    is set, the row that it comes from.
    """

    key: str
    source: Source
    kind: str
    theme: str
    difficulty: int
    xgid: Xgid
    situation: Situation
    line: Line
    engine: str
    exercise_id: int | None = None
    decision: DecisionRow | None = None
    mirrored: bool = False

    @property
    def dice(self) -> tuple[int, int] | None:
        """The roll to be played; None at the cube."""
        return self.xgid.dice


def key_of(source: Source, number: int) -> str:
    """The name of an exercise in an address: of its row, or of the decision."""
    return f"{_PREFIXES.get(source, '')}{number}"


def source_of(key: str) -> tuple[Source, int] | None:
    """Where the exercise of that name comes from, and the id; None for what is no name."""
    source: Source = "house"
    number = key
    for each, prefix in _PREFIXES.items():
        if key.startswith(prefix):
            source, number = each, key.removeprefix(prefix)
    is_number = number.isascii() and number.isdecimal() and len(number) < 19
    return (source, int(number)) if is_number else None


def task_of_exercise(row: Exercise) -> Task:
    """An exercise of the house."""
    xgid = Xgid.parse(row.xgid)
    return Task(
        key=key_of("house", row.pk),
        source="house",
        kind=row.kind,
        theme=row.theme,
        difficulty=row.difficulty,
        xgid=xgid,
        situation=situation_of(xgid),
        line=row.line,
        engine=f"{row.engine} {row.version} · {depth_words(row.ply)}",
        exercise_id=row.pk,
    )


def task_of_decision(row: DecisionRow, source: Source, theme: str) -> Task:
    """A decision of a report; its row is given with its report and the match.

    :raises RulesError: if its line has no position that can be read.
    """
    report = row.report
    subject = subject_of(report)
    variant = subject.variant
    xgid = Xgid.parse(row.line.get("xgid") or "", by_key(variant).checkers)
    return Task(
        key=key_of(source, row.pk),
        source=source,
        kind=row.kind,
        theme=theme,
        difficulty=difficulty_of(row.line.get("gap") or 0.0, misleading=False),
        xgid=xgid,
        situation=situation_of(xgid, variant, has_cube=has_cube(subject)),
        line=row.line,
        engine=f"{report.engine} {report.version} · {depth_words(row.ply)}",
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
