"""The analyses of matches from elsewhere: they are queued in the name of who brought them."""

from collections.abc import Iterable
from typing import Final

from django.db import transaction
from django.db.models import Exists, OuterRef

from accounts.models import User
from analysis.imports.extracting import is_judged
from analysis.models import ImportedMatch, Job, Transcript
from analysis.subjects import record_of
from backgammon.analysis.depths import Depth
from backgammon.engines.house import ANALYSED

#: what each of them is analysed at, one after the other.
DEPTHS: Final[tuple[Depth, ...]] = ("full", "deep")


def jobs_make(transcripts: Iterable[Transcript], person: User) -> None:
    """Queue these matches; those that were analysed for somebody else are not done again."""
    Job.objects.bulk_create(
        (
            Job(transcript=each, depth=depth, asked_by=person)
            for each in transcripts
            for depth in DEPTHS
        ),
        ignore_conflicts=True,
    )


def jobs_make_judged(transcripts: Iterable[Transcript], person: User) -> None:
    """Queue those of these matches that an engine judges."""
    played = (each for each in transcripts if each.variant in ANALYSED)
    jobs_make((each for each in played if is_judged(record_of(each))), person)


@transaction.atomic
def jobs_end(transcripts: Iterable[int]) -> None:
    """End what is open about matches that somebody took out; another owner's name takes over.

    A job at work stays until it is done.
    """
    has_owner = Exists(ImportedMatch.objects.filter(transcript=OuterRef("transcript")))
    open_jobs = Job.objects.filter(transcript__in=list(transcripts), done_at=None)
    free = list(
        open_jobs.select_for_update(no_key=True, skip_locked=True)
        .annotate(has_owner=has_owner)
        .order_by("pk")
    )
    Job.objects.filter(pk__in=[job.pk for job in free if not job.has_owner]).delete()
    for job in free:
        if job.has_owner:
            owners = ImportedMatch.objects.filter(transcript=job.transcript_id)
            if not owners.filter(person=job.asked_by_id).exists():
                job.asked_by_id = owners.order_by("added_at").values_list("person", flat=True)[0]
                job.save(update_fields=["asked_by"])
