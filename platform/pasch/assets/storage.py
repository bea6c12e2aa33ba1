"""The storage of static files: names with a hash of the content, so that browsers may keep them.

When the files are collected, what pages load by name takes in what it imports (linking.py), and our
own scripts and style sheets lose their comments and white space.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath
from typing import Any, Final

import rcssmin
import rjsmin
from servestatic.storage import CompressedManifestStaticFilesStorage

from pasch.assets.linking import script_linked, styles_linked

#: folders of our own scripts and style sheets; files of packages stay as they are
OURS: Final = frozenset({"board", "css", "fairness", "js"})
#: a space in a selector before a pseudo-class or a pseudo-element, and what stands before it
_BEFORE_PSEUDO: Final = re.compile(r"(?<=[\w\])*\"'])\s+(?=::?[a-z])")


def style_minify(text: str) -> str:
    """Return a style sheet without comments and needless space.

    rcssmin takes `a :b` inside a layer or a media query for a declaration and joins the two, which
    makes another selector; `a *:b` means the same and stays.
    """
    return str(rcssmin.cssmin(_BEFORE_PSEUDO.sub(" *", text)))


MINIFIERS: Final[dict[str, Callable[[str], str]]] = {
    ".css": style_minify,
    ".js": rjsmin.jsmin,
}

#: files that pages load by name, or that import other files
LINKED: Final = {
    "css/house.css": styles_linked,
    "css/room.css": styles_linked,
    "fairness/check.js": script_linked,
    "js/analysis-board.js": script_linked,
    "js/chouette.js": script_linked,
    "js/decisions.js": script_linked,
    "js/device/worker.js": script_linked,
    "js/exercise.js": script_linked,
    "js/home.js": script_linked,
    "js/imports.js": script_linked,
    "js/learn.js": script_linked,
    "js/lobby.js": script_linked,
    "js/player-chart.js": script_linked,
    "js/replay.js": script_linked,
    "js/report.js": script_linked,
    "js/running.js": script_linked,
    "js/settings.js": script_linked,
    "js/shell.js": script_linked,
    "js/table.js": script_linked,
    "js/tournaments.js": script_linked,
    "js/watch.js": script_linked,
}


class StaticStorage(CompressedManifestStaticFilesStorage):
    """The manifest storage for linked and minified files.

    A linked script imports nothing, so Django has no imports of modules to rewrite.
    """

    def post_process(
        self, paths: dict[str, Any], dry_run: bool = False, **options: Any
    ) -> Iterator[Any]:
        """Link and minify our own files, then hash and compress all files."""
        if not dry_run:
            texts = {name: self._ours(name, paths) for name in paths}
            for name, text in texts.items():
                if text is not None:
                    Path(self.path(name)).write_text(text, encoding="utf-8")
            # from here on these are read from the collected files, not from their source
            paths |= {name: (self, name) for name, text in texts.items() if text is not None}
        yield from super().post_process(paths, dry_run, **options)

    def _ours(self, name: str, paths: dict[str, Any]) -> str | None:
        """The text of one of our own files, linked and minified; None for other files."""
        minified = MINIFIERS.get(PurePosixPath(name).suffix)
        if minified is None or PurePosixPath(name).parts[0] not in OURS:
            return None

        def read(wanted: str) -> str:
            storage, path = paths[wanted]
            with storage.open(path) as file:
                return str(file.read().decode())

        linked = LINKED.get(name)
        return minified(linked(name, read) if linked else read(name))
