"""The same match cut off in one file and whole in another: a person has it once, as the longer.

Only matches of the same length and variant are compared, and only where one of them may be a part:
it was kept in part, has no winner, or is unlimited play.
"""

from collections.abc import Iterator
from typing import Any, Final

from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.models import User
from analysis.imports.queued import jobs_end, jobs_make_judged
from analysis.models import DecidedMatch, ImportedMatch, Transcript
from analysis.subjects import record_of
from backgammon.formats.digest import is_part_of
from backgammon.formats.errors import FormatError
from backgammon.formats.record import MatchRecord
from backgammon.rules.errors import RulesError
from backgammon.rules.match import FormatKind

_MAY_BE_PART = Q(in_part=True) | Q(transcript__winner_seat=None) | Q(transcript__length=0)

#: what a match has from its file, which changes with a longer one.
_REPLACED: Final = (
    *("transcript", "file", "name_0", "name_1", "seat", "source", "event"),
    *("played_on", "ended_at", "in_part", "jacoby_assumed"),
)


def whole_of(person: User, digest: str, part: MatchRecord) -> bool:
    """Return True if this person has another match with all plays of this one."""
    others = _alike(person, part).exclude(transcript__digest=digest)
    return any(_is_part(part, other) for other in _records(others))


def parts_of(person: User, whole: MatchRecord) -> list[ImportedMatch]:
    """Return what this person, who does not have this match, has of it so far."""
    known = _alike(person, whole).filter(_MAY_BE_PART).select_related("transcript")
    return [match for match in known if _is_part(record_of(match.transcript), whole)]


def parts_replace(
    parts: list[ImportedMatch], transcript: Transcript, values: dict[str, Any]
) -> None:
    """Let the first of these matches have more plays; its address, link and date stay.

    Its decisions stay until the report of the longer one takes over from them. All of them are kept
    as they are, in case the longer one is taken back.
    """
    match, *others = parts
    now = timezone.now()
    ends = [part.transcript_id for part in parts]
    before = {name: getattr(match, name) for name in _REPLACED}
    if match.played_on is not None and values["played_on"] is None:
        values = values | {"played_on": match.played_on, "ended_at": match.ended_at}
    _change(match, {"transcript": transcript, **values})
    ImportedMatch.everything.create(
        person=match.person, added_at=match.added_at, removed_at=now, replaced_by=match, **before
    )
    for other in others:
        DecidedMatch.objects.filter(imported=other).delete()
        _change(other, {"removed_at": now, "replaced_by": match})
    jobs_end(ends)


def parts_restore(match: ImportedMatch) -> None:
    """Let a match be again what it was before a longer file replaced it, and the others with it."""
    kept = list(ImportedMatch.everything.filter(replaced_by=match).order_by("-removed_at", "pk"))
    together = [part for part in kept if part.removed_at == kept[0].removed_at]
    longer = match.transcript_id
    first = next((part for part in together if part.added_at == match.added_at), together[0])
    first.delete()
    _change(match, {name: getattr(first, name) for name in _REPLACED})
    for other in together:
        if other is not first:
            _change(other, {"removed_at": None, "replaced_by": None})
    DecidedMatch.objects.filter(imported=match).delete()  # a worker lists those of the shorter one
    jobs_end([longer])
    jobs_make_judged((part.transcript for part in together), match.person)


def _change(match: ImportedMatch, values: dict[str, Any]) -> None:
    for name, value in values.items():
        setattr(match, name, value)
    match.save(update_fields=list(values))


def is_alike(match: ImportedMatch, record: MatchRecord) -> bool:
    """Return True if one of the two is a part of the other."""
    known = record_of(match.transcript)
    return _is_part(known, record) or _is_part(record, known)


def _alike(person: User, record: MatchRecord) -> QuerySet[ImportedMatch]:
    found = ImportedMatch.objects.filter(person=person, transcript__variant=record.variants[0])
    length = record.length if record.kind is not FormatKind.UNLIMITED else 0
    return found.filter(transcript__length=length).order_by("pk")


def _records(matches: QuerySet[ImportedMatch]) -> Iterator[MatchRecord]:
    for match in matches.select_related("transcript").iterator(chunk_size=50):
        yield record_of(match.transcript)


def _is_part(part: MatchRecord, whole: MatchRecord) -> bool:
    try:
        return is_part_of(part, whole)
    except (FormatError, RulesError):
        return False
