"""Taking matches out, and undoing an import.

Removed matches go for good later, and so do the bytes of files with faults.
"""

from collections.abc import Iterable
from datetime import timedelta
from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import User
from analysis.imports.names import seats_set
from analysis.imports.parts import parts_restore
from analysis.imports.queued import jobs_end, jobs_make_judged
from analysis.imports.sending import ImportClosed
from analysis.models import DecidedMatch, Import, ImportedFile, ImportedMatch

#: for so long a match can be taken back, an import be undone, and a file with faults be shown.
KEPT: Final = timedelta(days=30)


def can_be_undone(upload: Import) -> bool:
    """Return True if the import can still be undone."""
    return upload.undone_at is None and upload.begun_at > timezone.now() - KEPT


@transaction.atomic
def import_undo(upload: Import) -> None:
    """Take out all matches that came with an import, and the bytes of its files.

    :raises ImportClosed: if it was undone before, or is too old.
    """
    upload = Import.objects.select_for_update(no_key=True).get(pk=upload.pk)
    if not can_be_undone(upload):
        raise ImportClosed
    upload.undone_at = timezone.now()
    upload.save(update_fields=["undone_at"])
    upload.files.filter(read_at=None).update(read_at=timezone.now())  # waits for their readers
    upload.files.update(content=None, changes={})
    of_files = ImportedMatch.everything.filter(file__in=upload.files.all())
    of_files.filter(replaced_by__isnull=False).delete()
    matches_take_back(upload.files.all())


def matches_take_back(files: QuerySet[ImportedFile]) -> None:
    """Take out the matches of files; the shorter ones that they replaced are back."""
    of_files = ImportedMatch.objects.filter(file__in=files)
    for match in of_files.filter(replaced__isnull=False).distinct():
        parts_restore(match)
        seats_set(match.person, match.source)
    matches_delete(of_files)


def matches_of_reading(file: ImportedFile) -> list[ImportedMatch]:
    """Take out the matches of a file that is read again; return those that are gone."""
    found = ImportedMatch.objects.filter(file=file).select_related("transcript")
    before = list(found.order_by("added_at", "pk"))
    # what a longer file replaced stays for the day on which that one is taken back
    ImportedMatch.everything.filter(file=file, replaced_by__file=file).delete()
    matches_take_back(ImportedFile.objects.filter(pk=file.pk))
    left = set(ImportedMatch.objects.filter(pk__in=[match.pk for match in before]))
    return [match for match in before if match not in left]


@transaction.atomic
def matches_delete(matches: QuerySet[ImportedMatch]) -> int:
    """Take out matches, and end the work on them if nobody else has them; how many there were."""
    transcripts = list(matches.values_list("transcript_id", flat=True))
    gone = matches.delete()[1].get(ImportedMatch._meta.label, 0)  # with it go its decisions
    jobs_end(transcripts)
    return gone


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
    removed = ImportedMatch.everything.filter(
        person=person, removed_at__isnull=False, replaced_by=None
    )
    found = list(removed.filter(pk__in=list(keys)).select_related("transcript"))
    ImportedMatch.everything.filter(pk__in=[match.pk for match in found]).update(removed_at=None)
    jobs_make_judged((match.transcript for match in found), person)
    return len(found)


def brought_forget() -> int:
    """Delete what was taken out long ago, and the bytes of old files with faults; how much."""
    until = timezone.now() - KEPT
    files = ImportedFile.objects.filter(content__isnull=False, read_at__lt=until)
    removed = ImportedMatch.everything.filter(removed_at__lt=until)
    return files.update(content=None, changes={}) + removed.delete()[0]
