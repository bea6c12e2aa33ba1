"""The static files as production sends them, listed once.

The middleware lists every static file when it is created, and Django creates all middleware for
each test client: a tenth of a second for each of a thousand. And the files that a page loads by
name have their imports inside, as collected files do: a browser that fetches sixty files for each
page of a test does a fifth more work.
"""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar

from asgiref.sync import async_to_sync
from django.contrib.staticfiles import finders
from django.http import HttpRequest, HttpResponseBase
from servestatic.middleware import ServeStaticMiddleware

from pasch.assets.storage import LINKED


@cache
def static_file(name: str) -> bytes | None:
    """The file that a page gets for this name; None if there is none."""
    if linked := LINKED.get(name):
        return linked(name, _source).encode()
    found = finders.find(name)
    return Path(found).read_bytes() if isinstance(found, str) else None


def _source(name: str) -> str:
    found = finders.find(name)
    assert isinstance(found, str), f"there is no static file {name}"
    return Path(found).read_text(encoding="utf-8")


class _FilesOnce(ServeStaticMiddleware):
    """The files of the site's own middleware; all instances in a process share the first list."""

    found: ClassVar[tuple[Any, Any] | None] = None
    linked: ClassVar[TemporaryDirectory[str] | None] = None

    def add_files_from_finders(self) -> None:
        if _FilesOnce.found is None:
            super().add_files_from_finders()
            self._put_linked_files()
            _FilesOnce.found = (self.files, self.directories)
        self.files, self.directories = _FilesOnce.found

    def _put_linked_files(self) -> None:
        """Linked files in place of their sources; they are gone when the process ends."""
        _FilesOnce.linked = folder = TemporaryDirectory(prefix="pasch-linked-")
        for name in LINKED:
            path = Path(folder.name, name)
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(static_file(name) or b"")
            self.add_file_to_dictionary(f"{self.static_prefix}{name}", str(path), root=folder.name)


class StaticFilesOnce:
    """The site's own middleware for static files; all other requests pass through.

    The site's is asynchronous, so a test client would switch threads twice for every page.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response
        self.files = _FilesOnce(_nothing_else).files

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        static = self.files.get(request.path_info)
        if static is None:
            return self.get_response(request)
        return async_to_sync(_FilesOnce.aserve)(static, request)


async def _nothing_else(request: HttpRequest) -> HttpResponseBase:
    raise AssertionError(f"{request.path_info} is no static file")
