"""Bringing matches from elsewhere: an import with its files, within limits.

Nothing is read here: a worker does that later (`analysis.imports.storing`).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet, Sum
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from accounts.models import User
from analysis.models import Import, ImportedFile, ImportedMatch
from kit.errors import Refusal

#: what one import may have: files that are sent, files with those of archives, and bytes in all.
FILES_MOST: Final = 200
UNPACKED_MOST: Final = 2_000
IMPORT_MOST_BYTES: Final = 50 * 1024 * 1024

#: the largest file, and the largest ZIP (no page takes a larger body: `pasch.web.heads`).
FILE_MOST_BYTES: Final = 2 * 1024 * 1024
ARCHIVE_MOST_BYTES: Final = 10 * 1024 * 1024
IS_ARCHIVE: Final = b"PK\x03\x04"

#: what one person may have: imports begun in a day, bytes that wait or have faults, matches.
IMPORTS_A_DAY: Final = 50
STORED_MOST_BYTES: Final = 100 * 1024 * 1024
MATCHES_MOST: Final = 20_000

_DIGEST_DIGITS: Final = 64


class ImportRefused(Refusal):
    """A file or an import that is not taken."""

    code = "import_refused"


class ImportsTooMany(ImportRefused):
    """This person has begun as many imports as one may in a day."""

    code = "limit"
    sentence = _("You have brought enough for one day. Go on tomorrow.")


class FilesTooMany(ImportRefused):
    """The import has as many files or bytes as one may have."""

    code = "files_too_many"
    sentence = _("One import takes {files} files and {megabytes} MB. Bring the rest in another.")
    files = FILES_MOST
    megabytes = IMPORT_MOST_BYTES // 2**20


class ImportFileTooLarge(ImportRefused):
    """The file is larger than what is read."""

    code = "file_too_large"
    sentence = _("A file may have {megabytes} MB at most, a ZIP {archive} MB.")
    megabytes = FILE_MOST_BYTES // 2**20
    archive = ARCHIVE_MOST_BYTES // 2**20


class ImportFileEmpty(ImportRefused):
    """There is nothing in the file."""

    code = "file_empty"
    sentence = _("There is nothing in the file.")


class StoreFull(ImportRefused):
    """This person has as many matches or bytes as one may have."""

    code = "store_full"
    sentence = _("You have as many matches here as one may have. Delete some first.")


class ImportClosed(ImportRefused):
    """The import is over: all its files were sent, or it was undone."""

    code = "import_closed"
    sentence = _("This import is over. Begin a new one.")


@dataclass(frozen=True, slots=True)
class Announced:
    """A file that is to be sent: `digest` is the SHA-256 of its bytes, "" if unknown."""

    path: str
    digest: str
    size_bytes: int


def import_begin(person: User, name: str, announced: Iterable[Announced]) -> Import:
    """Return an import of this name; one that was begun and not closed goes on.

    What this person has sent already, and what was read whole then, counts as sent.

    :raises ImportRefused: `ImportsTooMany`, `FilesTooMany`, `StoreFull`.
    """
    wanted = list(announced)
    if len(wanted) > FILES_MOST:
        raise FilesTooMany
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=person.pk)  # counts one by one
        _room_check(person)
        name = _path(name)[:200]
        known = _imports_of(person).filter(name=name, sent_at=None, undone_at=None)
        upload = known.order_by("begun_at").last()
        if upload is None:
            since = timezone.now() - timedelta(days=1)
            if _imports_of(person).filter(begun_at__gt=since).count() >= IMPORTS_A_DAY:
                raise ImportsTooMany
            upload = Import.objects.create(person=person, name=name, files_announced=len(wanted))
        else:
            upload.files_announced = max(upload.files.count(), len(wanted))
            upload.save(update_fields=["files_announced"])
        for each in wanted:
            if len(each.digest) == _DIGEST_DIGITS:
                _known_again(upload, each)
    return upload


def digests_of(upload: Import) -> set[str]:
    """Return the digests of the files that need not be sent any more."""
    return set(upload.files.values_list("digest", flat=True))


def file_take(upload: Import, path: str, data: bytes) -> ImportedFile:
    """Keep a file until a worker reads it; one that is known is not kept again.

    :raises ImportRefused: for any other reason than `ImportsTooMany`.
    """
    if not data.strip():
        raise ImportFileEmpty
    most = ARCHIVE_MOST_BYTES if data.startswith(IS_ARCHIVE) else FILE_MOST_BYTES
    if len(data) > most:
        raise ImportFileTooLarge
    with transaction.atomic():
        upload = Import.objects.select_for_update(no_key=True).get(pk=upload.pk)
        if upload.sent_at is not None or upload.undone_at is not None:
            raise ImportClosed
        announced = Announced(path, sha256(data).hexdigest(), len(data))
        known = upload.files.filter(digest=announced.digest).first()
        known = known or _known_again(upload, announced)
        if known is not None:
            return known
        sent = upload.files.aggregate(bytes=Sum("size_bytes", default=0))["bytes"]
        if upload.files.count() >= FILES_MOST or sent + len(data) > IMPORT_MOST_BYTES:
            raise FilesTooMany
        _room_check(upload.person)
        return ImportedFile.objects.create(
            upload=upload,
            path=_path(path),
            digest=announced.digest,
            size_bytes=len(data),
            content=data,
        )


def import_close(upload: Import) -> None:
    """All files are here."""
    Import.objects.filter(pk=upload.pk, sent_at=None).update(sent_at=timezone.now())


def import_of(person: User, import_id: UUID) -> Import | None:
    """Return an import of this person, None if there is no such one."""
    return _imports_of(person).filter(pk=import_id).first()


def imports_of(person: User) -> QuerySet[Import]:
    """Return the imports of a person that were not undone, the newest first."""
    return _imports_of(person).filter(undone_at=None).order_by("-begun_at")


def _imports_of(person: User) -> QuerySet[Import]:
    return Import.objects.filter(person=person)


def known_file(person: User, digest: str) -> ImportedFile | None:
    """Return a file with the same bytes that this person sent, if it was read whole or waits."""
    sent = ImportedFile.objects.filter(upload__person=person, upload__undone_at=None, digest=digest)
    return next((each for each in sent.order_by("pk") if not faults_of(each)), None)


def faults_of(file: ImportedFile) -> list[dict[str, object]]:
    """Return what is wrong with a file."""
    return list((file.found or {}).get("faults", ()))


def known_found(earlier: ImportedFile) -> dict[str, int]:
    """Return what is found in a file that was sent before: matches that are known."""
    found = earlier.found or {}
    return {"known": sum(found.get(name, 0) for name in ("new", "known", "in_part"))}


def _known_again(upload: Import, announced: Announced) -> ImportedFile | None:
    """The row of a file that was sent before, in this import; None if it was not."""
    earlier = known_file(upload.person, announced.digest)
    if earlier is None:
        return None
    again, _is_new = ImportedFile.objects.get_or_create(
        upload=upload,
        digest=announced.digest,
        defaults={
            "path": _path(announced.path),
            "size_bytes": earlier.size_bytes,
            "read_at": timezone.now(),
            "found": known_found(earlier),
        },
    )
    return again


def _room_check(person: User) -> None:
    kept = ImportedFile.objects.filter(upload__person=person, content__isnull=False)
    stored = kept.aggregate(bytes=Sum("size_bytes", default=0))["bytes"]
    matches = ImportedMatch.objects.filter(person=person).count()
    if stored >= STORED_MOST_BYTES or matches >= MATCHES_MOST:
        raise StoreFull


def _path(text: str) -> str:
    """A name or path that can be shown and stored."""
    shown = "".join(sign if sign.isprintable() else "?" for sign in text).strip()
    return shown[-300:] or "?"
