"""Questions at the analysis board: asking within limits, and what is known already.

A question is a row that a worker answers. It names nobody, and people who ask the same share it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Final, Literal

from django.core.cache import cache
from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext_noop as _
from redis.exceptions import RedisError

from analysis.models import PositionAnswer, Question, Rollout
from backgammon.analysis.depths import DEPTHS, Depth
from backgammon.counting.positions import key_of
from backgammon.engines.engine import HouseEngine
from backgammon.engines.sage import house_engine
from backgammon.rules.xgid import Xgid
from games.modes.registry import PRACTICE_KEYS
from games.selectors import deadlines_of
from kit.errors import Refusal
from kit.throttle import Rate, count, uncount

#: how deep the board is asked to look: as far as a match, or a rollout.
AskedDepth = Depth | Literal["rollout"]

ROLLOUT: Final = "rollout"
ASKED_DEPTHS: Final[tuple[AskedDepth, ...]] = (*DEPTHS, ROLLOUT)

#: the failure of a rollout that nobody wants any more.
STOPPED: Final = "stopped"

#: what one person may ask in a day, what a visitor or a guest from one network may ask in an hour,
#: and what anybody may ask in a minute. What has been answered before does not count.
A_DAY: Final[dict[AskedDepth, Rate]] = {
    "quick": Rate(1_000, 86_400),
    "full": Rate(200, 86_400),
    "deep": Rate(50, 86_400),
    "rollout": Rate(10, 86_400),
}
OF_VISITORS: Final = Rate(60, 3_600)
VISITORS_IN_ALL: Final = Rate(2_000, 3_600)
A_MINUTE: Final = Rate(30, 60)
FILES_A_DAY: Final = Rate(50, 86_400)
FILES_OF_VISITORS: Final = Rate(10, 3_600)

#: the largest file that is read.
FILE_MOST_BYTES: Final = 200 * 1024

#: which question is answered first: the lower one, then the older one. A rollout with choices of
#: its own, which may be long, comes after the others.
URGENCY: Final[dict[AskedDepth, int]] = {"quick": 0, "full": 2, "deep": 3, "rollout": 4}
URGENCY_OF_FILES: Final = 1

#: a question is kept for so long; its answer stays.
KEPT: Final = timedelta(days=1)

TRIES_MOST: Final = 3

#: a worker says so often that it is there; the house has none if nobody has for so long.
WORKER_SEEN: Final = "analysis:worker"
WORKER_SEEN_SECONDS: Final = 120


class QuestionRefused(Refusal):
    """A question is not taken."""

    code = "question_refused"


class AskedTooMuch(QuestionRefused):
    """This person, network or the house has asked as much as may be asked in this time."""

    code = "asked_too_much"
    sentence = _("That is enough for now. Try again later.")


class OnlyWithAccount(QuestionRefused):
    """Visitors and guests have the quick depth alone."""

    code = "only_with_account"
    sentence = _("This depth needs an account. The quick one is for all.")


class AskerPlaysNow(QuestionRefused):
    """Nobody asks the engine while they play against people."""

    code = "plays_now"
    sentence = _("You are playing against people: the engine answers afterwards.")


class FileTooLarge(QuestionRefused):
    """The file is larger than what is read."""

    code = "file_too_large"
    sentence = _("A file may have {most} kB at most.")
    most = FILE_MOST_BYTES // 1024


class FileEmpty(QuestionRefused):
    """There is nothing in the file."""

    code = "file_empty"
    sentence = _("There is nothing in the file.")


@dataclass(frozen=True, slots=True)
class Asker:
    """The person who asks: `person` is the id of the account or guest, None for a stranger.

    `network` is where a guest or a stranger asks from.
    """

    person: int | None
    has_account: bool
    network: str

    @property
    def name(self) -> str:
        """The key under which this asker's questions are counted."""
        return f"person:{self.person}" if self.has_account else f"network:{self.network}"


@transaction.atomic
def position_ask(
    asker: Asker,
    xgid: Xgid,
    depth: AskedDepth,
    choices: str = "",
    spend: Callable[[], None] = lambda: None,
) -> Question:
    """The question about a position, new or one that is there already.

    `choices` are those of a rollout as text; `spend` is called if there is work to do, and may
    refuse it.

    :raises RulesError: for a position that cannot be judged.
    :raises QuestionRefused: if this asker may not ask it now.
    """
    asked = key_of(xgid).text()
    if depth != "quick" and not asker.has_account:
        raise OnlyWithAccount("the quick depth is for everybody, the others need an account")
    _no_game_check(asker)
    engine = house_engine()
    key: dict[str, str] = {"xgid": asked, "depth": depth, "choices": choices}
    found = _question_of(key, engine)
    if found is None:
        answer = _answer_of(key, engine)
        if answer is None:
            taken = _take(asker, depth, A_DAY[depth], OF_VISITORS)
            try:
                spend()
            except QuestionRefused:
                uncount(taken)
                raise
        found = _question_make(key, answer, URGENCY[depth] + bool(choices))
    if depth == ROLLOUT and found.done_at is None:
        _want(asker, found)
    return found


def rollout_stop(asker: Asker, question: Question) -> bool:
    """Take back the wish of this asker for a rollout; False if they have none.

    It ends once nobody wants it any more.
    """
    if not _wish_end(asker, question):
        return False
    wanted = Rollout.objects.filter(question=question, wanted__gt=0)
    wanted.update(wanted=F("wanted") - 1)
    return True


def _want(asker: Asker, question: Question) -> None:
    """Count this asker among those who want a rollout, once.

    The database has their number alone; Valkey has whose wishes are counted in it.
    """
    if _wish(asker, question):
        Rollout.objects.filter(question=question).update(wanted=F("wanted") + 1)


def file_ask(asker: Asker, data: bytes) -> Question:
    """The question which positions a file has.

    :raises QuestionRefused: if this asker may not ask it now, or the file is too large.
    """
    if len(data) > FILE_MOST_BYTES:
        raise FileTooLarge(f"a file has at most {FILE_MOST_BYTES} bytes, this one {len(data)}")
    if not data.strip():
        raise FileEmpty("there is nothing in the file")
    _no_game_check(asker)
    _take(asker, "file", FILES_A_DAY, FILES_OF_VISITORS)
    return Question.objects.create(file=data, urgency=URGENCY_OF_FILES)


def plays_now(asker: Asker) -> bool:
    """Whether the person is playing against people at this moment."""
    if asker.person is None:
        return False
    return deadlines_of(asker.person).exclude(table__mode__in=PRACTICE_KEYS).exists()


def _no_game_check(asker: Asker) -> None:
    if plays_now(asker):
        raise AskerPlaysNow("the engine answers nobody who is playing against people")


def _take(asker: Asker, what: str, a_day: Rate, of_visitors: Rate) -> str:
    """Count the question; return what `uncount` takes back of it. Raises `AskedTooMuch`.

    A minute counts what is refused, too.
    """
    rates = [("minute", asker.name, A_MINUTE)]
    if asker.has_account:
        rates.append((what, asker.name, a_day))
    else:
        rates += [(what, asker.name, of_visitors), ("visitors", "all", VISITORS_IN_ALL)]
    taken = []
    for name, who, rate in rates:
        key = count(f"analysis:{name}", who, rate)
        if key is None:
            raise AskedTooMuch("enough has been asked for now; try again later")
        taken.append(key)
    return taken[1]


def _question_of(key: dict[str, str], engine: HouseEngine) -> Question | None:
    """The question that waits for its answer, or has that of this engine."""
    same = Question.objects.filter(**key).select_related("answer")
    waiting = same.filter(done_at__isnull=True).first()
    if waiting is not None:
        return waiting
    return same.filter(answer__engine=engine.name, answer__version=engine.version).first()


def _answer_of(key: dict[str, str], engine: HouseEngine) -> PositionAnswer | None:
    same = PositionAnswer.objects.filter(**key, engine=engine.name, version=engine.version)
    return same.first()


def _question_make(key: dict[str, str], answer: PositionAnswer | None, urgency: int) -> Question:
    """A new question; the same one of somebody else if that was quicker."""
    try:
        with transaction.atomic():
            made = Question.objects.create(
                **key,
                urgency=urgency,
                answer=answer,
                done_at=None if answer is None else timezone.now(),
            )
            if key["depth"] == ROLLOUT and answer is None:
                Rollout.objects.create(question=made)
            return made
    except IntegrityError:
        return Question.objects.filter(**key).latest("asked_at")


def questions_before(question: Question) -> int:
    """How many questions a worker takes before this one."""
    waiting = Question.objects.filter(done_at__isnull=True)
    sooner = waiting.filter(urgency__lt=question.urgency).count()
    same = waiting.filter(urgency=question.urgency, asked_at__lt=question.asked_at)
    return sooner + same.count()


def anybody_waits() -> bool:
    """Whether a question waits for its answer, or for the end of the work on it."""
    return Question.objects.filter(done_at__isnull=True).exists()


def questions_forget() -> int:
    """Delete old questions; how many there were. Answers stay."""
    old = Question.objects.filter(asked_at__lt=timezone.now() - KEPT)
    return old.delete()[0]


# --- what is in Valkey: it may be emptied at any time ---------------------------------------------


def worker_here() -> None:
    """A worker says that it is there."""
    try:
        cache.set(WORKER_SEEN, 1, WORKER_SEEN_SECONDS)
    except RedisError:
        return


def has_worker() -> bool:
    """Whether a worker has said lately that it is there."""
    try:
        return cache.get(WORKER_SEEN) is not None
    except RedisError:
        return False


def progress_say(work: Question | str, percent: int) -> None:
    """Say how far the work on a question, or of this name, is."""
    try:
        cache.set(_progress_key(work), percent, WORKER_SEEN_SECONDS)
    except RedisError:
        return


def progress_of(work: Question | str) -> int | None:
    """How far the work is, in per cent; None if it is not known to have begun."""
    try:
        found = cache.get(_progress_key(work))
    except RedisError:
        return None
    return found if isinstance(found, int) else None


def _progress_key(work: Question | str) -> str:
    return f"analysis:progress:{work if isinstance(work, str) else work.pk}"


def _wish(asker: Asker, question: Question) -> bool:
    """Note that this asker wants an answer; False if that is noted already."""
    try:
        return cache.add(_wish_key(asker, question), 1, KEPT.total_seconds())
    except RedisError:
        return True


def _wish_end(asker: Asker, question: Question) -> bool:
    """Forget that this asker wants an answer; False if nothing was noted."""
    try:
        return cache.delete(_wish_key(asker, question))
    except RedisError:
        return False


def _wish_key(asker: Asker, question: Question) -> str:
    return f"analysis:wants:{question.pk}:{asker.name}"
