"""The work on questions of people who wait at the analysis board."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from time import perf_counter
from typing import Final, cast

from django.db import transaction
from django.db.models import Q, QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from analysis.files import positions_in
from analysis.models import PositionAnswer, Question
from analysis.questions import ROLLOUT, TRIES_MOST, progress_say
from backgammon.analysis.answers import answer_line
from backgammon.analysis.depths import DEPTHS, Depth
from backgammon.counting.positions import key_of
from backgammon.engines.engine import HouseEngine
from backgammon.rules.xgid import Xgid

#: for so long a question is a worker's that has counted a try and does not hold its lock yet
HOLD_SECONDS: Final = 2
_BEGUN: Final = 5


@dataclass(frozen=True, slots=True)
class Taken:
    """A question with the tries that it has had, this one included."""

    question: Question
    tries: int


def answer_once(engine: HouseEngine) -> bool:
    """Answer the most urgent question; False if none waits.

    The try is counted and committed first, so a question that ends its worker is left alone after
    three. The row's lock is then held until the answer is stored.
    """
    taken = question_take(Question.objects.exclude(depth=ROLLOUT))
    if taken is None:
        return False
    with transaction.atomic():
        question = question_hold(taken)
        if question is None:  # another worker has it
            return True
        progress_say(question, _BEGUN)
        try:
            with transaction.atomic():
                _answer(question, engine)
        except Exception as error:  # whatever it is: the next question must not wait for this one
            question.failure = f"{type(error).__name__}: {error}"[:200]
            if taken.tries < TRIES_MOST:
                question.save(update_fields=["failure"])
                return True
        question.file = None
        question.done_at = timezone.now()
        question.save(update_fields=["answer", "found", "failure", "file", "done_at"])
    return True


@transaction.atomic
def question_take(among: QuerySet[Question]) -> Taken | None:
    """The most urgent question that nobody works on, with one more try; None without one.

    Until `question_hold` nobody else takes it: between the two transactions another worker would
    count a try of its own, and both would use up all of them without an answer. `HOLD_SECONDS` are
    enough for that; a worker that ends in between delays the question for so long. The database's
    clock counts.
    """
    free = Q(taken_at__isnull=True) | Q(taken_at__lt=Now() - timedelta(seconds=HOLD_SECONDS))
    waiting = among.filter(free, done_at__isnull=True)
    question = (
        waiting.select_for_update(no_key=True, skip_locked=True)
        .order_by("urgency", "asked_at", "pk")
        .first()
    )
    if question is None:
        return None
    question.tries += 1
    question.taken_at = cast("datetime", Now())
    if question.tries > TRIES_MOST:
        question.failure = question.failure or "its workers ended before they had the answer"
        question.done_at, question.file = timezone.now(), None
    question.save(update_fields=["tries", "taken_at", "failure", "done_at", "file"])
    return Taken(question, question.tries)


def question_hold(taken: Taken) -> Question | None:
    """The question locked, as this worker has left it; None if another one has it now.

    With the end of the caller's transaction it is free for others, if it is not done.
    """
    mine = Question.objects.filter(pk=taken.question.pk, tries=taken.tries, done_at__isnull=True)
    found = mine.select_for_update(no_key=True, skip_locked=True).first()
    if found is not None:
        found.taken_at = None
        found.save(update_fields=["taken_at"])
    return found


def _answer(question: Question, engine: HouseEngine) -> None:
    question.failure = ""
    if question.file is not None:
        question.found = positions_in(bytes(question.file))
        return
    depth = _depth(question.depth)
    began = perf_counter()
    told = engine.telling(lambda percent: progress_say(question, percent))
    line = answer_line(key_of(Xgid.parse(question.xgid)), told, depth)
    question.answer, _ = PositionAnswer.objects.get_or_create(
        xgid=question.xgid,
        depth=depth,
        engine=engine.name,
        version=engine.version,
        defaults={"ply": line["ply"], "line": line, "seconds": perf_counter() - began},
    )


def _depth(text: str) -> Depth:
    return next(depth for depth in DEPTHS if depth == text)
