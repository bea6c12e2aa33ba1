"""The static files, looked for once.

The middleware lists every static file when it is made, and Django makes all middleware anew for
each test client: a tenth of a second for each of a thousand.
"""

from typing import Any, ClassVar

from servestatic.middleware import ServeStaticMiddleware


class StaticFilesOnce(ServeStaticMiddleware):
    """The site's own middleware; all of one process share what the first has found."""

    found: ClassVar[tuple[Any, Any] | None] = None

    def add_files_from_finders(self) -> None:
        if StaticFilesOnce.found is None:
            super().add_files_from_finders()
            StaticFilesOnce.found = (self.files, self.directories)
        self.files, self.directories = StaticFilesOnce.found
