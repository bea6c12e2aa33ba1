"""Reading the files that wait, one after the other, and keeping the matches in them.

A worker does it. The try is counted first, so a file that ends its worker is left alone after
three; then the row's lock is held until everything of the file is stored, so a killed worker leaves
nothing half.
"""

import json
from base64 import b64decode
from datetime import UTC, date, datetime, time, timedelta
from hashlib import sha256
from typing import Any, Final, cast
from uuid import UUID

from django.db import OperationalError, transaction
from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone

from accounts.models import User
from analysis.imports.correcting import corrected
from analysis.imports.jacoby import jacoby_told, transcript_keep
from analysis.imports.names import KnownNames
from analysis.imports.parts import is_alike, parts_of, parts_replace, whole_of
from analysis.imports.queued import jobs_make
from analysis.imports.removing import matches_of_reading
from analysis.imports.sandbox import FileUnreadable, Row, rows_of_file
from analysis.imports.sending import (
    FILE_MOST_BYTES,
    IMPORT_MOST_BYTES,
    IS_ARCHIVE,
    UNPACKED_MOST,
    known_file,
    known_found,
)
from analysis.models import ImportedFile, ImportedMatch, Transcript
from analysis.subjects import record_of
from backgammon.engines.house import ANALYSED
from backgammon.formats.digest import is_part_of, match_digest
from backgammon.formats.errors import FormatError
from backgammon.formats.record import MatchRecord
from backgammon.formats.record_json import record_from_json
from backgammon.rules.errors import RulesError
from games.models import Match

TRIES_MOST: Final = 3

#: for so long a file is a worker's that has counted a try and does not hold its lock yet
_HOLD_SECONDS: Final = 2

_TOO_MUCH: Final = {"code": "too_much", "message": "the ZIP has too much in it"}

#: what a match keeps when its file is read again: its address, its link, its age.
_STAYING: Final = ("id", "share_key", "added_at")

#: played matches of the same day that are compared with one from a file.
_COMPARED_MOST: Final = 20


def read_once() -> bool:
    """Read the file that has waited longest; False if none waits."""
    tries = _take()
    if tries is None:
        return False
    pk, count = tries
    with transaction.atomic():
        mine = ImportedFile.objects.filter(pk=pk, tries=count, read_at=None)
        file = mine.select_for_update(no_key=True, skip_locked=True, of=("self",)).first()
        if file is None:  # another worker has it, or it was taken back
            return True
        try:
            with transaction.atomic():
                found = _read(file)
        except FileUnreadable as error:
            found = _unread(error.told)
        except OperationalError:  # the database is away, which is not the file's fault
            raise
        except Exception as error:  # whatever it is: the next file must not wait for this one
            if count < TRIES_MOST:
                return True
            found = _unread({"code": "broken_file", "message": type(error).__name__})
        _keep(file, found)
    return True


@transaction.atomic
def _take() -> tuple[int, int] | None:
    """The file that nobody reads, with its tries, this one included; None without one.

    Until its lock is held nobody else takes it, as in `analysis.answering.question_take`.
    """
    free = Q(taken_at__isnull=True) | Q(taken_at__lt=Now() - timedelta(seconds=_HOLD_SECONDS))
    waiting = ImportedFile.objects.filter(free, read_at=None).order_by("pk")
    file = waiting.select_for_update(no_key=True, skip_locked=True).first()
    if file is None:
        return None
    file.tries += 1
    file.taken_at = cast("datetime", Now())
    file.save(update_fields=["tries", "taken_at"])
    if file.tries > TRIES_MOST:
        _keep(file, _unread({"code": "too_much", "message": "its readers ended before its end"}))
    return file.pk, file.tries


def _keep(file: ImportedFile, found: Row) -> None:
    """The file was read; what has faults keeps its bytes, so that they can be shown."""
    file.found, file.read_at = found, timezone.now()
    if not found.get("faults") and not file.changes:
        file.content = None
    file.save(update_fields=["found", "read_at", "content"])


def _unread(told: Row) -> Row:
    return {"faults": [told], "faults_count": 1, "unread": 1}


def _read(file: ImportedFile) -> Row:
    data = corrected(file)
    if data.startswith(IS_ARCHIVE):
        return _unpack(file, data)
    rows = list(rows_of_file("read", data))
    store = _Store(file, matches_of_reading(file) if file.found else [])
    store.is_single = sum("record" in row for row in rows) == 1
    for row in rows:
        if "record" in row:
            store.match(row)
        else:
            store.counts |= row
    return store.found()


def _unpack(archive: ImportedFile, data: bytes) -> Row:
    """Queue the files of an archive; those that were sent before count as read."""
    faults, files, left = [], 0, IMPORT_MOST_BYTES
    for row in rows_of_file("unpack", data):
        if "fault" in row:
            faults.append(row["fault"] | {"path": row["path"]})
            continue
        content = b64decode(row["data"])
        left -= len(content)
        if files >= UNPACKED_MOST or left < 0:
            faults.append(_TOO_MUCH)
            break
        files += _file_of_archive(archive, row["path"], content)
    return {"files": files, "faults": faults, "faults_count": len(faults)}


def _file_of_archive(archive: ImportedFile, path: str, content: bytes) -> int:
    """Keep one file of an archive; 1, or 0 if the import has it already."""
    digest = sha256(content).hexdigest()
    if archive.upload.files.filter(digest=digest).exists():
        return 0
    kept = ImportedFile(
        upload=archive.upload, path=path[-300:], digest=digest, size_bytes=len(content)
    )
    earlier = known_file(archive.upload.person, digest)
    if earlier is not None:
        kept.found, kept.read_at = known_found(earlier), timezone.now()
    elif len(content) > FILE_MOST_BYTES:
        too_large = {"code": "file_too_large", "message": "the file is too large"}
        kept.found, kept.read_at = _unread(too_large), timezone.now()
    else:
        kept.content = content
    kept.save()
    return 1


class _Store:
    """Keeps the matches of a file and counts what became of them."""

    def __init__(self, file: ImportedFile, earlier: list[ImportedMatch]) -> None:
        """Nothing is kept yet; `earlier` are the matches of the reading before this one."""
        self._file = file
        self._earlier = earlier
        self._is_again = bool(file.found)
        self.is_single = False
        """Whether the file has one match."""
        self._person: User = file.upload.person
        self._names = KnownNames(self._person)
        self.counts: Row = {"new": 0, "known": 0, "in_part": 0}

    def match(self, row: Row) -> None:
        """Keep a match, unless this person has it."""
        record = record_from_json(row["record"])
        if _was_played(self._person, row, record) or self._has_more(row, record):
            self.counts["known"] += 1
            return
        mine = ImportedMatch.objects.filter(person=self._person, transcript__digest=row["digest"])
        if mine.exists():
            if not row["jacoby_assumed"]:
                jacoby_told(mine, holds=record.rules.jacoby)
            self.counts["known"] += 1
            return
        shorter = parts_of(self._person, record)
        earlier = self._earlier_of(record)
        chosen = [match.transcript.jacoby for match in (*shorter, *earlier) if match.jacoby_assumed]
        holds = any(chosen) if row["jacoby_assumed"] else record.rules.jacoby
        transcript = _transcript_of(row, jacoby=holds, is_exact=self._is_again)
        turned = row["first"] != _first_seat(transcript.record)
        names = tuple(reversed(row["names"])) if turned else tuple(row["names"])
        removed = ImportedMatch.everything.filter(
            person=self._person, transcript=transcript, removed_at__isnull=False
        )
        if self._is_again and removed.filter(file=self._file, replaced_by=None).exists():
            self.counts["known"] += 1  # its person took it out
            return
        removed.delete()
        values = {
            "file": self._file,
            "name_0": names[0],
            "name_1": names[1],
            "seat": self._names.seat(row["source"], names),
            "source": row["source"],
            "event": row["event"],
            "in_part": row["in_part"],
            "jacoby_assumed": row["jacoby_assumed"],
            **_moments(row["date"]),
        }
        same = {name: getattr(match, name) for match in earlier for name in _STAYING}
        if shorter:
            parts_replace(shorter, transcript, values)
        elif not ImportedMatch.objects.get_or_create(
            person=self._person, transcript=transcript, defaults=values | same
        )[1]:
            self.counts["known"] += 1
            return
        self.counts["in_part" if row["in_part"] else "new"] += 1
        if row["judged"] and row["variant"] in ANALYSED:
            jobs_make([transcript], self._person)

    def _earlier_of(self, record: MatchRecord) -> list[ImportedMatch]:
        """The match of the earlier reading that this one follows, if there is one.

        Where there is but one before and after, too few plays are alike for a doubt.
        """
        if self.is_single and len(self._earlier) == 1:
            return self._earlier
        found = [match for match in self._earlier if is_alike(match, record)][:1]
        self._earlier = [match for match in self._earlier if match not in found]
        return found

    def _has_more(self, row: Row, record: MatchRecord) -> bool:
        """Whether this person has all of a match of which the file has a part."""
        if not (row["in_part"] or row["winner"] is None or not row["length"]):
            return False
        return whole_of(self._person, row["digest"], record)

    def found(self) -> Row:
        """Return what the file came to; without a match it was not read."""
        matches = sum(self.counts[name] for name in ("new", "known", "in_part"))
        return self.counts | {"unread": int(not matches)}


def _transcript_of(row: Row, *, jacoby: bool, is_exact: bool) -> Transcript:
    """The transcript of these plays; with `is_exact` also of the cube and the results.

    One of the same plays may have come from a file in which just those were wrong.
    """
    score = row["score"]
    values = {
        "digest": row["digest"],
        "variant": row["variant"],
        "length": row["length"],
        "score_0": score[0],
        "score_1": score[1],
        "winner_seat": row["winner"],
        "record": row["record"],
    }
    kept = transcript_keep(values, jacoby=jacoby)
    if is_exact and kept.record["games"] != row["record"]["games"]:
        games = json.dumps(row["record"]["games"], sort_keys=True)
        values["digest"] = sha256(f"{row['digest']} {games}".encode()).hexdigest()
        kept = transcript_keep(values, jacoby=jacoby)
    return kept


def _first_seat(record: Row) -> int | None:
    """The seat that moved the first checker of a stored record."""
    actions = (action for game in record["games"] for action in game["actions"])
    moved = (each["seat"] for each in actions if each["type"] == "turn" and each["moves"])
    return next(moved, None)


def _moments(day_text: str | None) -> dict[str, Any]:
    """The day a match was played, and its place among others."""
    day = date.fromisoformat(day_text) if day_text else None
    if day is None or not date(1900, 1, 1) <= day <= timezone.now().date() + timedelta(days=1):
        return {"played_on": None, "ended_at": timezone.now()}
    return {"played_on": day, "ended_at": datetime.combine(day, time(12), UTC)}


def _was_played(person: User, row: Row, record: MatchRecord) -> bool:
    """Whether this is a match, or a part of one, that the person played in this house."""
    mine = Match.objects.filter(Q(player_0=person) | Q(player_1=person), ended_at__isnull=False)
    compared = Q(pk=_uuid(row["match_id"]))
    if row["date"]:
        day = datetime.combine(date.fromisoformat(row["date"]), time(), UTC)
        near = (day - timedelta(days=1), day + timedelta(days=2))
        compared |= Q(started_at__range=near, variant=row["variant"])
    found = mine.filter(compared).select_related("table", "player_0", "player_1")
    return any(_is_in(match, row, record) for match in found[:_COMPARED_MOST])


def _is_in(match: Match, row: Row, record: MatchRecord) -> bool:
    try:
        whole = record_of(match)
        return match_digest(whole) == row["digest"] or is_part_of(record, whole)
    except (FormatError, RulesError):
        return False


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None
