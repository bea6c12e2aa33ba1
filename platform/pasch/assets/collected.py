"""Whether the collected static files are those of this version."""

import hashlib
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders


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
