"""The queue of matches to be analysed, and the work on one of them.

Matches are found by their rows and not announced, so no match can be missed. Each of them is
looked at quickly, before anything that takes long, then fully, and deeply when nothing else waits.
Where there is a second engine, it is asked about the errors that the deep report shows.

Of a match against a bot the quick look is as urgent, the full one comes after those of people, and
takes of the hours that the person has in a week; a deep one is made on request.

Matches from elsewhere come after all played ones: first those of the person for whom the engine has
worked least in a week, the newest match first. Each person has so many hours of it in a week.

Where the judges of an error differ it is rolled out, in slices, while nothing else waits.
"""

from collections.abc import Callable
from datetime import timedelta
from itertools import chain
from time import process_time
from typing import Final

from django.db import transaction
from django.db.models import Case, Exists, F, OuterRef, Q, QuerySet, Subquery, Sum, When
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from accounts.models import User
from analysis.checking import CHECKED, check_queue, check_slice
from analysis.decisions.filling import opinions_list
from analysis.models import ImportedMatch, Job, Report
from analysis.reports import report_make
from analysis.second_judge import SECOND, opinions_make
from analysis.second_judge import is_here as second_judge_is_here
from analysis.subjects import about, subject_of
from backgammon.analysis.depths import DEPTHS, Depth
from backgammon.engines.engine import HouseEngine
from backgammon.engines.house import ANALYSED
from games.models import Match
from games.selectors import between_people
from games.services.archive import VOIDED
from games.services.house_bots import ALONE_NAME
from house.parts import HousePart
from house.reader import house_now
from kit.errors import Refusal

#: what every match between people is analysed at, one after the other.
EVERY: Final[tuple[Depth, ...]] = ("quick", "full", "deep")

#: what a match against a bot is analysed at, while the person has hours of the engine left.
AGAINST_BOTS: Final[tuple[Depth, ...]] = ("quick", "full")

#: what a player may ask for, and how often within a day.
ON_REQUEST: Final[tuple[Depth, ...]] = ("full", "deep")
REQUESTS_MOST: Final = 10
REQUESTS_WITHIN: Final = timedelta(days=1)

#: matches that ended earlier are analysed on request alone.
LOOKS_BACK: Final = timedelta(days=30)

#: what every look goes through; an hourly one goes through everything, and a worker at its start.
LOOKS_BACK_OFTEN: Final = timedelta(hours=2)

TRIES_MOST: Final = 3

#: hours of processor time a person and week for other matches than those between people, where
#: the house sets none.
ENGINE_HOURS: Final = 4
ENGINE_WITHIN: Final = timedelta(days=7)

#: the rollouts about these matches have their own time, so no report waits for its sake.
ROLLOUTS_MOST_SECONDS: Final = 2 * 3600.0

_AT_ONCE: Final = 500

#: the order of the queue: quick looks first, deep ones that nobody asked for last, and of equal
#: ones what has waited longest.
ORDER: Final = (
    Case(
        When(depth="quick", then=0),
        When(~between_people("match"), depth="full", asked_by=None, then=2),
        When(depth="deep", asked_by=None, then=3),
        When(depth=SECOND, then=4),
        When(depth=CHECKED, then=5),
        default=1,
    ),
    "queued_at",
    "pk",
)

#: of the matches that a person brought: all of them fully, then deeply.
_ORDER_OF_BROUGHT: Final = Case(
    When(depth="full", then=0),
    When(depth="deep", then=1),
    When(depth=SECOND, then=2),
    default=3,
)

_OPEN: Final = Q(done_at__isnull=True, tries__lt=TRIES_MOST)
_CHECKS: Final = Q(depth=CHECKED)


class RequestRefused(Refusal):
    """An analysis that cannot be asked for."""


class AnalysesTooMany(RequestRefused):
    """This person has asked for as many as one may in a day."""

    code = "limit"
    sentence = _("You have asked for ten analyses today. Ask again tomorrow.")


class NotAnalysable(RequestRefused):
    """No engine plays the variant, the match has not ended, or one person played both sides."""

    code = "variant"
    sentence = _("This match cannot be analysed.")


def analysable() -> QuerySet[Match]:
    """Finished matches of a person against somebody else in a variant that an engine plays."""
    found = Match.objects.filter(ended_at__isnull=False, variant__in=ANALYSED)
    return found.exclude(
        Q(ending__in=VOIDED)
        | Q(player_0__is_bot=True, player_1__is_bot=True)
        | Q(player_0__username=ALONE_NAME)
        | Q(player_1__username=ALONE_NAME)
    )


def enqueue_ended(back: timedelta = LOOKS_BACK) -> int:
    """Queue matches that have ended and are not in the queue yet; return how many there were.

    At most 500 at a time. `back` is how long ago a match may have ended.
    """
    found = list(
        _ended(back).select_related("player_0", "player_1").order_by("ended_at")[:_AT_ONCE]
    )
    jobs = [Job(match=match, depth=depth) for match in found for depth in _depths(match)]
    Job.objects.bulk_create(jobs, ignore_conflicts=True)
    return len(found)


def _depths(match: Match) -> tuple[Depth, ...]:
    """Return at which depths a match is analysed by itself, the most urgent first."""
    people = [player for player in (match.player_0, match.player_1) if not player.is_bot]
    if len(people) == 2:
        return EVERY
    most = 3600 * engine_hours()
    return AGAINST_BOTS if engine_seconds(people[0].pk) < most else ("quick",)


def matches_have_ended() -> bool:
    """Whether a match that has just ended is not in the queue yet."""
    return _ended(LOOKS_BACK_OFTEN).exists()


def _ended(back: timedelta) -> QuerySet[Match]:
    jobs_of = Job.objects.filter(match=OuterRef("pk"))
    lacks = {depth: ~Q(Exists(jobs_of.filter(depth=depth))) for depth in EVERY}
    wanted = lacks["quick"] | between_people() & (lacks["full"] | lacks["deep"])
    return analysable().filter(wanted, ended_at__gte=timezone.now() - back)


def enqueue_missed() -> int:
    """Queue all that the frequent looks have missed while nobody looked; how many there were."""
    return sum(iter(enqueue_ended, 0))


def request(match: Match, depth: Depth, person: User) -> Job:
    """Queue a match for a player of it; one that is in the queue, or was, is given back.

    :raises RequestRefused: `AnalysesTooMany` or `NotAnalysable`.
    """
    if depth not in ON_REQUEST or not analysable().filter(pk=match.pk).exists():
        raise NotAnalysable
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=person.pk)  # counts one by one
        known = Job.objects.filter(match=match, depth=depth).first()
        if known is not None:
            return known
        if requests_left(person) < 1:
            raise AnalysesTooMany
        return Job.objects.create(match=match, depth=depth, asked_by=person)


def requests_left(person: User) -> int:
    """How many more analyses this person may ask for today."""
    since = timezone.now() - REQUESTS_WITHIN
    asked = Job.objects.filter(asked_by=person, transcript=None, queued_at__gt=since)
    return REQUESTS_MOST - asked.count()


def waiting() -> QuerySet[Job]:
    """The jobs about played matches that are to be done, in their order; those at work, too."""
    return Job.objects.filter(_OPEN, transcript=None).order_by(*ORDER)


def waiting_of(person_id: int) -> QuerySet[Job]:
    """The jobs about matches that this person brought, in their order."""
    theirs = ImportedMatch.objects.filter(person=person_id, transcript=OuterRef("transcript"))
    return (
        Job.objects.filter(_OPEN, asked_by=person_id, match=None)
        .annotate(ended_at=Subquery(theirs.values("ended_at")[:1]))
        .order_by(_ORDER_OF_BROUGHT, F("ended_at").desc(nulls_last=True), "pk")
    )


def engine_hours() -> int:
    """Return the hours that the engine may work in a week on what each person brought or played
    against bots."""
    chosen = house_now().content(HousePart.LIMITS).get("engine_hours_per_week")
    return int(chosen or ENGINE_HOURS)


def engine_seconds(person_id: int, among: Q = ~_CHECKS) -> float:
    """Return the processor time of the last week on this person's matches against bots and on
    those they brought.
    """
    since = timezone.now() - ENGINE_WITHIN
    theirs = Match.objects.filter(
        ~between_people(), Q(player_0=person_id) | Q(player_1=person_id), ended_at__gt=since
    )
    own = Q(asked_by=person_id, match=None) | Q(match__in=theirs)
    lately = Q(done_at__gt=since) | (Q(done_at=None) & _CHECKS)
    done = Job.objects.filter(own, lately, among)
    return float(done.aggregate(seconds=Sum("seconds", default=0.0))["seconds"])


def _turns(among: Q) -> list[int]:
    """The people whose own matches wait, for whom the engine has worked least first.

    Those who have had their hours of this week are left out.
    """
    waiting_jobs = Job.objects.filter(_OPEN, among, match=None).order_by()
    people = waiting_jobs.values_list("asked_by", flat=True).distinct()
    used = {person: engine_seconds(person, among) for person in people if person is not None}
    most = ROLLOUTS_MOST_SECONDS if among == _CHECKS else 3600 * engine_hours()
    fit = [person for person, seconds in used.items() if seconds < most]
    return sorted(fit, key=lambda person: (used[person], person))


def _doable(jobs: QuerySet[Job]) -> QuerySet[Job]:
    """Those of the waiting jobs that can be done here.

    A deep look waits for the full one of its match, a rollout for the second engine's opinions,
    which has to be installed.
    """
    same = Q(match=OuterRef("match")) | Q(transcript=OuterRef("transcript"))
    full = Job.objects.filter(_OPEN, same, depth="full")
    asked = Job.objects.filter(_OPEN, same, depth=SECOND)
    ready = jobs.exclude(Q(Exists(full)), depth="deep").exclude(Q(Exists(asked)), depth=CHECKED)
    return ready if second_judge_is_here() else ready.exclude(depth=SECOND)


def _taken() -> Job | None:
    """The job whose turn it is, locked; None if nothing waits."""
    for among in (~_CHECKS, _CHECKS):
        for jobs in chain((waiting(),), map(waiting_of, _turns(among))):
            free = _doable(jobs.filter(among))
            job = free.select_for_update(no_key=True, skip_locked=True, of=("self",)).first()
            if job is not None:
                return job
    return None


def work_once(engine: HouseEngine, step: Callable[[], None] = lambda: None) -> bool:
    """Analyse the match that has waited longest; False if none waits.

    The row's lock is held until the report is stored, so no two workers have the same match. Of
    rollouts one block is played, so what comes in between has its turn.
    `step` is called again and again during the work and may wait.
    """
    with transaction.atomic():
        job = _taken()
        if job is None:
            return False
        began, is_done = process_time(), False
        try:
            with transaction.atomic():
                is_done = _work(job, engine, step)
        except Exception as error:  # whatever it is: the next match must not wait for this one
            job.tries += 1
            job.failure = f"{type(error).__name__}: {error}"[:200]
        else:
            job.failure, job.done_at = "", timezone.now() if is_done else None
        job.seconds += process_time() - began
        job.save(update_fields=["tries", "failure", "done_at", "seconds", "blocks"])
    return True


def _work(job: Job, engine: HouseEngine, step: Callable[[], None]) -> bool:
    """Do a job, or a slice of it; True if it is done."""
    subject = subject_of(job)
    if job.depth == CHECKED:
        is_done = check_slice(job, engine)
        step()
        return is_done
    if job.depth == SECOND:
        opinions_make(subject, step)
        for report in Report.objects.filter(**about(subject), depth="deep"):
            opinions_list(report)
        check_queue(job, engine)
        return True
    report_make(subject, engine, _depth_named(job.depth), step)
    if job.depth == "deep":
        if second_judge_is_here():
            asked_by = None if job.match else job.asked_by
            Job.objects.get_or_create(
                **about(subject), depth=SECOND, defaults={"asked_by": asked_by}
            )
        check_queue(job, engine)
    return True


def _depth_named(name: str) -> Depth:
    """The depth of this name. Raises `StopIteration` for any other."""
    return next(depth for depth in DEPTHS if depth == name)
