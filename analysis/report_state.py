"""How far the analysis of a match is, and whether anybody works on it."""

from dataclasses import dataclass
from typing import Literal

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from analysis.decisions.filling import RANKS
from analysis.models import Job, Report, Transcript
from analysis.questions import has_worker, progress_of
from analysis.queue import LOOKS_BACK, TRIES_MOST, analysable, waiting, waiting_of
from analysis.reports import work_name
from analysis.subjects import Subject, about

State = Literal["unsupported", "unasked", "queued", "working", "failed", "done"]


@dataclass(frozen=True, slots=True)
class DepthStanding:
    """The state of one depth of a match; `place` is its place in the queue, from 1.

    `unasked`: it is not in the queue and will not get there by itself. `workers`: whether any
    worker is there. `percent`: how far one is, where it has said so.
    """

    state: State
    place: int | None = None
    workers: bool = True
    percent: int | None = None


def standing(match: Subject, depth: str) -> DepthStanding:
    """How far the analysis of a match at this depth is."""
    job = Job.objects.filter(**about(match), depth=depth).first()
    if job is None:
        return DepthStanding(_state_without(match, depth), workers=workers_there())
    if job.done_at is not None:
        return DepthStanding("done")
    if job.tries >= TRIES_MOST:
        return DepthStanding("failed")
    if _is_locked(job):
        return DepthStanding("working", percent=progress_of(work_name(match, depth)))
    ahead = list(_ahead(job).values_list("pk", flat=True))
    place = ahead.index(job.pk) + 1 if job.pk in ahead else None
    return DepthStanding("queued", place, workers_there())


def newest_report(match: Subject, depth: str = "") -> Report | None:
    """The deepest report of a match, the newest of these; with a depth, one of it."""
    wanted = (depth,) if depth else RANKS
    reports = Report.objects.filter(**about(match), depth__in=wanted)
    return max(reports, key=lambda report: (RANKS[report.depth], report.made_at), default=None)


def workers_there() -> bool:
    """Whether a worker has said lately that it is there, or is at work."""
    if has_worker():
        return True
    first = waiting().first()
    return first is not None and _is_locked(first)


def _ahead(job: Job) -> QuerySet[Job]:
    """The queue in which a job stands: of the house, or of the person who brought the match."""
    return waiting() if job.match_id else waiting_of(job.asked_by_id or 0)


def _state_without(match: Subject, depth: str) -> State:
    if isinstance(match, Transcript):
        return "unsupported"
    if not analysable().filter(pk=match.pk).exists():
        return "unsupported"
    lately = match.ended_at is not None and match.ended_at >= timezone.now() - LOOKS_BACK
    return "queued" if lately else "unasked"


def _is_locked(job: Job) -> bool:
    """Whether a worker holds the row of this job."""
    with transaction.atomic():
        free = Job.objects.select_for_update(no_key=True, skip_locked=True).filter(pk=job.pk)
        return not free.values_list("pk", flat=True).first()
