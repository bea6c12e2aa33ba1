"""The matches of a person, played here and brought, as one list with filters."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import F, Q, QuerySet

from accounts.models import User
from analysis.models import Import, ImportedMatch, Job, Report
from games.models import Match
from games.services.archive import halves_of

#: the source of played matches, and of files that do not say who wrote them, in filters.
HERE: Final = "here"
UNKNOWN: Final = "unknown"

Lists = tuple[QuerySet[Any], ...]
Shown = Match | ImportedMatch

_DEPTHS: Final = ("full", "deep")


@dataclass(frozen=True, slots=True)
class MatchFilters:
    """The matches that are wanted; what is empty lets everything through.

    `length` 0 is unlimited play. `upload` is an import: what came with it, or with `in_part` what
    was kept in part of it.
    """

    mode: str = ""
    opponent: str = ""
    result: str = ""
    source: str = ""
    length: int | None = None
    year: int | None = None
    upload: Import | None = None
    in_part: bool = False


def lists_of(person: User, wanted: MatchFilters) -> Lists:
    """The lists that `games.services.archive.ARCHIVE` puts together to pages."""
    lists: list[QuerySet[Any]] = []
    if wanted.source in ("", HERE) and wanted.upload is None:
        lists += (_half(half, wanted) for half in _halves(person, wanted))
    if wanted.source != HERE and not wanted.mode:
        lists.append(_brought(person, wanted))
    return tuple(lists) or (ImportedMatch.objects.none(),)


def _halves(person: User, wanted: MatchFilters) -> tuple[QuerySet[Match], QuerySet[Match]]:
    named = {"mode": wanted.mode, "opponent": wanted.opponent, "result": wanted.result}
    return halves_of(person.pk, **named)


def _half(half: QuerySet[Match], wanted: MatchFilters) -> QuerySet[Match]:
    if wanted.length:
        half = half.filter(terms__contest="points", terms__target_points=wanted.length)
    elif wanted.length == 0:
        half = half.exclude(terms__contest="points")
    return half.filter(ended_at__year=wanted.year) if wanted.year else half


def _brought(person: User, wanted: MatchFilters) -> QuerySet[ImportedMatch]:
    found = ImportedMatch.objects.filter(person=person).select_related("transcript")
    if wanted.source:
        found = found.filter(source="" if wanted.source == UNKNOWN else wanted.source)
    if wanted.upload is not None:
        found = found.filter(file__upload=wanted.upload)
    if wanted.in_part:
        found = found.filter(in_part=True)
    if wanted.length is not None:
        found = found.filter(transcript__length=wanted.length)
    if wanted.year:
        found = found.filter(played_on__year=wanted.year)
    if wanted.opponent:
        first, second = (Q(**{f"name_{seat}__icontains": wanted.opponent}) for seat in (0, 1))
        theirs = (~Q(seat=0) | Q(seat=None)) & first | (~Q(seat=1) | Q(seat=None)) & second
        found = found.filter(theirs | Q(event__icontains=wanted.opponent))
    won = Q(seat__isnull=False, transcript__winner_seat=F("seat"))
    lost = Q(seat__isnull=False, transcript__winner_seat=1 - F("seat"))
    void = Q(transcript__winner_seat__isnull=True)
    if wanted.result:
        results = {"won": won, "lost": lost, "void": void}
        found = found.filter(results.get(wanted.result, Q(pk=None)))
    return found


def reports_of(rows: Iterable[Shown]) -> dict[Any, Report]:
    """The deepest report of each of these matches, by their keys."""
    shown = list(rows)
    matches = [row.pk for row in shown if isinstance(row, Match)]
    transcripts = {row.transcript_id: row.pk for row in shown if isinstance(row, ImportedMatch)}
    about = Q(match__in=matches) | Q(transcript__in=transcripts)
    found = Report.objects.filter(about, depth__in=_DEPTHS)
    order = sorted(found, key=lambda report: (_DEPTHS.index(report.depth), report.made_at))
    return {report.match_id or transcripts[report.transcript_id or 0]: report for report in order}


def waiting_among(rows: Iterable[Shown]) -> set[Any]:
    """The keys of those of these matches whose full analysis is to come."""
    shown = list(rows)
    matches = [row.pk for row in shown if isinstance(row, Match)]
    transcripts = {row.transcript_id: row.pk for row in shown if isinstance(row, ImportedMatch)}
    about = Q(match__in=matches) | Q(transcript__in=transcripts)
    jobs = Job.objects.filter(about, depth="full", done_at=None)
    return {job.match_id or transcripts[job.transcript_id or 0] for job in jobs}


def sources_of(person: User) -> list[str]:
    """The sources of what a person has brought; "" for files that do not say."""
    brought = ImportedMatch.objects.filter(person=person).order_by("source")
    return list(brought.values_list("source", flat=True).distinct())
