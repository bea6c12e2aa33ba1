"""What is looked for on a page: faults of layout and access, words, and its weight."""

import gzip
import re
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any, Final

from babel.messages.pofile import read_po

from harness.static_files import static_file
from pasch.assets.storage import MINIFIERS, OURS
from tests.axe import violations

#: the visible texts and choices, except names, codes, talk and texts marked with their language
TEXTS: Final = Path(__file__).with_name("texts.js").read_text(encoding="utf-8")
LOCALE: Final = Path(__file__).parents[2] / "locale"
CATALOGUES: Final = [
    folder / "de" / "LC_MESSAGES" / "django.po" for folder in (LOCALE, LOCALE / "allauth")
]

#: the name of each language in itself
OWN_NAMES: Final = frozenset({"Deutsch", "English"})

#: common words of one language that do not exist in the other
SMALL_WORDS: Final = {
    "en": "the you your and with this that are has have from is of for to by it be cannot when"
    " which if only they their there",
    "de": "der das und ist nicht mit du dein deine deinen ein eine einen von zu auf für wird sind"
    " oder bei kein keine wenn wer nur noch dem den des sich im zum zur",
}


def foreign_words(page: Any, language: str) -> list[str]:
    """Texts on the page that belong to the other language."""
    other = "de" if language == "en" else "en"
    small = set(SMALL_WORDS[other].split())
    found = []
    for text in set(page.evaluate(TEXTS)) - OWN_NAMES:
        words = set(re.findall(r"[\w'-]+", text.lower()))
        if words & small or (language == "de" and text in _untranslated()):
            found.append(f"in the wrong language: {text[:80]!r}")
    return found


@cache
def _untranslated() -> frozenset[str]:
    """English texts that no German page may show."""
    pairs = []
    for path in CATALOGUES:
        with path.open("rb") as lines:
            pairs += [(m.id, m.string) for m in read_po(lines) if m.id and isinstance(m.id, str)]
    return frozenset(english for english, _ in pairs) - {german for _, german in pairs}


AXE: Final = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")

#: no animation runs and every font is loaded
SETTLED: Final = """() => document.fonts.status === 'loaded'
  && document.getAnimations().every(each => each.playState !== 'running'
       || each.effect.getComputedTiming().iterations === Infinity)"""

LAYOUT: Final = Path(__file__).with_name("layout.js").read_text(encoding="utf-8")


#: the screens on which each look is also measured; the look's own is the narrowest of its kind
SIZES: Final = {
    "phone": ((390, 844), (844, 390)),
    "desktop": ((768, 1024), (1366, 768), (1920, 1080)),
}
#: two frames later everything has been laid out for the new size
DRAWN: Final = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


def settle(page: Any) -> None:
    """Wait until the page is at rest and its buttons are enabled."""
    page.wait_for_function(SETTLED)
    if page.locator("#actions[data-mode=decision]").count():
        page.wait_for_selector("#actions .slot-b button:visible:enabled")


def findings(page: Any, language: str) -> list[str]:
    """All faults of the words, the layout and the accessibility."""
    return [*glance(page, language), *violations(page, *AXE)]


def glance(page: Any, language: str) -> list[str]:
    """The faults of the words and the layout, in a twentieth of the time of all findings."""
    return [*page.evaluate(LAYOUT), *foreign_words(page, language)]


def at_every_size(page: Any, screen: str) -> list[str]:
    """The faults of the layout on every other screen of this kind."""
    former, found = page.viewport_size, []
    for width, height in SIZES[screen]:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(DRAWN)
        settle(page)
        found += [f"{width}×{height}: {line}" for line in page.evaluate(LAYOUT)]
    page.set_viewport_size(former)
    return found


# --- weight ---------------------------------------------------------------------------------------
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
