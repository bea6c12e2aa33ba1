"""Removed matches go for good later, and so do the bytes of files with faults."""

from collections.abc import Iterable
from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import User
from analysis.imports.queued import jobs_end, jobs_make_judged
from analysis.imports.sending import UNDONE_WITHIN
from analysis.models import DecidedMatch, ImportedFile, ImportedMatch

#: for so long a match can be taken back, and a file with faults be shown.
KEPT: Final = UNDONE_WITHIN


@transaction.atomic
def matches_remove(matches: QuerySet[ImportedMatch]) -> list[UUID]:
    """Take out matches with their links and decisions; which can be taken back."""
    rows = list(matches.values_list("pk", "transcript_id"))
    keys = [key for key, _transcript in rows]
    DecidedMatch.objects.filter(imported__in=keys).delete()
    ImportedMatch.objects.filter(pk__in=keys).update(removed_at=timezone.now(), share_key=None)
    jobs_end(transcript for _key, transcript in rows)
    return keys


@transaction.atomic
def matches_restore(person: User, keys: Iterable[UUID]) -> int:
    """Take the removal of these matches back; how many there were.

    What is missing of their analysis is queued again, and a worker lists their decisions.
    """
    removed = ImportedMatch.everything.filter(person=person, removed_at__isnull=False)
    found = list(removed.filter(pk__in=list(keys)).select_related("transcript"))
    ImportedMatch.everything.filter(pk__in=[match.pk for match in found]).update(removed_at=None)
    jobs_make_judged((match.transcript for match in found), person)
    return len(found)


def brought_forget() -> int:
    """Delete what was taken out long ago, and the bytes of old files with faults; how much."""
    until = timezone.now() - KEPT
    files = ImportedFile.objects.filter(content__isnull=False, read_at__lt=until)
    removed = ImportedMatch.everything.filter(removed_at__lt=until)
    return files.update(content=None) + removed.delete()[0]
