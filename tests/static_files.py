"""The static files as production sends them, looked for once.

The middleware lists every static file when it is made, and Django makes all middleware anew for
each test client: a tenth of a second for each of a thousand. And what a page loads by name has its
imports inside, as collected files have: a browser that fetches sixty files for each page of a test
does a fifth more work.
"""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar

from django.contrib.staticfiles import finders
from servestatic.middleware import ServeStaticMiddleware

from pasch.storage import LINKED


@cache
def static_file(name: str) -> bytes | None:
    """What a page gets for this name; None if there is no such file."""
    if linked := LINKED.get(name):
        return linked(name, _source).encode()
    found = finders.find(name)
    return Path(found).read_bytes() if isinstance(found, str) else None


def _source(name: str) -> str:
    found = finders.find(name)
    assert isinstance(found, str), f"there is no static file {name}"
    return Path(found).read_text(encoding="utf-8")


class StaticFilesOnce(ServeStaticMiddleware):
    """The site's own middleware; all of one process share what the first has found."""

    found: ClassVar[tuple[Any, Any] | None] = None
    linked: ClassVar[TemporaryDirectory[str] | None] = None

    def add_files_from_finders(self) -> None:
        if StaticFilesOnce.found is None:
            super().add_files_from_finders()
            self._put_linked_files()
            StaticFilesOnce.found = (self.files, self.directories)
        self.files, self.directories = StaticFilesOnce.found

    def _put_linked_files(self) -> None:
        """Linked files in place of their sources; they are gone when the process ends."""
        StaticFilesOnce.linked = folder = TemporaryDirectory(prefix="pasch-linked-")
        for name in LINKED:
            path = Path(folder.name, name)
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(static_file(name) or b"")
            self.add_file_to_dictionary(f"{self.static_prefix}{name}", str(path), root=folder.name)
