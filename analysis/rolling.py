"""The work on rollouts, a block of trials at a time, and the pace at which a worker goes.

The lowest priority alone still slows down one answer in a hundred at a table (docs/analysis.md). A
worker that is pushed aside again and again therefore works only a part of the time.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from time import process_time
from typing import Final

from django.db import transaction
from django.utils import timezone

from analysis.answering import Taken, question_hold, question_take
from analysis.models import PositionAnswer, Question, Rollout
from analysis.questions import ROLLOUT, STOPPED, TRIES_MOST
from backgammon.analysis.rollouts import RolloutChoices, course_of, is_over, rollout_line
from backgammon.counting.positions import key_of
from backgammon.engines.engine import HouseEngine
from backgammon.rules.xgid import Xgid


def roll_once(engine: HouseEngine) -> bool:
    """Play one block of the oldest rollout; False if none waits.

    The try is committed first, as in `answer_once`; every block that is stored gives it back.
    """
    taken = question_take(Question.objects.filter(depth=ROLLOUT))
    if taken is None:
        return False
    with transaction.atomic():
        question = question_hold(taken)
        if question is None:  # another worker has it, or it has ended its workers
            return True
        try:
            with transaction.atomic():
                _slice(question, engine)
        except Exception as error:  # whatever it is: the next question must not wait for this one
            _failed(question, taken, error)
    return True


def _failed(question: Question, taken: Taken, error: Exception) -> None:
    question.failure = f"{type(error).__name__}: {error}"[:200]
    if taken.tries >= TRIES_MOST:
        question.done_at = timezone.now()
    question.save(update_fields=["failure", "done_at"])


def _slice(question: Question, engine: HouseEngine) -> None:
    """One block more, and the answer if that was the last one."""
    rollout = Rollout.objects.get(question=question)
    if rollout.wanted < 1:
        question.failure, question.done_at = STOPPED, timezone.now()
        question.save(update_fields=["failure", "done_at"])
        return
    began = process_time()
    choices = RolloutChoices.parse(question.choices)
    course = course_of(key_of(Xgid.parse(question.xgid)), engine, choices)
    rollout.blocks.append(course.block(len(rollout.blocks)))
    rollout.seconds += process_time() - began
    line = rollout_line(course, rollout.blocks)
    rollout.line = {**line, **_told(engine, rollout.seconds)}
    rollout.save(update_fields=["blocks", "line", "seconds"])
    question.failure, question.tries = "", 0
    if is_over(rollout.blocks, rollout.seconds, choices=choices):
        question.answer, _ = PositionAnswer.objects.get_or_create(
            xgid=question.xgid,
            depth=ROLLOUT,
            choices=question.choices,
            engine=engine.name,
            version=engine.version,
            defaults={
                "ply": choices.plies,
                "line": line,
                "seconds": rollout.seconds,
            },
        )
        question.done_at = timezone.now()
    question.save(update_fields=["failure", "tries", "answer", "done_at"])


def _told(engine: HouseEngine, seconds: float) -> dict[str, object]:
    """The facts of an answer beside its line."""
    return {
        "depth": ROLLOUT,
        "engine": engine.name,
        "version": engine.version,
        "seconds": round(seconds, 2),
    }


#: a worker is in the way if it was pushed aside more often than this in a second of its own work.
PUSHES_MOST: Final = 20.0

#: the rest after a slice, as a multiple of the processor time of the slice.
REST: Final = 4.0

#: a slice lasts at least this long, so that pushes can be counted.
SLICE_S: Final = 0.05


@dataclass(frozen=True, slots=True)
class Usage:
    """The time that a process has used since it began.

    `pushes` counts how often it lost its core to another process although it wanted to go on.
    """

    wall_s: float
    cpu_s: float
    pushes: int


@dataclass(slots=True)
class WorkerPace:
    """The pace of one worker; `step` is called often while it works.

    `rest` waits for so many seconds, or less. With `multiple` 0 the worker never rests.
    """

    used: Callable[[], Usage]
    rest: Callable[[float], object]
    multiple: float = REST
    _since: Usage = field(init=False)

    def __post_init__(self) -> None:
        self._since = self.used()

    def step(self) -> None:
        """Rest if others wanted the core during the slice that ends here."""
        now, since = self.used(), self._since
        if now.wall_s - since.wall_s < SLICE_S:
            return
        seconds = rest_s(since, now, self.multiple)
        if seconds > 0:
            self.rest(seconds)
        self._since = self.used() if seconds > 0 else now


def rest_s(since: Usage, now: Usage, multiple: float = REST) -> float:
    """How many seconds to rest after the work between these two moments."""
    worked_s = now.cpu_s - since.cpu_s
    pushed = now.pushes - since.pushes
    return worked_s * multiple if pushed > PUSHES_MOST * worked_s else 0.0
