"""Where the static files go: names with a hash of the content, so that a browser may keep them.

On the way scripts and styles of our own take in what they import, where a page waits for it, and
lose their comments and their white space.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath
from typing import Any, Final

import rcssmin
import rjsmin
from django.contrib.staticfiles.storage import HashedFilesMixin
from servestatic.storage import CompressedManifestStaticFilesStorage

from pasch.assets.linking import imported_first, resolved, script_linked, styles_linked

_FROM = re.compile(r'\bfrom\s*"(\.[^"]+)"')
_IMPORTS = HashedFilesMixin._js_module_import_aggregation_patterns[1]

#: folders of scripts and styles that are ours; what packages bring is left as it is.
OURS: Final = frozenset({"board", "css", "fairness", "js"})
MINIFIERS: Final[dict[str, Callable[[str], str]]] = {
    ".css": rcssmin.cssmin,
    ".js": rjsmin.jsmin,
}

#: what pages load by name and what imports many others
LINKED: Final = {
    "css/house.css": styles_linked,
    "css/room.css": styles_linked,
    "js/home.js": script_linked,
    "js/replay.js": script_linked,
    "js/table.js": script_linked,
}


class StaticStorage(CompressedManifestStaticFilesStorage):
    """The manifest storage, with the imports inside our own JavaScript modules rewritten as well.

    Only ours: some packages mention imports in comments, at which collectstatic would fail.
    """

    #: Django expects five at most; a chain of imports in the wrong order takes one for each step
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
        """Link and minify what is ours, then name and compress everything."""
        if not dry_run:
            texts = {name: self._ours(name, paths) for name in paths}
            for name, text in texts.items():
                if text is not None:
                    Path(self.path(name)).write_text(text, encoding="utf-8")
            # from here on those are read where they were collected to, not at their source
            paths |= {name: (self, name) for name, text in texts.items() if text is not None}
        yield from super().post_process(paths, dry_run, **options)

    def _post_process(
        self, paths: dict[str, Any], *told: Any
    ) -> Iterator[tuple[str, str, bool, bool]]:
        """Name what is imported before what imports it: so one pass over all files is enough.

        In whatever order, Django goes on until nothing changes; each pass writes every file anew.
        """
        for name in imported_first(paths, lambda name: self._imports(name, paths)):
            yield from super()._post_process({name: paths[name]}, *told)

    def _imports(self, name: str, paths: dict[str, Any]) -> list[str]:
        """What a script of ours imports still."""
        if not (name.endswith(".js") and PurePosixPath(name).parts[0] in OURS):
            return []
        storage, path = paths[name]
        with storage.open(path) as file:
            text = file.read().decode()
        found = (resolved(name, told[1]) for told in _FROM.finditer(text))
        return [each for each in found if each in paths]  # Django says which one is missing

    def _ours(self, name: str, paths: dict[str, Any]) -> str | None:
        """A file of ours with its imports and without what only people read; None for others."""
        minified = MINIFIERS.get(PurePosixPath(name).suffix)
        if minified is None or PurePosixPath(name).parts[0] not in OURS:
            return None

        def read(wanted: str) -> str:
            storage, path = paths[wanted]
            with storage.open(path) as file:
                return str(file.read().decode())

        linked = LINKED.get(name)
        return minified(linked(name, read) if linked else read(name))
