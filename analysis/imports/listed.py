"""The matches of a person, played here and brought, as one list with filters."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from django.db.models import F, Q, QuerySet

from accounts.models import User
from analysis.decisions.filling import RANKS
from analysis.models import Import, ImportedMatch, Job, Report
from analysis.models.imports import HERE, UNKNOWN
from games.models import Match
from games.services.archive import halves_of, result_of

Lists = tuple[QuerySet[Any], ...]
Shown = Match | ImportedMatch
Row = dict[str, Any]

_DEPTHS: Final = [depth for depth, rank in RANKS.items() if rank]


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


@dataclass(frozen=True, slots=True)
class ListedMatch:
    """A match as its list shows it; names, score and the figures of the report have seat 0 first.

    `seat` is the reader's, None if the file does not say. `length` 0 is unlimited play. `result`
    is a key of `games.services.archive.result_of`, "" without a seat. `report` is the deepest;
    `waits` says that a full one is to come. `jacoby` is None in a match with a length.
    """

    match: Shown
    seat: int | None
    names: tuple[str, str]
    source: str
    variant: str
    length: int
    score: tuple[int, int]
    result: str
    report: Report | None
    waits: bool
    jacoby: bool | None
    jacoby_assumed: bool = False


def listed(rows: Iterable[Shown], person: User) -> list[ListedMatch]:
    """Return these matches of a person with what their reports say."""
    shown = list(rows)
    reports, waiting = _reports_of(shown), _waiting_among(shown)
    return [
        ListedMatch(
            match=row,
            report=reports.get(row.pk),
            waits=row.pk in waiting,
            **(_played_row(row, person) if isinstance(row, Match) else _brought_row(row)),
        )
        for row in shown
    ]


def _played_row(match: Match, person: User) -> Row:
    seat = match.players.index(person.pk)
    in_points = match.terms.get("contest") != "points"
    return {
        "seat": seat,
        "names": (match.player_0.get_username(), match.player_1.get_username()),
        "source": HERE,
        "variant": match.variant,
        "length": 0 if in_points else match.terms["target_points"],
        "score": match.score_shown,
        "result": result_of(match, seat),
        "jacoby": bool(match.terms.get("jacoby")) if in_points else None,
    }


def _brought_row(match: ImportedMatch) -> Row:
    kept, seat = match.transcript, match.seat
    result = ""
    if seat is not None:
        winner = kept.winner_seat
        result = "void" if winner is None else "won" if winner == seat else "lost"
    return {
        "seat": seat,
        "names": match.names,
        "source": match.source or UNKNOWN,
        "variant": kept.variant,
        "length": kept.length,
        "score": (kept.score_0, kept.score_1),
        "result": result,
        "jacoby": None if kept.length else kept.jacoby,
        "jacoby_assumed": match.jacoby_assumed,
    }


def _about(shown: list[Shown]) -> tuple[Q, dict[int, UUID]]:
    """Return the condition for jobs and reports of these matches, and each transcript's match."""
    transcripts = {row.transcript_id: row.pk for row in shown if isinstance(row, ImportedMatch)}
    matches = [row.pk for row in shown if isinstance(row, Match)]
    return Q(match__in=matches) | Q(transcript__in=transcripts), transcripts


def _reports_of(shown: list[Shown]) -> dict[UUID, Report]:
    """The deepest report of each of these matches, by their keys."""
    about, transcripts = _about(shown)
    found = Report.objects.filter(about, depth__in=_DEPTHS)
    order = sorted(found, key=lambda report: (RANKS[report.depth], report.made_at))
    return {report.match_id or transcripts[report.transcript_id or 0]: report for report in order}


def _waiting_among(shown: list[Shown]) -> set[UUID]:
    """The keys of those of these matches whose full analysis is to come."""
    about, transcripts = _about(shown)
    jobs = Job.objects.filter(about, depth="full", done_at=None)
    return {job.match_id or transcripts[job.transcript_id or 0] for job in jobs}


def sources_of(person: User) -> list[str]:
    """The sources of what a person has brought; "" for files that do not say."""
    brought = ImportedMatch.objects.filter(person=person).order_by("source")
    return list(brought.values_list("source", flat=True).distinct())
