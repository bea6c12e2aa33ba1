"""Collected static files and compiled translations, for `manage.py prepare --files`."""

import hashlib
import os
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Final

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from django.conf import settings
from django.contrib.staticfiles.finders import get_finders

_NO_TIME: Final = datetime(1980, 1, 1, tzinfo=UTC)


def is_collected() -> bool:
    """Whether the sources are those from which the files were last collected."""
    stamp = stamp_path()
    return stamp.exists() and stamp.read_text() == sources_digest()


def stamp_path() -> Path:
    """The file with the digest of the sources that were collected."""
    return Path(settings.STATIC_ROOT) / ".sources"


def sources_digest() -> str:
    """A digest over name and content of every static file, and how they are stored.

    Times are left out: they differ from copy to copy.
    """
    digest = hashlib.sha256(f"{settings.STORAGES['staticfiles']['BACKEND']}\n".encode())
    for finder in get_finders():
        for path, storage in sorted(finder.list([]), key=lambda item: item[0]):
            with storage.open(path) as file:
                content = hashlib.file_digest(file, "sha256").hexdigest()
            digest.update(f"{path} {content}\n".encode())
    return digest.hexdigest()


def translations_compile(folder: Path) -> list[Path]:
    """Write the compiled file beside each translation that has changed; the files written."""
    written = []
    for source in sorted(folder.rglob("LC_MESSAGES/*.po")):
        target = source.with_suffix(".mo")
        if target.exists() and target.stat().st_mtime >= source.stat().st_mtime:
            continue
        compiled = _compiled(source)
        if target.exists() and target.read_bytes() == compiled:
            continue  # only the time is newer, as in a copy; the folder may be read-only
        unfinished = target.with_suffix(f".mo.{os.getpid()}")
        unfinished.write_bytes(compiled)
        unfinished.replace(target)
        written.append(target)
    return written


def _compiled(source: Path) -> bytes:
    """The compiled form of a translation; one that names no time is given the same at each time."""
    with source.open("rb") as lines:
        catalog = read_po(lines, locale=source.parts[-3])
    if b"POT-Creation-Date" not in source.read_bytes():
        catalog.creation_date = _NO_TIME
    output = BytesIO()
    write_mo(output, catalog)
    return output.getvalue()
