"""The work on questions of people who wait at the analysis board."""

from dataclasses import dataclass
from time import perf_counter
from typing import Final

from django.db import connection, transaction
from django.db.models import QuerySet
from django.utils import timezone

from analysis.answers import answer_line
from analysis.counting.positions import key_of
from analysis.engines.engine import HouseEngine
from analysis.files import positions_in
from analysis.models import PositionAnswer, Question
from analysis.passes import DEPTHS, Depth
from analysis.questions import ROLLOUT, TRIES_MOST, progress_say
from games.rules.xgid import Xgid

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
    if not isinstance(taken, Taken):
        return taken
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
def question_take(among: QuerySet[Question]) -> Taken | bool:
    """The most urgent question that nobody works on, with one more try; False without one.

    True means that another worker takes it at this moment. Until `question_hold` the connection
    holds a lock of its own: between the two transactions nobody else may count a try, or two
    workers would use up all of them without an answer.
    """
    waiting = among.filter(done_at__isnull=True)
    question = (
        waiting.select_for_update(no_key=True, skip_locked=True)
        .order_by("urgency", "asked_at", "pk")
        .first()
    )
    if question is None:
        return False
    if not _locked("pg_try_advisory_lock", question):
        return True
    question.tries += 1
    if question.tries > TRIES_MOST:
        question.failure = question.failure or "its workers ended before they had the answer"
        question.done_at, question.file = timezone.now(), None
    question.save(update_fields=["tries", "failure", "done_at", "file"])
    return Taken(question, question.tries)


def question_hold(taken: Taken) -> Question | None:
    """The question locked, as this worker has left it; None if another one has it now."""
    mine = Question.objects.filter(pk=taken.question.pk, tries=taken.tries, done_at__isnull=True)
    found = mine.select_for_update(no_key=True, skip_locked=True).first()
    _locked("pg_advisory_unlock", taken.question)
    return found


def _locked(function: str, question: Question) -> bool:
    """The answer of one of PostgreSQL's functions for locks that belong to a connection."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {function}(hashtextextended(%s, 0))", [str(question.pk)])
        (answer,) = cursor.fetchone()
    return bool(answer)


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
