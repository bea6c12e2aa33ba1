"""How far an import is: files read, matches found, and how long their analysis will take."""

from dataclasses import dataclass
from typing import Final

from django.db.models import Avg, Count, F, Q
from django.utils import timezone

from accounts.models import User
from analysis.models import Import, ImportedFile, ImportedMatch, Job
from analysis.queue import ENGINE_WITHIN, TRIES_MOST, engine_hours, engine_seconds

#: seconds of the engine for a full report of a match, as long as this house knows no better.
_FULL_SECONDS: Final = 6.0


@dataclass(frozen=True, slots=True)
class ImportStanding:
    """An import in numbers; `unread` files had no match that can be read."""

    files: int
    sent: int
    read: int
    new: int
    known: int
    in_part: int
    unread: int

    @property
    def is_read(self) -> bool:
        """Whether nothing more is to be read."""
        return self.read >= self.files


def import_standing(upload: Import) -> ImportStanding:
    """Count what came of an import so far. A file of an archive counts as a file of its own."""
    rows = list(upload.files.values("read_at", "found"))
    found = [row["found"] or {} for row in rows]

    def total(name: str) -> int:
        return sum(each.get(name, 0) for each in found)

    packed = sum("files" in each for each in found)
    sent = len(rows) - packed
    missing = 0 if upload.sent_at else max(upload.files_announced - len(rows), 0)
    return ImportStanding(
        files=sent + missing,
        sent=sent,
        read=sum(row["read_at"] is not None for row in rows) - packed,
        new=total("new"),
        known=total("known"),
        in_part=total("in_part"),
        unread=total("unread"),
    )


def jacoby_assumed(upload: Import) -> dict[bool, int]:
    """Count the matches whose files do not say whether the Jacoby rule held, by what is assumed."""
    holds = F("transcript__record__rules__jacoby")
    open_ones = ImportedMatch.objects.filter(file__upload=upload, jacoby_assumed=True)
    counted = open_ones.values(holds=holds).annotate(matches=Count("pk")).order_by("holds")
    return {bool(row["holds"]): row["matches"] for row in counted}


@dataclass(frozen=True, slots=True)
class AnalysisStanding:
    """The full analyses of all that a person has brought: how many there are and are done.

    `minutes` is an estimate for the rest if the engine does nothing else. The hours are those of
    this week: used up, and as many as one may have.
    """

    matches: int
    done: int
    minutes: int
    hours_used: float
    hours_most: int

    @property
    def is_paused(self) -> bool:
        """Whether the rest waits until the hours of this week are free again."""
        return self.done < self.matches and self.hours_used >= self.hours_most


def analysis_standing(person: User) -> AnalysisStanding:
    """Count the analyses of the matches that this person has brought."""
    theirs = ImportedMatch.objects.filter(person=person).values("transcript")
    jobs = Job.objects.filter(transcript__in=theirs, depth="full")
    jobs = jobs.filter(Q(done_at__isnull=False) | Q(tries__lt=TRIES_MOST))
    matches, done = jobs.count(), jobs.filter(done_at__isnull=False).count()
    lately = Job.objects.filter(
        depth="full", match=None, done_at__gt=timezone.now() - ENGINE_WITHIN, seconds__gt=0
    )
    each = lately.aggregate(seconds=Avg("seconds"))["seconds"] or _FULL_SECONDS
    return AnalysisStanding(
        matches=matches,
        done=done,
        minutes=-(-int((matches - done) * each) // 60),
        hours_used=round(engine_seconds(person.pk) / 3600, 1),
        hours_most=engine_hours(),
    )


def corrected_files(upload: Import) -> list[ImportedFile]:
    """Return the files of an import with changed lines, in their order."""
    return list(upload.files.exclude(changes={}).defer("content").order_by("pk"))


def faulty_files(upload: Import) -> list[ImportedFile]:
    """The files of an import with a fault, in their order; `is_kept` if they can be shown."""
    read = upload.files.filter(found__faults__0__isnull=False)
    kept = read.annotate(is_kept=Q(content__isnull=False))
    return list(kept.defer("content").order_by("pk"))
