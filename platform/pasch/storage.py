"""Where the static files go: names with a hash of the content, so that a browser may keep them.

Scripts and styles of our own lose their comments and their white space on the way.
"""

from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath
from typing import Any, Final

import rcssmin
import rjsmin
from django.contrib.staticfiles.storage import HashedFilesMixin
from servestatic.storage import CompressedManifestStaticFilesStorage

_IMPORTS = HashedFilesMixin._js_module_import_aggregation_patterns[1]

#: folders of scripts and styles that are ours; what packages bring is left as it is.
OURS: Final = frozenset({"board", "css", "fairness", "js"})
MINIFIERS: Final[dict[str, Callable[[str], str]]] = {
    ".css": rcssmin.cssmin,
    ".js": rjsmin.jsmin,
}


class StaticStorage(CompressedManifestStaticFilesStorage):
    """The manifest storage, with the imports inside our own JavaScript modules rewritten as well.

    Only ours: some packages mention imports in comments, at which collectstatic would fail.
    """

    #: one pass for each step of the longest chain of imports, where Django expects five at most
    max_post_process_passes = 20

    patterns = (
        *HashedFilesMixin.patterns,
        ("board/*.js", _IMPORTS),
        ("fairness/*.js", _IMPORTS),
        ("js/*.js", _IMPORTS),
    )

    def post_process(
        self, paths: dict[str, Any], dry_run: bool = False, **options: Any
    ) -> Iterator[tuple[str, str, bool]]:
        """Minify what is ours, then name and compress everything."""
        if not dry_run:
            # from here on those files are read where they were collected to, not at their source
            paths |= {name: (self, name) for name in paths if self._minify(PurePosixPath(name))}
        yield from super().post_process(paths, dry_run, **options)

    def _minify(self, name: PurePosixPath) -> bool:
        """Rewrite a collected file of ours without what only people read; False for others."""
        minified = MINIFIERS.get(name.suffix)
        if minified is None or name.parts[0] not in OURS:
            return False
        path = Path(self.path(str(name)))
        path.write_text(minified(path.read_text(encoding="utf-8")), encoding="utf-8")
        return True
