"""The work on rollouts: one block of trials at a time, so that other questions come between.

A block is stored with the commit that ends it. A worker that is killed loses the block it was
playing, and the next one plays it again with the same dice.
"""

from time import process_time

from django.db import transaction
from django.utils import timezone

from analysis.answering import Taken, question_hold, question_take
from analysis.models import PositionAnswer, Question, Rollout
from analysis.questions import ROLLOUT, STOPPED, TRIES_MOST
from backgammon.analysis.rollouts import PLY, course_of, is_over, rollout_line
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
    course = course_of(key_of(Xgid.parse(question.xgid)), engine)
    rollout.blocks.append(course.block(len(rollout.blocks)))
    rollout.seconds += process_time() - began
    line = rollout_line(course, rollout.blocks)
    rollout.line = {**line, **_told(engine, rollout.seconds)}
    rollout.save(update_fields=["blocks", "line", "seconds"])
    question.failure, question.tries = "", 0
    if is_over(rollout.blocks, rollout.seconds):
        question.answer, _ = PositionAnswer.objects.get_or_create(
            xgid=question.xgid,
            depth=ROLLOUT,
            engine=engine.name,
            version=engine.version,
            defaults={
                "ply": PLY,
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
