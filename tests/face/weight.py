"""What a first visit to a page transfers, and what its head says of it."""

import gzip
from functools import cache
from pathlib import PurePosixPath
from typing import Any, Final

from harness.static_files import static_file
from pasch.assets.storage import MINIFIERS, OURS

#: what a first visit may transfer, the fonts of the board not counted
BYTES_MAX: Final = 150_000

#: the page's own bytes, the addresses of all it has loaded with their bytes, and its description
LOADED: Final = """() => ({
  page: performance.getEntriesByType('navigation')[0].encodedBodySize,
  parts: performance.getEntriesByType('resource')
    .map(e => [new URL(e.name).pathname, e.encodedBodySize]),
  description: document.querySelector('meta[name=description]')?.content ?? '',
  hidden: document.querySelector('meta[name=robots]')?.content === 'noindex',
  words: [...document.links].map(e => e.textContent.trim().toLowerCase()),
})"""

#: words of links that say nothing to those who read a list of the links
EMPTY_WORDS: Final = frozenset(
    {
        *("click here", "click this", "go", "here", "information", "learn more", "more", "start"),
        *("more info", "more information", "read more", "right here", "see more", "this"),
        *("das", "dies", "hier", "hier klicken", "klicke hier", "mehr", "siehe", "weiterlesen"),
    }
)


def heavy(page: Any) -> list[str]:
    """A line if the page is too heavy, has no description, or has links without a meaning."""
    told = page.evaluate(LOADED)
    # Static files are counted as the house sends them, whether or not the browser has them already.
    total = told["page"] + sum(_bytes(path, size) for path, size in set(map(tuple, told["parts"])))
    found = [f"a first visit transfers {total} bytes"] if total > BYTES_MAX else []
    if not told["description"] and not told["hidden"]:
        found.append("the head has no description")
    return found + [f"a link says {word!r}" for word in told["words"] if word in EMPTY_WORDS]


def _bytes(path: str, size: int) -> int:
    name = path.removeprefix("/static/")
    return _compressed(name) if name != path else size


@cache
def _compressed(name: str) -> int:
    """The bytes of a static file as it is collected; gzip here, so that it costs no time."""
    suffix, content = PurePosixPath(name).suffix, static_file(name)
    assert content is not None, name
    if suffix == ".woff2":
        return 0
    minified = MINIFIERS.get(suffix)
    if minified and PurePosixPath(name).parts[0] in OURS:
        content = minified(content.decode()).encode()
    return len(gzip.compress(content))
